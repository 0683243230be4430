import AssetTypes
import MediaCodecs
import MediaTypes
import PixelKernels

/// Encodes the images of a writer input.
final class VideoTrackProcessor: TrackProcessor {
    private let settings: WriterVideoSettings
    private let options: TrackOptions
    private let converter = PixelConverter()
    private var encoder: VideoEncoder?
    private var pool: CVPixelBufferPool?
    private(set) var track: MovieTrackConfiguration?
    private var lastTime = CMTime.invalid
    /// The duration of the last frame, as far as known.
    private var lastDuration = CMTime.invalid
    /// The earliest time at which the next fragment can start; invalid without fragments.
    private var nextFragmentStart: CMTime
    /// Whether the next frame must be a key frame.
    private var wantsKeyFrame = false

    init(_ settings: WriterVideoSettings, _ options: TrackOptions) {
        self.settings = settings
        self.options = options
        nextFragmentStart = options.fragmentInterval
    }

    var end: CMTime { lastTime.isValid ? lastTime + lastDuration : .invalid }
    var endsPresentation: Bool { false }

    func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        if encoder == nil, options.segmentStart.isNumeric, options.fragmentInterval.isNumeric {
            nextFragmentStart = options.segmentStart + options.fragmentInterval - origin
        }
        switch sample {
        case .metadata: throw AVError(.unknown, "a video input cannot accept metadata")
        case .captions: throw AVError(.unknown, "a video input cannot accept captions")
        case .pixels(let pixels, let time):
            return try encode(pixels, at: time - origin, duration: .invalid)
        case .buffer(let buffer):
            let time = buffer.outputPresentationTimeStamp - origin
            guard let pixels = buffer.imageBuffer else {
                guard buffer.endsPreviousSampleDuration, lastTime.isValid, time > lastTime else {
                    throw AVError(
                        .unknown, "a sample buffer for a video input with output settings has no image buffer")
                }
                lastDuration = time - lastTime
                return []
            }
            return try encode(pixels, at: time, duration: buffer.outputDuration)
        }
    }

    func forceKeyFrame() { wantsKeyFrame = true }

    func finish() throws(AVError) -> [EncodedSample] {
        try encoding { () throws(EncodingError) in try encoder?.finish() ?? [] }
    }

    private func encode(_ pixels: CVPixelBuffer, at time: CMTime, duration: CMTime) throws(AVError) -> [EncodedSample] {
        guard time.isNumeric else { throw AVError(.unknown, "a frame needs a numeric presentation time, not \(time)") }
        let encoder = if let known = self.encoder { known } else { try begin(pixels, time, duration) }
        let scale = track?.timescale ?? 600
        let rounded = CMTimeConvertScale(time, timescale: scale, method: .roundHalfAwayFromZero)
        guard !lastTime.isValid || rounded > lastTime else {
            throw AVError(.unknown, "the frame at \(time.seconds) s does not follow the one at \(lastTime.seconds) s")
        }
        // A frame without a duration lasts as long as the previous one.
        let hasDuration = duration.isNumeric && duration > .zero
        let gap = lastTime.isValid ? rounded - lastTime : encoder.settings.expectedFrameDuration
        lastDuration = hasDuration ? duration : gap
        lastTime = rounded
        let fitted = try fit(pixels, to: encoder.settings)
        let isFragmentStart = beginsFragment(rounded) || wantsKeyFrame
        wantsKeyFrame = false
        return try encoding { () throws(EncodingError) in
            try encoder.encode(fitted, at: rounded, duration: lastDuration, forceKeyFrame: isFragmentStart)
        }
    }

    private func beginsFragment(_ time: CMTime) -> Bool {
        guard nextFragmentStart.isNumeric, nextFragmentStart > .zero, time >= nextFragmentStart else { return false }
        while nextFragmentStart <= time { nextFragmentStart = nextFragmentStart + options.fragmentInterval }
        return true
    }

    private func begin(_ pixels: CVPixelBuffer, _ time: CMTime, _ duration: CMTime) throws(AVError) -> VideoEncoder {
        let dimensions =
            settings.dimensions
            ?? CMVideoDimensions(
                width: Int32(CVPixelBufferGetWidth(pixels)), height: Int32(CVPixelBufferGetHeight(pixels)))
        var color = settings.color ?? ColorDescription(of: pixels)
        color.isFullRange = ColorDescription(of: pixels).isFullRange
        let frameDuration: CMTime =
            if let rate = settings.expectedFrameRate {
                CMTime(seconds: 1 / rate, preferredTimescale: 90_000)
            } else if duration.isNumeric, duration > .zero { duration } else { CMTime(value: 1, timescale: 30) }
        var wanted = VideoEncoderSettings(
            codec: settings.codec, dimensions: dimensions, color: color, expectedFrameDuration: frameDuration,
            averageBitRate: settings.averageBitRate, quality: settings.quality,
            maximumKeyFrameInterval: settings.maximumKeyFrameInterval,
            maximumKeyFrameDuration: settings.maximumKeyFrameDuration, profile: settings.profile,
            level: settings.level, entropyMode: settings.entropyMode, pixelAspectRatio: settings.pixelAspectRatio)
        if settings.codec == .hevc, settings.bitsPerComponent ?? pixels.format.bitsPerComponent == 10 {
            wanted.bitsPerComponent = 10
        }
        // Every second frame becomes droppable if at most half of the frames must not be dropped. 0.51 allows for
        // rounded rates.
        wanted.alternatesDroppableFrames =
            settings.nonDroppableFrameRate.map { $0 * frameDuration.seconds <= 0.51 } ?? false
        wanted.allowsFrameReordering = reordersFrames && !wanted.alternatesDroppableFrames
        let encoderSettings = wanted
        let new = try encoding { () throws(EncodingError) in try VideoEncoder(encoderSettings) }
        encoder = new
        var format = new.format
        format.cleanAperture = settings.cleanAperture
        track = options.track(
            .video(format), timescale: options.timescale(for: time, duration: frameDuration),
            expectedSampleRate: 1 / frameDuration.seconds)
        return new
    }

    /// Whether B-frames are used: by default for sources that are not real-time, if the profile allows them.
    private var reordersFrames: Bool {
        guard !settings.codec.isIntraOnly, settings.profile != .baseline else { return false }
        return settings.allowsFrameReordering ?? !options.isRealTime
    }

    /// Returns an image scaled to the output's size.
    private func fit(_ pixels: CVPixelBuffer, to encoder: VideoEncoderSettings) throws(AVError) -> CVPixelBuffer {
        let (width, height) = (Int(encoder.dimensions.width), Int(encoder.dimensions.height))
        guard CVPixelBufferGetWidth(pixels) != width || CVPixelBufferGetHeight(pixels) != height else { return pixels }
        let pool = self.pool ?? Self.makePool(encoder, like: pixels)
        self.pool = pool
        guard let fitted = pool.makeBuffer() else { throw AVError(.outOfMemory, "cannot allocate a scaled frame") }
        do throws(ImageError) {
            try converter.convert(pixels, to: fitted, PixelTransform(fitting: settings.fitting))
        } catch {
            throw AVError(.formatUnsupported, error.message, cause: error)
        }
        return fitted
    }

    private static func makePool(_ encoder: VideoEncoderSettings, like pixels: CVPixelBuffer) -> CVPixelBufferPool {
        var format =
            encoder.color.isFullRange
            ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        if pixels.format.model == .yCbCr, pixels.format.bitsPerComponent == 10 { format = pixels.format.code }
        // The encoder retains frames for lookahead and reordering.
        return CVPixelBufferPool(
            width: Int(encoder.dimensions.width), height: Int(encoder.dimensions.height), pixelFormat: format,
            maximumBufferCount: 64, name: "of a video track")
    }
}

extension TrackProcessor {
    /// Runs an encoder and converts its errors to `AVError`.
    func encoding<Result>(_ body: () throws(EncodingError) -> Result) throws(AVError) -> Result {
        do throws(EncodingError) {
            return try body()
        } catch {
            throw AVError(error)
        }
    }
}

extension CMSampleBuffer {
    /// Whether the buffer contains no media and only marks the end of the previous sample.
    var endsPreviousSampleDuration: Bool {
        attachments[kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration]?.value as? Bool ?? false
    }
}
