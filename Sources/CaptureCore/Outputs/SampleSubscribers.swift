import MediaTypes
import Synchronization

/// The subscribers of a data output besides its delegate: async sequences and a synchronizer.
///
/// - Important: Thread-safe.
final class SampleSubscribers: Sendable {
    /// An async sequence that receives the samples.
    private struct Subscription: Sendable {
        let continuation: AsyncStream<CMSampleBuffer>.Continuation
        let drops: Lock<Int>
    }

    private struct State {
        var subscriptions: [UInt64: Subscription] = [:]
        var nextID: UInt64 = 0
        weak var synchronizer: SampleSynchronizer?
    }

    private let state = Lock(State())
    /// Whether there is a subscriber. Read for each sample without acquiring the lock.
    private let hasSubscribers = Atomic(false)

    deinit { finish() }

    /// The synchronizer that receives all samples instead of the delegate; nil if there is none.
    var synchronizer: SampleSynchronizer? {
        get { hasSubscribers.load(ordering: .acquiring) ? state.withLock { $0.synchronizer } : nil }
        set { update { $0.synchronizer = newValue } }
    }

    /// Whether there are neither sequences nor a synchronizer.
    var isEmpty: Bool {
        !hasSubscribers.load(ordering: .acquiring)
            || state.withLock { $0.subscriptions.isEmpty && $0.synchronizer == nil }
    }

    /// Creates a sequence of the samples that follow.
    func makeSequence(limit: Int, _ policy: CapturedSamples.DropPolicy) -> CapturedSamples {
        let buffering: AsyncStream<CMSampleBuffer>.Continuation.BufferingPolicy =
            switch policy {
            case .oldest: .bufferingNewest(max(1, limit))
            case .newest: .bufferingOldest(max(1, limit))
            }
        let (stream, continuation) = AsyncStream.makeStream(of: CMSampleBuffer.self, bufferingPolicy: buffering)
        let drops = Lock(0)
        let id = update { state in
            defer { state.nextID += 1 }
            state.subscriptions[state.nextID] = Subscription(continuation: continuation, drops: drops)
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.update { _ = $0.subscriptions.removeValue(forKey: id) }
        }
        return CapturedSamples(stream, drops: drops)
    }

    /// Adds a sample to all sequences.
    func yield(_ sample: CMSampleBuffer) {
        guard hasSubscribers.load(ordering: .acquiring) else { return }
        for subscription in state.withLock({ $0.subscriptions }).values {
            if case .dropped = subscription.continuation.yield(sample) { subscription.drops.withLock { $0 += 1 } }
        }
    }

    /// Ends all sequences.
    func finish() {
        let subscriptions = update { state in
            defer { state.subscriptions = [:] }
            return state.subscriptions
        }
        for subscription in subscriptions.values { subscription.continuation.finish() }
    }

    /// Ends the sequences, unless the session is interrupted or only changes its configuration.
    func sessionDidStop(_ reason: AVCaptureOutput.StopReason, isInSession: Bool) {
        synchronizer?.flush()
        switch reason {
        case .stopped, .failed: finish()
        case .reconfigured: if !isInSession { finish() }
        case .interrupted: break
        }
    }

    private func update<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                hasSubscribers.store(!state.subscriptions.isEmpty || state.synchronizer != nil, ordering: .releasing)
            }
            return body(&state)
        }
    }
}
