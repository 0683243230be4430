import MediaTypes

/// Who gets a data output's samples beside its delegate, or in its place.
///
/// - Important: Thread-safe.
final class SampleTaps: Sendable {
    private struct Reader: Sendable {
        let continuation: AsyncStream<CMSampleBuffer>.Continuation
        let drops: Lock<Int>
    }

    private struct State {
        var readers: [UInt64: Reader] = [:] { didSet { MediaPath.change() } }
        var next: UInt64 = 0
        weak var synchronizer: SampleSynchronizer? { didSet { MediaPath.change() } }
    }

    private let state = Lock(State())

    deinit { finish() }

    /// What takes all samples, so that the delegate gets none.
    var synchronizer: SampleSynchronizer? {
        get { state.withLock { $0.synchronizer } }
        set { state.withLock { $0.synchronizer = newValue } }
    }

    /// Whether nobody is there.
    var isEmpty: Bool { state.withLock { $0.readers.isEmpty && $0.synchronizer == nil } }

    func makeSequence(limit: Int, _ policy: CapturedSamples.DropPolicy) -> CapturedSamples {
        let buffering: AsyncStream<CMSampleBuffer>.Continuation.BufferingPolicy =
            switch policy {
            case .oldest: .bufferingNewest(max(1, limit))
            case .newest: .bufferingOldest(max(1, limit))
            }
        let (stream, continuation) = AsyncStream.makeStream(of: CMSampleBuffer.self, bufferingPolicy: buffering)
        let drops = Lock(0)
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.readers[state.next] = Reader(continuation: continuation, drops: drops)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return CapturedSamples(stream, drops: drops)
    }

    func give(_ sample: CMSampleBuffer) {
        for reader in state.withLock({ Array($0.readers.values) }) {
            if case .dropped = reader.continuation.yield(sample) { reader.drops.withLock { $0 += 1 } }
        }
    }

    /// Ends all sequences.
    func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return state.readers
        }
        for reader in readers.values { reader.continuation.finish() }
    }

    /// Ends the sequences where the media of an output will not come again by themselves.
    func sessionDidStop(_ reason: AVCaptureOutput.StopReason, isInSession: Bool) {
        synchronizer?.flush()
        switch reason {
        case .stopped, .failed: finish()
        case .reconfigured: if !isInSession { finish() }
        case .interrupted: break
        }
    }
}
