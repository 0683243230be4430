package import MediaTypes

/// Changes the speed of audio, with or without changing its pitch.
///
/// Output frame n corresponds to input frame n × speed: the delay of the filters is compensated.
/// - Important: Confined to one thread at a time.
package final class AudioTimePitch {
    /// How the pitch relates to the speed.
    package enum Method: Sendable, Hashable {
        /// The pitch changes with the speed; uses libswresample.
        case varispeed
        /// Keeps the pitch; uses Rubber Band's finer engine with short windows. For voice; half the cost of `spectral`.
        case timeDomain
        /// Keeps the pitch; uses Rubber Band's finer engine. For music.
        case spectral
    }

    /// The supported speeds. At other speeds, the output is silence.
    package static let speeds = 1.0 / 32...32

    private enum Converter {
        case resampler(AudioResampler)
        case stretcher(RubberBandStretcher)
        case silence
    }

    /// A factor that multiplies both sample rates of the resampler. Its rates are integers, so larger rates represent
    /// the speed more precisely.
    private static let rateScale = 64.0

    private let bytesPerFrame: Int
    private let speed: Double
    private let converter: Converter
    private var inputFrameCount = 0
    private var outputFrameCount = 0

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

    /// Discards all pending input and output, so that other input can follow.
    package func reset() {
        (inputFrameCount, outputFrameCount) = (0, 0)
        switch converter {
        case .resampler(let resampler): resampler.reset()
        case .stretcher(let stretcher): stretcher.reset()
        case .silence: break
        }
    }

    /// Converts interleaved samples; some of the output is delayed until later calls.
    package func convert(_ bytes: [UInt8], frameCount: Int) throws(MediaFileError) -> [UInt8] {
        inputFrameCount += frameCount
        let result = try run(bytes, frameCount)
        outputFrameCount += result.count / bytesPerFrame
        return result
    }

    /// Returns the remaining output. The duration of all output is that of the input divided by the speed.
    package func finish() throws(MediaFileError) -> [UInt8] {
        let byteCount = (totalFrameCount - outputFrameCount) * bytesPerFrame
        guard byteCount > 0 else { return [] }
        var rest: [UInt8] = []
        switch converter {
        case .resampler(let resampler): rest = try resampler.finish()
        case .stretcher(let stretcher):
            while rest.count < byteCount { rest += stretcher.convertSilence() }
        case .silence: break
        }
        if rest.count < byteCount { rest += [UInt8](repeating: 0, count: byteCount - rest.count) }
        outputFrameCount = totalFrameCount
        return Array(rest.prefix(byteCount))
    }

    /// The number of output frames for all input so far.
    private var totalFrameCount: Int { Int((Double(inputFrameCount) / speed).rounded()) }

    private func run(_ bytes: [UInt8], _ frameCount: Int) throws(MediaFileError) -> [UInt8] {
        switch converter {
        case .resampler(let resampler): try resampler.convert(bytes, frameCount: frameCount)
        case .stretcher(let stretcher): stretcher.convert(bytes, frameCount: frameCount)
        case .silence: [UInt8](repeating: 0, count: max(0, totalFrameCount - outputFrameCount) * bytesPerFrame)
        }
    }
}
