import CSimKernels
import CaptureHAL
import MediaTypes

/// Turns formed pictures into the format that a camera delivers.
///
/// Pictures are formed as 4:2:0 in two planes; cameras that deliver another format get them from one such canvas.
/// Confined to the turn of the stream's source.
final class NativePicture {
    /// By the measure of the Independent JPEG Group.
    private static let jpegQuality: Int32 = 85

    private let encoding: VideoStreamFormat.Encoding
    /// What pictures are formed in; nil where they are delivered as they are formed.
    private let canvas: CVPixelBuffer?
    private var bytes: [UInt8] = []

    /// What an encoding is formed from: 4:2:0 of video or of full range; nil where it cannot be made.
    static func formed(for encoding: VideoStreamFormat.Encoding) -> OSType? {
        switch encoding {
        case .pixels(let code):
            switch code {
            case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8,
                kCVPixelFormatType_422YpCbCr8_yuvs:
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_422YpCbCr8FullRange,
                kCVPixelFormatType_32BGRA:
                kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
            default: nil
            }
        case .compressed(let codec):
            codec == kCMVideoCodecType_JPEG ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : nil
        }
    }

    /// - Throws: `.outOfResources` where there is no memory, `.unsupportedFormat` where there is no such encoding.
    init(_ encoding: VideoStreamFormat.Encoding, width: Int, height: Int, device: String) throws(DeviceError) {
        guard let formed = Self.formed(for: encoding) else {
            throw DeviceError(.unsupportedFormat, device: device, "no picture is made in this encoding")
        }
        self.encoding = encoding
        guard encoding != .pixels(formed) else {
            canvas = nil
            return
        }
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            nil, width, height, formed, [kCVPixelBufferBytesPerRowAlignmentKey: 64], &buffer)
        guard let buffer else {
            throw DeviceError(.outOfResources, device: device, "there is no memory for pictures (CVReturn \(status))")
        }
        canvas = buffer
        if case .compressed = encoding {
            bytes = [UInt8](repeating: 0, count: Int(csim_jpeg_capacity(Int32(width), Int32(height))))
        }
    }

    /// What a picture is to be formed in that will be delivered in `target`.
    func surface(for target: CVPixelBuffer) -> CVPixelBuffer { canvas ?? target }

    /// The picture that was formed in the surface, as it is delivered.
    func payload(_ target: CVPixelBuffer) -> VideoFrame.Payload {
        guard let canvas else { return .pixels(target) }
        return withExtendedLifetime((canvas, target)) {
            var picture = csim_picture()
            let (luma, chroma) = (canvas.planes[0], canvas.planes[1])
            picture.width = Int32(canvas.width)
            picture.height = Int32(canvas.height)
            picture.luma = UnsafePointer(luma.baseAddress.assumingMemoryBound(to: UInt8.self))
            picture.lumaStride = Int32(luma.bytesPerRow)
            picture.chroma = UnsafePointer(chroma.baseAddress.assumingMemoryBound(to: UInt8.self))
            picture.chromaStride = Int32(chroma.bytesPerRow)
            if case .compressed(let codec) = encoding {
                let count = Int(csim_to_jpeg(&picture, Self.jpegQuality, &bytes))
                let data = bytes.withUnsafeBytes {
                    CMBlockBuffer(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                return .compressed(data, codec: codec)
            }
            let plane = target.planes[0]
            let out = plane.baseAddress.assumingMemoryBound(to: UInt8.self)
            if target.pixelFormat == kCVPixelFormatType_32BGRA {
                csim_to_bgra(&picture, out, Int32(plane.bytesPerRow))
            } else {
                let isChromaFirst = target.pixelFormat == kCVPixelFormatType_422YpCbCr8
                csim_to_422(&picture, out, Int32(plane.bytesPerRow), isChromaFirst ? 1 : 0)
            }
            return .pixels(target)
        }
    }
}
