import CaptureHAL
import MediaTypes

/// Brings the kernel's monotonic time onto a capture clock.
struct DriverClock: Sendable {
    /// What is added to the kernel's nanoseconds.
    let offset: Int64

    /// Compares the two clocks.
    ///
    /// The capture clock is read between two readings of the kernel's; the closest of a few pairs counts. Where the
    /// capture clock *is* the kernel's, its reading lies between the two, and the offset is exactly 0.
    init(_ clock: any CaptureClock, _ kernel: any KernelCalls) {
        var best: (width: Int64, offset: Int64)?
        for _ in 0..<4 {
            let before = kernel.monotonicNanoseconds
            let now = clock.now.nanoseconds
            let after = kernel.monotonicNanoseconds
            let offset = (before...max(before, after)).contains(now) ? 0 : now - (before + (after - before) / 2)
            if best.map({ after - before < $0.width }) ?? true { best = (after - before, offset) }
        }
        offset = best?.offset ?? 0
    }

    func nanoseconds(_ monotonic: Int64) -> Int64 { monotonic + offset }
}
