import ArgumentParser
import MediaTypes

/// A frame rate on the command line: `30` or `29.97`.
struct FrameRate {
    let framesPerSecond: Double

    /// - Throws: `ValidationError` with what would be right.
    init(argument: String) throws {
        guard let number = Double(argument), (0.001...1000).contains(number) else {
            throw ValidationError("frames a second are a number between 0.001 and 1000, as 30 or 29.97")
        }
        framesPerSecond = number
    }

    /// One frame's time: exact for whole rates and for those of television, as 29.97.
    var frameDuration: CMTime {
        let whole = framesPerSecond.rounded()
        if whole >= 1, abs(framesPerSecond - whole) < 1e-9 { return CMTime(value: 1, timescale: CMTimeScale(whole)) }
        let television = (framesPerSecond * 1.001).rounded()
        if television >= 1, abs(framesPerSecond - television / 1.001) < 0.005 {
            return CMTime(value: 1001, timescale: CMTimeScale(television * 1000))
        }
        return CMTime(seconds: 1 / framesPerSecond, preferredTimescale: 1_000_000_000)
    }
}
