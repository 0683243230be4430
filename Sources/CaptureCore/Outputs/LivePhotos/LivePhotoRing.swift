import AssetTypes
import CaptureHAL
import MediaCodecs
import MediaTypes

/// The encoded frames and the audio of the last seconds, from which the movies of Live Photos are cut.
///
/// Invariant: `frames` is empty or begins with a key frame.
struct LivePhotoRing {
    /// The codec of the frames.
    private(set) var codec = VideoSampleFormat.Codec.h264
    /// The frames in order of time, with times on the clock of the media.
    private(set) var frames: [EncodedSample] = []
    /// Copies of the audio chunks in order of time; the buffers of the device are not retained.
    private(set) var audio: [AudioChunk] = []
    /// The movement in the frames.
    private(set) var motion = MotionTrace()
    private var encoder: VideoEncoder?
    private var limiter = FrameRateLimiter()

    /// The maximum size of the frames.
    private static let sizing = VideoDataSizing(requested: (width: 1440, height: 1080))
    /// 30 frames per second.
    private static let frameInterval = CMTime(value: 1, timescale: 30)

    /// Returns the size of the movie of a camera's frames.
    static func movieSize(of frame: CMVideoDimensions) -> CMVideoDimensions {
        let size = sizing.size(of: (Int(frame.width), Int(frame.height)))
        return CMVideoDimensions(width: Int32(size.width) & ~1, height: Int32(size.height) & ~1)
    }

    /// The format of the frames; nil before the first one.
    var format: VideoSampleFormat? { encoder?.format }

    /// The expected duration of a frame.
    var frameDuration: CMTime { encoder?.settings.expectedFrameDuration ?? Self.frameInterval }

    /// The end of the last frame; invalid without frames.
    var end: CMTime { frames.last.map { $0.presentationTime + $0.duration } ?? .invalid }

    /// The end of the last audio; invalid without audio.
    var audioEnd: CMTime { audio.last.map { $0.presentationTime + $0.duration } ?? .invalid }

    /// Whether a frame continues the earlier ones: it has the same size and color.
    func accepts(_ pixels: CVPixelBuffer) -> Bool {
        guard let settings = encoder?.settings else { return true }
        let size = CMVideoDimensions(
            width: Int32(CVPixelBufferGetWidth(pixels)), height: Int32(CVPixelBufferGetHeight(pixels)))
        return settings.dimensions.pixelSize == size.pixelSize && settings.color == ColorDescription(of: pixels)
    }

    /// Whether to encode a frame: at most 30 per second.
    mutating func isDue(_ frame: CapturedFrame) -> Bool {
        limiter.accepts(frame.presentationTime, duration: frame.duration, interval: Self.frameInterval)
    }

    /// Encodes a frame of the movie's size.
    ///
    /// - Throws: `EncodingError`; the ring is then empty.
    mutating func append(_ pixels: CVPixelBuffer, at time: CMTime, duration: CMTime) throws(EncodingError) {
        do throws(EncodingError) {
            let encoder = if let encoder { encoder } else { try makeEncoder(pixels, duration) }
            self.encoder = encoder
            let length = duration.isNumeric && duration > .zero ? max(duration, frameDuration) : frameDuration
            frames += try encoder.encode(pixels, at: time, duration: length)
        } catch {
            removeAll()
            throw error
        }
        motion.append(pixels, at: time)
    }

    /// Adds audio.
    mutating func append(_ chunk: AudioChunk) {
        guard let bytes = try? chunk.data.dataBytes() else { return }
        var copy = chunk
        copy.data = CMBlockBuffer(copying: bytes)
        audio.append(copy)
    }

    /// Removes media that no movie from `time` on needs: up to the last key frame at or before `time`.
    mutating func removeMedia(before time: CMTime) {
        let first = frames.lastIndex { $0.isKeyFrame && $0.presentationTime <= time }
        if let first, first > 0 { frames.removeFirst(first) }
        let old = audio.prefix { $0.presentationTime + $0.duration <= time }.count
        if old > 0 { audio.removeFirst(old) }
        motion.remove(before: time)
    }

    /// Removes all media and closes the encoder, so that the next frame is a key frame and the encoder keeps no earlier one.
    mutating func removeAll() {
        (frames, audio, motion, encoder) = ([], [], MotionTrace(), nil)
        limiter = FrameRateLimiter()
    }

    /// Selects the codec of the next frames; frames with another one are removed.
    mutating func setCodec(_ codec: VideoSampleFormat.Codec) {
        guard codec != self.codec else { return }
        removeAll()
        self.codec = codec
    }

    private func makeEncoder(_ pixels: CVPixelBuffer, _ duration: CMTime) throws(EncodingError) -> VideoEncoder {
        let expected = duration.isNumeric && duration > .zero ? max(duration, Self.frameInterval) : Self.frameInterval
        var settings = VideoEncoderSettings(
            codec: codec,
            dimensions: CMVideoDimensions(
                width: Int32(CVPixelBufferGetWidth(pixels)), height: Int32(CVPixelBufferGetHeight(pixels))),
            color: ColorDescription(of: pixels), expectedFrameDuration: expected,
            // A movie can begin half a second before its first presented frame.
            maximumKeyFrameInterval: max(1, Int((0.5 / expected.seconds).rounded())), threadCount: 1)
        settings.isLowDelay = true
        return try VideoEncoder(settings)
    }
}
