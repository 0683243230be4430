import ArgumentParser
import MediaTypes

/// A frame rate on the command line: `30` or `29.97`.
struct FrameRate {
    let framesPerSecond: Double

    /// Parses a rate.
    ///
    /// - Throws: `ValidationError` with the accepted range.
    init(argument: String) throws {
        guard let number = Double(argument), (0.001...1000).contains(number) else {
            throw ValidationError("a frame rate is a number between 0.001 and 1000, such as 30 or 29.97")
        }
        framesPerSecond = number
    }

    /// The duration of a frame: exact for whole rates and for NTSC rates such as 29.97 (30000/1001).
    var frameDuration: CMTime {
        let whole = framesPerSecond.rounded()
        if whole >= 1, abs(framesPerSecond - whole) < 1e-9 { return CMTime(value: 1, timescale: CMTimeScale(whole)) }
        let nominal = (framesPerSecond * 1.001).rounded()
        if nominal >= 1, abs(framesPerSecond - nominal / 1.001) < 0.005 {
            return CMTime(value: 1001, timescale: CMTimeScale(nominal * 1000))
        }
        return CMTime(seconds: 1 / framesPerSecond, preferredTimescale: 1_000_000_000)
    }
}
