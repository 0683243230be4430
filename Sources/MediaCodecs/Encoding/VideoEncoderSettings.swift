package import MediaTypes

/// The settings of a video encoder.
package struct VideoEncoderSettings: Sendable {
    /// The H.264 profiles.
    package enum Profile: String, Sendable, Hashable, CaseIterable {
        case baseline, main, high
    }

    /// The entropy coding of H.264 (ITU-T H.264, 9.2 and 9.3).
    package enum EntropyMode: String, Sendable, Hashable, CaseIterable {
        case cavlc, cabac
    }

    /// The codec.
    package var codec: VideoSampleFormat.Codec
    /// The size of every frame, in pixels.
    package var dimensions: CMVideoDimensions
    /// The color space and the value range of luma.
    package var color: ColorDescription
    /// The frame duration assumed for rate control and level. The times of frames need not correspond to it.
    package var expectedFrameDuration: CMTime
    /// The target bit rate in bit/s; nil for constant quality.
    package var averageBitRate: Int?
    /// From 0 (smallest file) to 1 (best quality); nil for the default, at least 38 dB PSNR for camera frames.
    package var quality: Double?
    /// The maximum number of frames from one key frame to the next; nil for two seconds of frames.
    package var maximumKeyFrameInterval: Int?
    /// The maximum time from one key frame to the next; nil for no limit.
    package var maximumKeyFrameDuration: CMTime?
    /// The H.264 profile; nil lets the encoder choose.
    package var profile: Profile?
    /// The H.264 level, such as `3.1`; nil for the lowest possible.
    package var level: String?
    /// The H.264 entropy coding; nil lets the encoder choose.
    package var entropyMode: EntropyMode?
    /// The pixel aspect ratio; nil for square pixels.
    package var pixelAspectRatio: PixelAspectRatio?
    /// Whether the decode order may differ from the presentation order (B-frames).
    package var allowsFrameReordering: Bool
    /// Whether every second frame is droppable, for high frame rates.
    ///
    /// Supported by HEVC and by the Main and High profiles of H.264. Reference frames and non-reference B-frames
    /// alternate, in groups of pictures with an even number of frames.
    package var alternatesDroppableFrames = false
    /// Whether each sample is complete as soon as its frame is encoded. Requires a thread count of 1, and supports no frame
    /// reordering.
    package var isLowDelay = false
    /// The bits per component: 8, or 10 for HEVC (profile Main 10). ProRes ignores it and uses 10.
    package var bitsPerComponent = 8
    /// Whether the stream is one picture (profile Main Still Picture of HEVC), as in HEIF files.
    package var isStillPicture = false
    /// Whether the frames have one component (HEVC with 8 bits); their pixel format is 'L008'.
    package var isMonochrome = false
    /// The number of encoder threads. The output depends on it, so it is never derived from the machine.
    package var threadCount: Int

    /// Creates settings.
    package init(
        codec: VideoSampleFormat.Codec, dimensions: CMVideoDimensions,
        color: ColorDescription = .bt709(isFullRange: false),
        expectedFrameDuration: CMTime = CMTime(value: 1, timescale: 30),
        averageBitRate: Int? = nil, quality: Double? = nil, maximumKeyFrameInterval: Int? = nil,
        maximumKeyFrameDuration: CMTime? = nil, profile: Profile? = nil, level: String? = nil,
        entropyMode: EntropyMode? = nil, pixelAspectRatio: PixelAspectRatio? = nil,
        allowsFrameReordering: Bool = false, threadCount: Int = 2
    ) {
        self.codec = codec
        self.dimensions = dimensions
        self.color = color
        self.expectedFrameDuration = expectedFrameDuration
        self.averageBitRate = averageBitRate
        self.quality = quality
        self.maximumKeyFrameInterval = maximumKeyFrameInterval
        self.maximumKeyFrameDuration = maximumKeyFrameDuration
        self.profile = profile
        self.level = level
        self.entropyMode = entropyMode
        self.pixelAspectRatio = pixelAspectRatio
        self.allowsFrameReordering = allowsFrameReordering
        self.threadCount = threadCount
    }

    /// The frame rate assumed for rate control.
    var expectedFrameRate: Double {
        let seconds = expectedFrameDuration.seconds
        return seconds.isFinite && seconds > 0 ? min(max(1 / seconds, 1), 1000) : 30
    }

    /// The constant rate factor of x264 and x265: quality 0 maps to 44, 0.5 to 28 and 1 to 12.
    /// The defaults were chosen by measuring the PSNR that `quality` documents.
    var rateFactor: Double {
        guard let quality else { return codec == .hevc ? 21 : 20 }
        return 44 - 32 * min(max(quality, 0), 1)
    }

    /// The maximum number of frames from one key frame to the next. If every second frame is droppable, it is an even
    /// number.
    var keyFrameInterval: Int {
        let interval = maximumKeyFrameInterval ?? Int((2 * expectedFrameRate).rounded(.up))
        return alternatesFrames ? max(2, interval / 2 * 2) : interval
    }

    /// Whether every second frame is droppable: requested and supported by the codec.
    var alternatesFrames: Bool { alternatesDroppableFrames && !codec.isIntraOnly && profile != .baseline }

    /// The maximum number of consecutive B-frames.
    var reorderedFrameCount: Int { alternatesFrames ? 1 : allowsFrameReordering ? 2 : 0 }

    /// The number of frames by which the encoder may delay its output for rate control: at most a third of a second, so
    /// that the last frames of a fragment are written soon, and at most as many pixels as ten frames in 1080p have, so
    /// that larger frames need no more memory and no more time at the end of a recording.
    var lookahead: Int {
        guard !isLowDelay else { return 0 }
        let pixelCount = max(1, Int(dimensions.width) * Int(dimensions.height))
        return min(10, Int(expectedFrameRate / 3), max(1, 10 * 1920 * 1080 / pixelCount))
    }

    /// - Throws: `.invalidSettings` if the settings are contradictory or out of range.
    func check() throws(EncodingError) {
        let (width, height) = (dimensions.width, dimensions.height)
        guard width >= 16, height >= 16, width <= 16384, height <= 16384 else {
            throw EncodingError(.invalidSettings, "\(width)x\(height) cannot be encoded: use 16x16 to 16384x16384")
        }
        // ProRes 4444 does not subsample chroma. prores_ks omits the last chroma column of 4:2:2 with an odd width.
        guard width % 2 == 0 || codec == .proRes4444 || isMonochrome,
            height % 2 == 0 || codec.isIntraOnly || isMonochrome
        else {
            let sides = codec.isIntraOnly ? "width" : "width and height"
            throw EncodingError(
                .invalidSettings,
                "\(width)x\(height) does not fit the chroma subsampling of \(codec): use an even \(sides)")
        }
        guard expectedFrameDuration.isNumeric, expectedFrameDuration > .zero else {
            throw EncodingError(.invalidSettings, "the expected frame duration must be positive")
        }
        guard !isLowDelay || threadCount == 1 && reorderedFrameCount == 0 else {
            throw EncodingError(
                .invalidSettings, "an encoder without delay has one thread and does not reorder frames")
        }
        guard bitsPerComponent == 8 || bitsPerComponent == 10 && codec == .hevc else {
            throw EncodingError(
                .invalidSettings, "\(codec) cannot be encoded with \(bitsPerComponent) bits per component")
        }
        guard !isStillPicture && !isMonochrome || codec == .hevc else {
            throw EncodingError(.invalidSettings, "\(codec) has no still pictures and no monochrome frames: use HEVC")
        }
        guard !isMonochrome || bitsPerComponent == 8 else {
            throw EncodingError(.invalidSettings, "monochrome frames must have 8 bits per component")
        }
        if let rate = averageBitRate, rate < 1000 {
            throw EncodingError(
                .invalidSettings, "an average bit rate of \(rate) bit/s is too low: the minimum is 1000")
        }
        if let interval = maximumKeyFrameInterval, interval < 1 {
            throw EncodingError(.invalidSettings, "the key-frame interval must be at least 1, not \(interval)")
        }
        if let duration = maximumKeyFrameDuration, !(duration.isNumeric && duration > .zero) {
            throw EncodingError(.invalidSettings, "the time between key frames must be positive, not \(duration)")
        }
        if let ratio = pixelAspectRatio, ratio.horizontalSpacing < 1 || ratio.verticalSpacing < 1 {
            throw EncodingError(
                .invalidSettings,
                "the pixel aspect ratio \(ratio.horizontalSpacing):\(ratio.verticalSpacing) is invalid: both numbers "
                    + "must be positive")
        }
        if profile == .baseline, allowsFrameReordering || entropyMode == .cabac {
            throw EncodingError(
                .invalidSettings, "the H.264 Baseline profile supports neither frame reordering nor CABAC")
        }
        guard (1...64).contains(threadCount) else {
            throw EncodingError(.invalidSettings, "the thread count must be from 1 to 64, not \(threadCount)")
        }
    }
}
