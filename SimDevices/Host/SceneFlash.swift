/// A lamp before the cameras that flashes in step with a microphone's clicks.
struct SceneFlash: Sendable, Hashable {
    /// It lights at each whole period of the system's clock.
    var periodNanoseconds: Int64

    /// How long it lights, in nanoseconds: long enough for each camera to see it.
    static let length: Int64 = 40_000_000
    /// How many times as bright as the scene's light it is.
    static let brightness = 3.0

    /// The part of a span of time, 0 … 1, in which it lights.
    ///
    /// - Parameters:
    ///   - start: Nanoseconds of the system's clock.
    ///   - end: After `start`.
    func share(from start: Int64, to end: Int64) -> Double {
        guard end > start, periodNanoseconds > 0 else { return 0 }
        var lit: Int64 = 0
        var begin = start / periodNanoseconds * periodNanoseconds
        while begin < end {
            lit += max(0, min(end, begin + Self.length) - max(start, begin))
            begin += periodNanoseconds
        }
        return Double(lit) / Double(end - start)
    }
}
