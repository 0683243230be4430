package import MediaTypes

/// Plays audio faster or slower, at its own pitch or at one that follows the speed.
///
/// Output frame n presents the input at n × speed frames: the delay of the filters is compensated.
/// - Important: Confined.
package final class AudioTimePitch {
    /// How the pitch relates to the speed.
    package enum Method: Sendable, Hashable {
        /// The pitch follows the speed, by libswresample.
        case varispeed
        /// Keeps the pitch, by Rubber Band's finer engine with short windows: for voice, at half the cost.
        case timeDomain
        /// Keeps the pitch, by Rubber Band's finer engine: for music.
        case spectral
    }

    /// The speeds that are heard; audio at others is silent.
    package static let speeds = 1.0 / 32...32

    private enum Converter {
        case resampler(AudioResampler)
        case stretcher(RubberBandStretcher)
        case silence
    }

    /// The factor of both rates of the resampler, whose rates are whole numbers.
    private static let rateScale = 64.0

    private let bytesPerFrame: Int
    private let speed: Double
    private let converter: Converter
    private var inputCount = 0
    private var outputCount = 0

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - format: The format of input and output; its samples must be `float32`.
    ///   - speed: Input frames per output frame.
    ///   - path: The path of the audio's file, for errors.
    /// - Throws: `.unsupportedCodec` if a library is missing; `.outOfMemory`.
    package init(
        _ format: AudioStreamFormat, speed: Double, method: Method, path: String
    ) throws(MediaFileError) {
        bytesPerFrame = format.bytesPerFrame
        self.speed = speed
        guard Self.speeds.contains(speed) else {
            converter = .silence
            return
        }
        switch method {
        case .varispeed:
            var (source, destination) = (format, format)
            source.sampleRate = (format.sampleRate * speed * Self.rateScale).rounded()
            destination.sampleRate *= Self.rateScale
            converter = .resampler(try AudioResampler(from: source, to: destination, path: path))
        case .timeDomain, .spectral:
            converter = .stretcher(
                try RubberBandStretcher(
                    format, timeRatio: 1 / speed, hasShortWindows: method == .timeDomain, path: path))
        }
    }

    /// Starts again, with other input.
    package func reset() {
        (inputCount, outputCount) = (0, 0)
        switch converter {
        case .resampler(let resampler): resampler.reset()
        case .stretcher(let stretcher): stretcher.reset()
        case .silence: break
        }
    }

    /// Converts interleaved samples; some of the output is delayed until later calls.
    package func convert(_ bytes: [UInt8], frameCount: Int) throws(MediaFileError) -> [UInt8] {
        inputCount += frameCount
        let result = try run(bytes, frameCount)
        outputCount += result.count / bytesPerFrame
        return result
    }

    /// Returns the remaining output, so that all output together is as long as the input divided by the speed.
    package func finish() throws(MediaFileError) -> [UInt8] {
        let byteCount = (totalCount - outputCount) * bytesPerFrame
        guard byteCount > 0 else { return [] }
        var rest: [UInt8] = []
        switch converter {
        case .resampler(let resampler): rest = try resampler.finish()
        case .stretcher(let stretcher):
            while rest.count < byteCount { rest += stretcher.convertSilence() }
        case .silence: break
        }
        if rest.count < byteCount { rest += [UInt8](repeating: 0, count: byteCount - rest.count) }
        outputCount = totalCount
        return Array(rest.prefix(byteCount))
    }

    /// The length of the output of all input so far.
    private var totalCount: Int { Int((Double(inputCount) / speed).rounded()) }

    private func run(_ bytes: [UInt8], _ frameCount: Int) throws(MediaFileError) -> [UInt8] {
        switch converter {
        case .resampler(let resampler): try resampler.convert(bytes, frameCount: frameCount)
        case .stretcher(let stretcher): stretcher.convert(bytes, frameCount: frameCount)
        case .silence: [UInt8](repeating: 0, count: max(0, totalCount - outputCount) * bytesPerFrame)
        }
    }
}
