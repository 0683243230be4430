package import MediaTypes

/// What a video encoder is made for.
package struct VideoEncoderSettings: Sendable, Hashable {
    package enum Profile: String, Sendable, Hashable, CaseIterable {
        case baseline, main, high
    }

    /// How H.264 writes its numbers (ITU-T H.264, 9.2 and 9.3).
    package enum EntropyMode: String, Sendable, Hashable, CaseIterable {
        case cavlc, cabac
    }

    package var codec: VideoSampleFormat.Codec
    /// The size of every picture, in pixels.
    package var dimensions: CMVideoDimensions
    /// Whether luma uses 0…255, and the colours' meaning where known.
    package var color: ColorDescription
    /// The time between frames to reckon with for rate control and level; frames may come at any times.
    package var expectedFrameDuration: CMTime
    /// Bits a second to aim at; nil for constant quality.
    package var averageBitRate: Int?
    /// From 0, small, to 1, hardly distinguishable; nil for the default, at least 38 dB PSNR for camera pictures.
    package var quality: Double?
    /// The most frames from one key frame to the next; nil for what two seconds hold.
    package var maximumKeyFrameInterval: Int?
    /// The most time from one key frame to the next, as frames come; nil for no such limit.
    package var maximumKeyFrameDuration: CMTime?
    /// H.264 only; nil lets the encoder choose.
    package var profile: Profile?
    /// H.264 only, as `3.1`; nil for the least that the pictures need.
    package var level: String?
    /// H.264 only; nil lets the encoder choose.
    package var entropyMode: EntropyMode?
    /// The shape of a pixel, width to height, where it is not square.
    package var pixelAspectRatio: CMVideoDimensions?
    /// Whether frames may be coded in another order than shown (B-frames).
    package var allowsFrameReordering: Bool
    /// Whether every second frame is one that no other needs, so that half of them can be left out: at high rates.
    ///
    /// H.264 from the Main profile on, and HEVC: a B-frame between each two others, in groups of even length.
    package var alternatesDroppableFrames = false
    /// Another count gives other bytes, so it is never taken from the machine.
    package var threadCount: Int

    package init(
        codec: VideoSampleFormat.Codec, dimensions: CMVideoDimensions,
        color: ColorDescription = .bt709(isFullRange: false),
        expectedFrameDuration: CMTime = CMTime(value: 1, timescale: 30),
        averageBitRate: Int? = nil, quality: Double? = nil, maximumKeyFrameInterval: Int? = nil,
        maximumKeyFrameDuration: CMTime? = nil, profile: Profile? = nil, level: String? = nil,
        entropyMode: EntropyMode? = nil, pixelAspectRatio: CMVideoDimensions? = nil,
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

    /// Frames a second to reckon with.
    var expectedFrameRate: Double {
        let seconds = expectedFrameDuration.seconds
        return seconds.isFinite && seconds > 0 ? min(max(1 / seconds, 1), 1000) : 30
    }

    /// The constant rate factor of x264 and x265: 0.5 gives 28, 1 gives 12; the default was measured.
    var rateFactor: Double {
        guard let quality else { return codec == .hevc ? 21 : 20 }
        return 44 - 32 * min(max(quality, 0), 1)
    }

    /// The most frames from one key frame to the next, even where every second is droppable.
    var keyFrameInterval: Int {
        let interval = maximumKeyFrameInterval ?? Int((2 * expectedFrameRate).rounded(.up))
        return alternatesFrames ? max(2, interval / 2 * 2) : interval
    }

    /// Whether the codec can do what `alternatesDroppableFrames` asks for.
    var alternatesFrames: Bool { alternatesDroppableFrames && codec != .jpeg && profile != .baseline }

    /// The most B-frames in a row.
    var reorderedFrameCount: Int { alternatesFrames ? 1 : allowsFrameReordering ? 2 : 0 }

    /// Frames that the encoder may hold back to plan its bits: at most a third of a second, so that a fragment's last
    /// frames reach the file soon.
    var lookahead: Int { min(10, Int(expectedFrameRate / 3)) }

    func check() throws(EncodingError) {
        let (width, height) = (dimensions.width, dimensions.height)
        guard width >= 16, height >= 16, width <= 16384, height <= 16384 else {
            throw EncodingError(.invalidSettings, "\(width)x\(height) cannot be encoded; from 16x16 to 16384x16384 can")
        }
        guard width % 2 == 0, height % 2 == 0 || codec == .jpeg else {
            throw EncodingError(.invalidSettings, "\(width)x\(height) cannot be encoded in 4:2:0; use even sides")
        }
        guard expectedFrameDuration.isNumeric, expectedFrameDuration > .zero else {
            throw EncodingError(.invalidSettings, "the expected frame duration must be positive")
        }
        if let rate = averageBitRate, rate < 1000 {
            throw EncodingError(.invalidSettings, "an average bit rate of \(rate) bit/s is too low; 1000 is the least")
        }
        if let interval = maximumKeyFrameInterval, interval < 1 {
            throw EncodingError(.invalidSettings, "the key-frame interval must be at least 1, not \(interval)")
        }
        if let duration = maximumKeyFrameDuration, !(duration.isNumeric && duration > .zero) {
            throw EncodingError(.invalidSettings, "the time between key frames must be positive, not \(duration)")
        }
        if let ratio = pixelAspectRatio, ratio.width < 1 || ratio.height < 1 {
            throw EncodingError(
                .invalidSettings, "a pixel cannot have the shape \(ratio.width):\(ratio.height); both must be positive")
        }
        if profile == .baseline, allowsFrameReordering || entropyMode == .cabac {
            throw EncodingError(.invalidSettings, "H.264's Baseline profile has neither frame reordering nor CABAC")
        }
        guard (1...64).contains(threadCount) else {
            throw EncodingError(.invalidSettings, "the thread count must be from 1 to 64, not \(threadCount)")
        }
    }
}
