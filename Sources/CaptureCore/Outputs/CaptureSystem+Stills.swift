import CaptureHAL
import MediaTypes

/// Numbers the stills of a capture system.
private final class StillNumbers: Sendable {
    private let last = Lock<UInt64>(0)

    func next() -> UInt64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

extension CaptureSystem {
    /// Returns an identifier for a `StillRequest`, different from all earlier ones.
    func nextStillID() -> UInt64 { component(StillNumbers.self) { StillNumbers() }.next() }
}
