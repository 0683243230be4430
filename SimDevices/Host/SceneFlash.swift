/// A lamp in view of the cameras that flashes in sync with a microphone's clicks.
struct SceneFlash: Sendable, Hashable {
    /// The period; the lamp flashes at each multiple of it on the clock of the capture system.
    var periodNanoseconds: Int64

    /// The duration of a flash, long enough to be visible in a frame of every camera.
    static let durationNanoseconds: Int64 = 40_000_000
    /// The light of the lamp relative to the scene's light.
    static let brightness = 3.0

    /// Returns the fraction of a time interval, 0 … 1, during which the lamp is on.
    ///
    /// - Parameters:
    ///   - start: Nanoseconds of the capture system's clock.
    ///   - end: A later time; otherwise the fraction is 0.
    func litFraction(from start: Int64, to end: Int64) -> Double {
        guard end > start, periodNanoseconds > 0 else { return 0 }
        var lit: Int64 = 0
        var flashStart = start / periodNanoseconds * periodNanoseconds
        while flashStart < end {
            lit += max(0, min(end, flashStart + Self.durationNanoseconds) - max(start, flashStart))
            flashStart += periodNanoseconds
        }
        return Double(lit) / Double(end - start)
    }
}
