import CaptureHAL
import Dispatch
import MediaTypes

/// Takes the samples of several outputs and hands on what belongs together.
///
/// - Important: Thread-safe.
final class SampleSynchronizer: Sendable {
    struct Item: Sendable {
        enum Content: Sendable {
            case sample(CMSampleBuffer)
            case depth(AVDepthData)
            case objects([AVMetadataObject])
        }

        let content: Content
        let time: CMTime
        let duration: CMTime
        let dropped: AVCaptureOutput.DataDroppedReason

        init(sample: CMSampleBuffer, dropped: AVCaptureOutput.DataDroppedReason) {
            content = .sample(sample)
            time = sample.presentationTimeStamp
            duration = sample.duration
            self.dropped = dropped
        }

        init(depth: AVDepthData, time: CMTime, duration: CMTime, dropped: AVCaptureOutput.DataDroppedReason) {
            content = .depth(depth)
            self.time = time
            self.duration = duration
            self.dropped = dropped
        }

        init(objects: [AVMetadataObject], time: CMTime, duration: CMTime) {
            content = .objects(objects)
            self.time = time
            self.duration = duration
            dropped = .none
        }

        /// What stands for the item once it came too late; metadata objects are never late.
        var late: Item {
            switch content {
            case .sample(let sample):
                let timing = CMSampleTimingInfo(
                    duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
                return Item(
                    sample: CMSampleBuffer(
                        droppedFrame: timing, formatDescription: sample.formatDescription,
                        reason: AVCaptureOutput.DataDroppedReason.lateData.attachment),
                    dropped: .lateData)
            case .depth(let depth):
                return Item(depth: depth.dropped, time: time, duration: duration, dropped: .lateData)
            case .objects: return self
            }
        }
    }

    /// Samples by the outputs' places.
    typealias Group = [Int: Item]

    private struct Outbox {
        var waiting: [Group] = []
        var isHanding = false
    }

    private struct Output: Sendable {
        let output: WeakReference<AVCaptureOutput>
        let id: ObjectIdentifier
    }

    private let outputs: [Output]
    private let state: Lock<SynchronizerState<Item>>
    /// Groups on their way, handed over by one thread at a time so that they come in order.
    private let outbox = Lock(Outbox())
    private let deliveries: DeliveryQueue
    private let queue: DispatchQueue
    private let deliver: @Sendable (Group) -> Void

    /// - Parameter deliver: Runs on `queue`, once for each group.
    init(
        _ outputs: [AVCaptureOutput], clock: any CaptureClock, queue: DispatchQueue,
        deliver: @escaping @Sendable (Group) -> Void
    ) {
        self.outputs = outputs.map { Output(output: WeakReference($0), id: ObjectIdentifier($0)) }
        state = Lock(SynchronizerState(outputCount: outputs.count), order: .synchronizer)
        deliveries = DeliveryQueue(clock: clock)
        self.queue = queue
        self.deliver = deliver
    }

    func take(_ item: Item, from output: AVCaptureOutput) {
        guard let index = outputs.firstIndex(where: { $0.id == ObjectIdentifier(output) }) else { return }
        // What is asked of the session is asked before the lock.
        let live = outputs.map { $0.output.object?.canDeliver ?? false }
        send { state in
            state.take(item, from: index, at: item.time, lasting: item.duration, isLive: { live[$0] })
        }
    }

    /// Nothing comes from an output up to a time that it has not given yet.
    func pass(_ output: AVCaptureOutput, _ time: CMTime) {
        guard let index = outputs.firstIndex(where: { $0.id == ObjectIdentifier(output) }) else { return }
        let live = outputs.map { $0.output.object?.canDeliver ?? false }
        send { state in state.pass(index, time) { live[$0] } }
    }

    /// Looks again for whom to wait, as an output may have nothing any more.
    func lookAgain() {
        let live = outputs.map { $0.output.object?.canDeliver ?? false }
        send { state in state.groups { live[$0] } }
    }

    /// Hands on what waits, as the outputs end.
    func flush() { send { $0.flush() } }

    /// Hands on what the rule gives, unless a thread is doing so already.
    private func send(_ decide: (inout SynchronizerState<Item>) -> [Group]) {
        let isFirst = state.withLock { state in
            // The groups are put down in the order in which they were decided on.
            let groups = decide(&state)
            return outbox.withLock { outbox in
                outbox.waiting += groups
                defer { outbox.isHanding = true }
                return !outbox.isHanding
            }
        }
        guard isFirst else { return }
        while let group = outbox.withLock({ outbox -> Group? in
            guard !outbox.waiting.isEmpty else {
                outbox.isHanding = false
                return nil
            }
            return outbox.waiting.removeFirst()
        }) {
            hand(group)
        }
    }

    /// A delegate that is still busy gets frames as dropped, where their output discards late ones.
    private func hand(_ group: Group) {
        let discarding = group.keys.filter { index in
            outputs[index].output.object?.discardsLateData ?? false
        }
        let deliver = deliver
        let isLate = deliveries.submit(
            .call(on: queue) { deliver(group) }, discardsLate: !discarding.isEmpty)
        guard isLate else { return }
        var late = group
        for index in discarding {
            guard let item = group[index], item.dropped == .none else { continue }
            late[index] = item.late
        }
        let shells = late
        _ = deliveries.submit(.call(on: queue) { deliver(shells) }, discardsLate: false)
    }
}

extension AVCaptureOutput {
    /// Whether what comes while the client is busy is dropped.
    fileprivate var discardsLateData: Bool {
        (self as? AVCaptureVideoDataOutput)?.alwaysDiscardsLateVideoFrames
            ?? (self as? AVCaptureDepthDataOutput)?.alwaysDiscardsLateDepthData ?? false
    }

    /// Whether something can come from this output now.
    var canDeliver: Bool {
        session?.isRunning ?? false && connections.contains { $0.isEnabled && $0.isActive }
    }
}
