import CLibAV
public import MediaTypes

extension VideoDecoder {
    /// Creates a pixel buffer from a frame's own memory, without a copy, with the same attachments as `render`.
    ///
    /// This is possible for uncompressed video: the memory of the decoded frame is that of the packet.
    /// - Parameters:
    ///   - pixelFormat: 420v or 420f; other formats return nil.
    ///   - object: An object to retain until the pixel buffer is deallocated; released on any thread.
    /// - Returns: nil if the memory has another layout or range, is not aligned to 16 bytes, or is shared with the
    ///   decoder, so that writing to it would change other frames.
    public func pixelBuffer(
        _ frame: Frame, pixelFormat: OSType, retaining object: any AnyObject & Sendable
    ) -> CVPixelBuffer? {
        let mediaFrame = frame.frame
        let decoded = mediaFrame.pointer.pointee
        let format = AVPixelFormat(rawValue: decoded.format)
        let isFullRange = decoded.color_range == AVCOL_RANGE_JPEG || format.isFullRange
        let frameFormat =
            isFullRange
            ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        guard format == AV_PIX_FMT_NV12, pixelFormat == frameFormat, av_frame_is_writable(mediaFrame.pointer) > 0,
            let luma = plane(decoded.data.0, decoded.linesize.0, frame.width, frame.height),
            let chroma = plane(
                decoded.data.1, decoded.linesize.1, (frame.width + 1) / 2, (frame.height + 1) / 2)
        else { return nil }
        // SAFETY: from here on the frame is only freed, which is safe on any thread.
        nonisolated(unsafe) let retainedFrame = mediaFrame
        let memory = ExternalPixelMemory(
            width: frame.width, height: frame.height, pixelFormat: pixelFormat, planes: [luma, chroma]
        ) { withExtendedLifetime((retainedFrame, object)) {} }
        guard let pixels = memory?.makeBuffer() else { return nil }
        ColorTags(decoded).apply(to: pixels)
        return pixels
    }

    /// Returns a plane if its rows are aligned to 16 bytes, else nil.
    private func plane(
        _ base: UnsafeMutablePointer<UInt8>?, _ stride: Int32, _ width: Int, _ height: Int
    ) -> PixelPlane? {
        guard let base, stride > 0, stride % 16 == 0, Int(bitPattern: base) % 16 == 0 else { return nil }
        return PixelPlane(
            baseAddress: UnsafeMutableRawPointer(base), width: width, height: height, bytesPerRow: Int(stride))
    }
}
