import MediaTypes
import Synchronization

/// The receivers of a data output's samples other than its delegate: async sequences and a synchronizer.
///
/// - Important: Thread-safe.
final class SampleTaps: Sendable {
    private struct Reader: Sendable {
        let continuation: AsyncStream<CMSampleBuffer>.Continuation
        let drops: Lock<Int>
    }

    private struct State {
        var readers: [UInt64: Reader] = [:]
        var next: UInt64 = 0
        weak var synchronizer: SampleSynchronizer?
    }

    private let state = Lock(State())
    /// Whether there may be a tap. While there is none, samples cost nothing and no lock is taken.
    private let isUsed = Atomic(false)

    deinit { finish() }

    /// Receives all samples instead of the delegate.
    var synchronizer: SampleSynchronizer? {
        get { isUsed.load(ordering: .acquiring) ? state.withLock { $0.synchronizer } : nil }
        set { update { $0.synchronizer = newValue } }
    }

    /// Whether there are neither sequences nor a synchronizer.
    var isEmpty: Bool {
        !isUsed.load(ordering: .acquiring) || state.withLock { $0.readers.isEmpty && $0.synchronizer == nil }
    }

    /// Creates a sequence of the samples from now on.
    func makeSequence(limit: Int, _ policy: CapturedSamples.DropPolicy) -> CapturedSamples {
        let buffering: AsyncStream<CMSampleBuffer>.Continuation.BufferingPolicy =
            switch policy {
            case .oldest: .bufferingNewest(max(1, limit))
            case .newest: .bufferingOldest(max(1, limit))
            }
        let (stream, continuation) = AsyncStream.makeStream(of: CMSampleBuffer.self, bufferingPolicy: buffering)
        let drops = Lock(0)
        let number = update { state in
            defer { state.next += 1 }
            state.readers[state.next] = Reader(continuation: continuation, drops: drops)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.update { _ = $0.readers.removeValue(forKey: number) }
        }
        return CapturedSamples(stream, drops: drops)
    }

    /// Adds a sample to all sequences.
    func yield(_ sample: CMSampleBuffer) {
        guard isUsed.load(ordering: .acquiring) else { return }
        for reader in state.withLock({ $0.readers }).values {
            if case .dropped = reader.continuation.yield(sample) { reader.drops.withLock { $0 += 1 } }
        }
    }

    /// Ends all sequences.
    func finish() {
        let readers = update { state in
            defer { state.readers = [:] }
            return state.readers
        }
        for reader in readers.values { reader.continuation.finish() }
    }

    /// Ends the sequences if the media of the output do not resume without the client.
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
            defer { isUsed.store(!state.readers.isEmpty || state.synchronizer != nil, ordering: .releasing) }
            return body(&state)
        }
    }
}
