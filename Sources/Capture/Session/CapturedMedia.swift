import CaptureHAL
import MediaCodecs
import MediaTypes
import PixelKernels

/// One frame or run of sound on its way through a session, shared by all outputs.
final class CapturedMedia: Sendable {
    enum Content: Sendable {
        case video(VideoFrame)
        case audio(AudioChunk)
    }

    let content: Content
    /// The native pixels, decoded at most once where the device delivers compressed pictures.
    private let decoded = Lock<Result<CVPixelBuffer, AVError>?>(nil)

    init(_ content: Content) { self.content = content }

    /// The frame's pixels in the device's format.
    ///
    /// - Throws: `AVError.decodeFailed` where a compressed picture is damaged.
    func pixelBuffer(of frame: VideoFrame) throws(AVError) -> CVPixelBuffer {
        switch frame.payload {
        case .pixels(let buffer): return buffer
        case .compressed(let data, let codec):
            let result = decoded.withLock { decoded in
                let result = decoded ?? Self.decode(data, codec)
                decoded = result
                return result
            }
            return try result.get()
        }
    }

    private static func decode(_ data: CMBlockBuffer, _ codec: OSType) -> Result<CVPixelBuffer, AVError> {
        guard codec == kCMVideoCodecType_JPEG else {
            return .failure(AVError(.decoderNotFound, "no decoder for frames of type \(fourCharacterText(codec))"))
        }
        do {
            return .success(try JPEGCodec().decode(data.dataBytes()).pixels)
        } catch {
            return .failure(AVError(.decodeFailed, "a JPEG frame is damaged: \(error)", cause: error))
        }
    }
}
