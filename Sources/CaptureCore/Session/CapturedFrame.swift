import AssetTypes
import CaptureHAL
import MediaTypes

/// One frame that a session delivers, shared by all outputs.
///
/// Outputs share the conversions of the frame: each is done once.
final class CapturedFrame: @unchecked Sendable {
    // SAFETY: `conversions` is only used inside the converter's lock; all other state is immutable.
    /// The frame with corrected timestamps; its image may be blackened or stabilized.
    let content: VideoFrame
    /// The conversions of the frame so far; guarded by the converter's lock.
    var conversions = FrameConverter.Cache()
    private let converter: FrameConverter

    init(_ content: consuming VideoFrame, _ converter: FrameConverter) {
        self.content = content
        self.converter = converter
    }

    /// Returns a copy with another image, such as a stabilized one. It shares no conversions with this frame.
    func replacingPayload(_ payload: VideoFrame.Payload) -> CapturedFrame {
        var content = content
        content.payload = payload
        return replacingContent(content)
    }

    /// Returns a frame with other content, such as a still. It shares no conversions with this frame.
    func replacingContent(_ content: VideoFrame) -> CapturedFrame { CapturedFrame(content, converter) }

    var presentationTime: CMTime { content.presentationTime }
    var duration: CMTime { content.duration }

    /// The timing of the frame's sample.
    var timing: CMSampleTimingInfo {
        CMSampleTimingInfo(
            duration: content.duration, presentationTimeStamp: content.presentationTime, decodeTimeStamp: .invalid)
    }

    /// Returns the frame's pixels in the device's format.
    ///
    /// - Throws: `AVError.decodeFailed` if a compressed frame is damaged, `.decoderNotFound`, or `.outOfMemory` if all
    ///   buffers for decoded frames are in use.
    func pixelBuffer() throws(AVError) -> CVPixelBuffer {
        switch content.payload {
        case .pixels(let buffer): return buffer
        case .compressed(let data, let codec): return try converter.decode(data, codec, for: self)
        }
    }

    /// Returns the frame's pixels as an output requests them; nil if all buffers of that kind are in use.
    ///
    /// - Throws: As `pixelBuffer()`, and `AVError.formatUnsupported` if the formats cannot be converted.
    func pixelBuffer(as request: FrameConverter.Request) throws(AVError) -> CVPixelBuffer? {
        try converter.convert(pixelBuffer(), request, for: self)
    }
}
