import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
import MediaTypes

/// Receives the synchronized data, on the queue passed to `setDelegate(_:queue:)`.
public protocol AVCaptureDataOutputSynchronizerDelegate: AnyObject {
    /// Data of the same time were captured. The collection does not contain outputs without data.
    func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer,
        didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}

/// Synchronizes the samples of several data outputs by their times.
///
/// The first output is the leader. Each of its samples waits until every other output has delivered a sample with the
/// same or a later time, or is known to have none:
/// - The output is disabled or has ended.
/// - The output reports that it has no data, as a depth output does for a frame without depth.
/// - The output has a lower rate, and its last sample has not ended.
/// - The output has delivered nothing while eight samples of the leader were waiting.
///
/// The leader's sample is delivered together with the nearest sample of each other output within half of its duration.
/// Earlier samples of other outputs are delivered separately, before the leader's sample.
///
/// While the synchronizer has a delegate, the delegates of the outputs are not called. If a video output has
/// `alwaysDiscardsLateVideoFrames`, frames that arrive while the delegate is busy are delivered as dropped.
/// - Important: Thread-safe.
public final class AVCaptureDataOutputSynchronizer: NSObject, KeyValueObserving, Sendable {
    private typealias Target = CallbackTarget<any AVCaptureDataOutputSynchronizerDelegate>

    private struct State {
        var target = Target(queue: nil) { nil }
        var synchronizer: SampleSynchronizer?
    }

    /// The outputs, in the order of the initializer's argument.
    public let dataOutputs: [AVCaptureOutput]
    public let observedProperties: ObservedProperties
    private let system: CaptureSystem
    private let state = Lock(State())

    /// Creates a synchronizer.
    ///
    /// - Parameter dataOutputs: Video, audio and depth data outputs and metadata outputs, at least one, each once;
    ///   others, and outputs of a different system than the first output, are misuse and ignored.
    public init(dataOutputs: [AVCaptureOutput]) {
        let unique = dataOutputs.enumerated().filter { index, output in
            output.sampleSubscribers != nil && !dataOutputs[..<index].contains { $0 === output }
        }.map(\.element)
        let system = unique.first?.system ?? .current
        self.system = system
        let usable = unique.filter { $0.system === system }
        self.dataOutputs = usable
        observedProperties = ObservedProperties(system.reference, system.misuse)
        super.init()
        let method = "-[AVCaptureDataOutputSynchronizer initWithDataOutputs:]"
        for output in unique {
            let message = system.reference.rejectionReason(
                joining: "the \(type(of: output))", of: output.system.reference, to: "the first output")
            if let message { system.misuse.report(.invalidArgument, "\(method) \(message)") }
        }
        if unique.isEmpty || unique.count < dataOutputs.count {
            system.misuse.report(
                .invalidArgument,
                "\(method) requires video, audio and depth data outputs "
                    + "and metadata outputs, at least one, each once")
        }
    }

    deinit { release() }

    /// Sets the delegate and the serial queue on which it is called; nil for both restores the delegates of the
    /// outputs.
    ///
    /// A delegate without a queue is misuse.
    public func setDelegate(
        _ delegate: (any AVCaptureDataOutputSynchronizerDelegate)?, queue delegateCallbackQueue: DispatchQueue?
    ) {
        guard
            system.misuse.checkQueue(
                delegateCallbackQueue, of: delegate, "AVCaptureDataOutputSynchronizer setDelegate:queue:")
        else { return }
        release()
        system.reference.lifetimes.add(delegate, "the delegate")
        let target = Target(queue: delegateCallbackQueue) { [weak delegate] in delegate }
        let synchronizer: SampleSynchronizer? =
            if delegate != nil, let queue = delegateCallbackQueue {
                SampleSynchronizer(dataOutputs, system: system.reference, queue: queue) { [weak self] group in
                    self?.deliver(group, to: target)
                }
            } else { nil }
        state.withLock { $0 = State(target: target, synchronizer: synchronizer) }
        for output in dataOutputs { output.sampleSubscribers?.synchronizer = synchronizer }
        observedProperties.changed(["delegate"])
    }

    /// The receiver of the data; can be observed.
    public var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? {
        observedProperties.access()
        return state.withLock { $0.target }.delegate
    }

    public var delegateCallbackQueue: DispatchQueue? { state.withLock { $0.target.queue } }

    private func deliver(_ group: SampleSynchronizer.Group, to target: Target) {
        guard let delegate = target.delegate else { return }
        let data = group.sorted { $0.key < $1.key }.map { index, item in
            (dataOutputs[index], AVCaptureSynchronizedData.of(item))
        }
        delegate.dataOutputSynchronizer(self, didOutput: AVCaptureSynchronizedDataCollection(data))
    }

    /// Detaches the synchronizer from the outputs.
    private func release() {
        guard let old = state.withLock({ $0.synchronizer }) else { return }
        for output in dataOutputs where output.sampleSubscribers?.synchronizer === old {
            output.sampleSubscribers?.synchronizer = nil
        }
    }
}
