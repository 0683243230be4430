import CaptureHAL
import MediaTypes

/// The conversion of the kernel's monotonic time to the time of a capture clock.
struct DriverClock: Sendable {
    /// Nanoseconds that are added to the kernel's time.
    let offset: Int64

    /// Measures the offset of the clocks.
    ///
    /// Each measurement reads the capture clock between two readings of the kernel's clock. The measurement with the
    /// shortest interval is used. If both clocks are the same, the offset is exactly 0.
    init(_ clock: any CaptureClock, _ kernel: any KernelCalls) {
        var best: (interval: Int64, offset: Int64)?
        for _ in 0..<4 {
            let before = kernel.monotonicNanoseconds
            let now = clock.now.nanoseconds
            let after = kernel.monotonicNanoseconds
            let offset = (before...max(before, after)).contains(now) ? 0 : now - (before + (after - before) / 2)
            if best.map({ after - before < $0.interval }) ?? true { best = (after - before, offset) }
        }
        offset = best?.offset ?? 0
    }

    /// Converts a time of the kernel's clock.
    func nanoseconds(_ monotonic: Int64) -> Int64 { monotonic + offset }
}
