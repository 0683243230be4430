import CLibAV
public import MediaTypes
import PixelKernels

extension VideoDecoder {
    /// Shows a frame in the memory that it was decoded to, tagged as `render` would tag it.
    ///
    /// Uncompressed video comes like this: the picture is the packet, and a copy would only cost.
    /// - Parameters:
    ///   - pixelFormat: 420v or 420f; others are never found in such memory.
    ///   - companion: Kept until the last user has let the picture go, and let go there, on any thread.
    /// - Returns: nil where the memory holds another layout or range, lies too oddly for fast reading, or belongs to
    ///   the decoder as well, so that writing there would spoil other frames.
    public func picture(
        _ frame: Frame, pixelFormat: OSType, with companion: any AnyObject & Sendable
    ) -> CVPixelBuffer? {
        let holder = frame.frame
        let picture = holder.pointer.pointee
        let format = AVPixelFormat(rawValue: picture.format)
        let isFullRange = picture.color_range == AVCOL_RANGE_JPEG || format.isFullRange
        let own =
            isFullRange
            ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        guard format == AV_PIX_FMT_NV12, pixelFormat == own, av_frame_is_writable(holder.pointer) > 0,
            let luma = plane(picture.data.0, picture.linesize.0, frame.width, frame.height),
            let chroma = plane(
                picture.data.1, picture.linesize.1, (frame.width + 1) / 2, (frame.height + 1) / 2)
        else { return nil }
        // SAFETY: from here on the frame is only freed, which any thread may do.
        nonisolated(unsafe) let held = Unmanaged.passRetained(holder)
        let pixels = CVPixelBuffer(
            width: frame.width, height: frame.height, pixelFormat: pixelFormat, planes: [luma, chroma]
        ) {
            held.release()
            withExtendedLifetime(companion) {}
        }
        guard let pixels else { return nil }
        let tags = ColorTags(picture)
        tags.apply(to: pixels)
        if tags.matrix == nil {
            let assumed = YCbCrEncoding.Matrix.assumed(height: frame.height)
            CVBufferSetAttachment(pixels, kCVImageBufferYCbCrMatrixKey, assumed.attachment, .shouldPropagate)
        }
        return pixels
    }

    /// A plane whose rows begin where vectors of 16 bytes can be read.
    private func plane(
        _ base: UnsafeMutablePointer<UInt8>?, _ stride: Int32, _ width: Int, _ height: Int
    ) -> PixelPlane? {
        guard let base, stride > 0, stride % 16 == 0, Int(bitPattern: base) % 16 == 0 else { return nil }
        return PixelPlane(
            baseAddress: UnsafeMutableRawPointer(base), width: width, height: height, bytesPerRow: Int(stride))
    }
}
