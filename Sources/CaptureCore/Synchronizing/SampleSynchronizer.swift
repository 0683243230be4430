import CaptureHAL
import Dispatch
import MediaTypes

/// Groups the samples of several outputs by their times.
///
/// - Important: Thread-safe.
final class SampleSynchronizer: Sendable {
    /// The data of one output for one time.
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

        /// The item, marked as dropped because it is late; metadata objects are never late.
        var markedLate: Item {
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

    /// Samples by the index of their output.
    typealias Group = [Int: Item]

    private struct State {
        var grouping: SynchronizerState<Item>
        /// The groups to deliver. Only one thread at a time delivers, so that the groups stay in order.
        var groups: [Group] = []
        var isDelivering = false
    }

    private struct Output: Sendable {
        let output: WeakReference<AVCaptureOutput>
        let id: ObjectIdentifier
    }

    /// The maximum number of waiting groups when one that only reports a loss is added.
    private static let maximumLossCount = 32

    private let outputs: [Output]
    private let state: Lock<State>
    private let deliveries: DeliveryQueue
    private let queue: DispatchQueue
    private let callback: @Sendable (Group) -> Void

    /// - Parameter deliver: Runs on `queue`, once for each group.
    init(
        _ outputs: [AVCaptureOutput], system: SystemReference, queue: DispatchQueue,
        deliver: @escaping @Sendable (Group) -> Void
    ) {
        self.outputs = outputs.map { Output(output: WeakReference($0), id: ObjectIdentifier($0)) }
        state = Lock(State(grouping: SynchronizerState(outputCount: outputs.count)))
        deliveries = DeliveryQueue(system)
        self.queue = queue
        callback = deliver
    }

    /// Receives an item of an output.
    func add(_ item: Item, from output: AVCaptureOutput) {
        guard let index = index(of: output) else { return }
        // Before the lock, since this queries the session.
        let live = liveOutputs
        update { $0.add(item, from: index, at: item.time, lasting: item.duration, isLive: { live[$0] }) }
    }

    /// Records that an output has no item up to a time.
    func skip(_ time: CMTime, from output: AVCaptureOutput) {
        guard let index = index(of: output) else { return }
        let live = liveOutputs
        update { $0.skip(index, time) { live[$0] } }
    }

    /// Delivers the groups that are complete after outputs have started or stopped delivering.
    func outputsDidChange() {
        let live = liveOutputs
        update { $0.groups { live[$0] } }
    }

    /// Delivers all waiting items; called when the outputs end.
    func flush() { update { $0.flush() } }

    private func index(of output: AVCaptureOutput) -> Int? {
        outputs.firstIndex { $0.id == ObjectIdentifier(output) }
    }

    private var liveOutputs: [Bool] { outputs.map { $0.output.object?.canDeliver ?? false } }

    /// Updates the grouping and delivers the complete groups, unless another thread is delivering.
    private func update(_ change: (inout SynchronizerState<Item>) -> [Group]) {
        let isFirst = state.withLock { state in
            // The groups are appended under the lock, so that they stay in order.
            state.groups += change(&state.grouping)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        while let group = state.withLock({ state -> Group? in
            guard !state.groups.isEmpty else {
                state.isDelivering = false
                return nil
            }
            return state.groups.removeFirst()
        }) {
            deliver(group)
        }
    }

    /// Delivers a group; if the delegate is busy, the items of outputs that discard late data are marked as dropped.
    private func deliver(_ group: Group) {
        let discarding = group.keys.filter { outputs[$0].output.object?.discardsLateData ?? false }
        let isDelivered = deliveries.submit(on: queue, discardsLate: !discarding.isEmpty) { [callback] in
            callback(group)
        }
        guard !isDelivered else { return }
        var late = group
        for index in discarding {
            guard let item = group[index], item.dropped == .none else { continue }
            late[index] = item.markedLate
        }
        // A group without data only reports the loss.
        let hasData = late.values.contains { $0.dropped == .none }
        let limit = hasData ? DeliveryState<Void>.maximumWaitingCount : Self.maximumLossCount
        _ = deliveries.submit(on: queue, discardsLate: false, limit: limit) { [callback, late] in callback(late) }
    }
}

extension AVCaptureOutput {
    /// Whether the output can deliver data now.
    var canDeliver: Bool {
        session?.isRunning ?? false && connections.contains { $0.isEnabled && $0.isActive }
    }
}
