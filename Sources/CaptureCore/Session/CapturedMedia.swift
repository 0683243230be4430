import CaptureHAL
import MediaAssets
import MediaTypes

/// One frame or audio chunk that a session delivers, shared by all outputs.
///
/// Outputs share the conversions of the frame: each is done once.
final class CapturedMedia: @unchecked Sendable {
    // SAFETY: `conversions` is only used inside the converter's lock; the rest never changes.
    /// The media as the device delivered them.
    enum Content: Sendable {
        case video(VideoFrame)
        case audio(AudioChunk)
    }

    let content: Content
    /// The conversions of the frame so far; owned by the converter.
    var conversions = FrameConverter.Cache()
    /// Nil for audio.
    private let converter: FrameConverter?

    init(_ frame: VideoFrame, _ converter: FrameConverter) {
        content = .video(frame)
        self.converter = converter
    }

    init(_ chunk: AudioChunk) {
        content = .audio(chunk)
        converter = nil
    }

    /// The frame's pixels in the device's format.
    ///
    /// - Throws: `AVError.decodeFailed` if a compressed frame is damaged, `.outOfMemory` if all buffers are in use.
    func pixelBuffer(of frame: VideoFrame) throws(AVError) -> CVPixelBuffer {
        switch frame.payload {
        case .pixels(let buffer): return buffer
        case .compressed(let data, let codec):
            guard let converter else { throw AVError(.decoderNotFound, "audio has no pixels") }
            return try converter.decode(data, codec, for: self)
        }
    }

    /// The frame's pixels as an output requests them; nil if all buffers of that kind are in use.
    ///
    /// - Throws: As `pixelBuffer(of:)`, and `AVError.formatUnsupported` if the formats cannot be converted.
    func pixelBuffer(of frame: VideoFrame, as request: FrameConverter.Request) throws(AVError) -> CVPixelBuffer? {
        let source = try pixelBuffer(of: frame)
        guard let converter else { return source }
        return try converter.convert(source, request, for: self)
    }
}
