import CSimKernels
import CaptureHAL
import MediaTypes

/// Converts rendered frames to the format that a camera delivers.
///
/// Frames are rendered as 4:2:0 in two planes. For other formats the encoder owns an intermediate buffer. Confined to
/// the stream's generator.
final class NativeFrameEncoder {
    /// Quality factor as defined by the Independent JPEG Group.
    static let jpegQuality: Int32 = 85

    private let encoding: VideoStreamFormat.Encoding
    /// The intermediate buffer; nil if frames are delivered in the rendered format.
    private let intermediate: CVPixelBuffer?
    /// The output buffer of the JPEG encoder; empty for other encodings.
    private var jpegBytes: [UInt8] = []

    /// Returns the pixel format in which frames of an encoding are rendered: 4:2:0 in two planes with the encoding's
    /// range and bits. Nil if the encoding is not supported.
    static func renderedFormat(for encoding: VideoStreamFormat.Encoding) -> OSType? {
        switch encoding {
        case .pixels(let code):
            switch code {
            case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8,
                kCVPixelFormatType_422YpCbCr8_yuvs:
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_422YpCbCr8FullRange,
                kCVPixelFormatType_32BGRA:
                kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
            case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange:
                kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
            case kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, kCVPixelFormatType_422YpCbCr10BiPlanarFullRange:
                kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
            default: nil
            }
        case .compressed(let codec):
            codec == kCMVideoCodecType_JPEG ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : nil
        }
    }

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - width: In pixels, even.
    ///   - height: In pixels, even.
    ///   - device: The device's ID, for errors.
    /// - Throws: `.outOfResources` if memory cannot be allocated, `.unsupportedFormat` if the encoding has no rendered
    ///   format.
    init(_ encoding: VideoStreamFormat.Encoding, width: Int, height: Int, device: String) throws(DeviceError) {
        guard let rendered = Self.renderedFormat(for: encoding) else {
            throw DeviceError(.unsupportedFormat, device: device, "frames cannot be delivered in this encoding")
        }
        self.encoding = encoding
        guard encoding != .pixels(rendered) else {
            intermediate = nil
            return
        }
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            nil, width, height, rendered, [kCVPixelBufferBytesPerRowAlignmentKey: 64], &buffer)
        guard let buffer else {
            throw DeviceError(.outOfResources, device: device, "cannot create a pixel buffer (CVReturn \(status))")
        }
        intermediate = buffer
        if case .compressed = encoding {
            jpegBytes = [UInt8](repeating: 0, count: Int(csim_jpeg_capacity(Int32(width), Int32(height))))
        }
    }

    /// Returns the buffer to render into, for a frame that will be delivered in `target`.
    func renderTarget(for target: CVPixelBuffer) -> CVPixelBuffer { intermediate ?? target }

    /// Converts the frame in `renderTarget(for: target)` to the delivered format.
    ///
    /// Uncompressed frames are written to `target`, a JPEG to new memory.
    func encode(into target: CVPixelBuffer) -> VideoFrame.Payload {
        guard let intermediate else { return .pixels(target) }
        // The pointers to planes do not retain the buffers.
        return withExtendedLifetime((intermediate, target)) {
            var image = csim_image()
            let (luma, chroma) = (intermediate.planes[0], intermediate.planes[1])
            image.width = Int32(intermediate.width)
            image.height = Int32(intermediate.height)
            image.luma = UnsafePointer(luma.baseAddress.assumingMemoryBound(to: UInt8.self))
            image.lumaStride = Int32(luma.bytesPerRow)
            image.chroma = UnsafePointer(chroma.baseAddress.assumingMemoryBound(to: UInt8.self))
            image.chromaStride = Int32(chroma.bytesPerRow)
            if case .compressed(let codec) = encoding {
                let count = Int(csim_to_jpeg(&image, Self.jpegQuality, &jpegBytes))
                let data = jpegBytes.withUnsafeBytes {
                    CMBlockBuffer(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                return .compressed(data, codec: codec)
            }
            if intermediate.format.bitsPerComponent > 8 {
                copyWithDoubledChroma(intermediate, to: target)
                return .pixels(target)
            }
            let plane = target.planes[0]
            let out = plane.baseAddress.assumingMemoryBound(to: UInt8.self)
            if target.pixelFormat == kCVPixelFormatType_32BGRA {
                csim_to_bgra(&image, out, Int32(plane.bytesPerRow))
            } else {
                let isChromaFirst = target.pixelFormat == kCVPixelFormatType_422YpCbCr8
                csim_to_422(&image, out, Int32(plane.bytesPerRow), isChromaFirst ? 1 : 0)
            }
            return .pixels(target)
        }
    }

    /// Copies 4:2:0 to 4:2:2 in two planes. Each row of chroma is duplicated.
    private func copyWithDoubledChroma(_ source: CVPixelBuffer, to target: CVPixelBuffer) {
        for (plane, divisor) in [(0, 1), (1, 2)] {
            let (from, to) = (source.planes[plane], target.planes[plane])
            let byteCount = min(from.bytesPerRow, to.bytesPerRow)
            for row in 0..<to.height {
                (to.baseAddress + row * to.bytesPerRow).copyMemory(
                    from: from.baseAddress + row / divisor * from.bytesPerRow, byteCount: byteCount)
            }
        }
    }
}
