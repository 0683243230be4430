import CaptureHAL
import MediaAssets
import MediaTypes

/// One frame or run of sound on its way through a session, shared by all outputs.
///
/// What one output has made of the frame is there for the others, too.
final class CapturedMedia: @unchecked Sendable {
    // SAFETY: `products` is touched inside the converter's lock only; the rest never changes.
    enum Content: Sendable {
        case video(VideoFrame)
        case audio(AudioChunk)
    }

    let content: Content
    /// What was made of the frame so far; the converter's.
    var products = FrameConverter.Products()
    /// Nil for sound.
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
    /// - Throws: `AVError.decodeFailed` where a compressed picture is damaged, `.outOfMemory` where all buffers are held.
    func pixelBuffer(of frame: VideoFrame) throws(AVError) -> CVPixelBuffer {
        switch frame.payload {
        case .pixels(let buffer): return buffer
        case .compressed(let data, let codec):
            guard let converter else { throw AVError(.decoderNotFound, "sound has no pictures") }
            return try converter.decode(data, codec, for: self)
        }
    }

    /// The frame's pixels as an output asks for them; nil where all buffers of that kind are held.
    ///
    /// - Throws: As `pixelBuffer(of:)`, and `AVError.formatUnsupported` where the formats cannot be converted.
    func pixelBuffer(of frame: VideoFrame, as request: FrameConverter.Request) throws(AVError) -> CVPixelBuffer? {
        let source = try pixelBuffer(of: frame)
        guard let converter else { return source }
        return try converter.convert(source, request, for: self)
    }
}
