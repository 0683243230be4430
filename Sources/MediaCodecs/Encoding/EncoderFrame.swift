import CLibAV
import MediaTypes
import PixelKernels

/// Wraps a pixel buffer in a libavcodec frame, without a copy if the encoder supports its layout.
///
/// - Important: Confined to one thread at a time.
final class EncoderFrame {
    private let frame: UnsafeMutablePointer<AVFrame>
    private let settings: VideoEncoderSettings
    /// The pixel format to which buffers of other formats are converted first.
    private let pixelFormat: OSType
    private let converter = PixelConverter()
    private var conversionPool: CVPixelBufferPool?

    init(_ settings: VideoEncoderSettings) throws(EncodingError) {
        try LibAV.requireForEncoding()
        guard let frame = av_frame_alloc() else {
            throw EncodingError(.codecFailed, "memory ran out while allocating a frame")
        }
        self.frame = frame
        self.settings = settings
        pixelFormat = settings.inputPixelFormat
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Returns a frame with the buffer's planes, valid until `release`; the encoder may retain the planes longer.
    func wrap(_ buffer: CVPixelBuffer) throws(EncodingError) -> UnsafeMutablePointer<AVFrame> {
        let (width, height) = (Int(settings.dimensions.width), Int(settings.dimensions.height))
        guard buffer.width == width, buffer.height == height else {
            throw EncodingError(
                .formatMismatch,
                "a frame of \(buffer.width)x\(buffer.height) does not fit an encoder for \(width)x\(height)")
        }
        let source = buffer.pixelFormat == pixelFormat && hasMatrix(buffer) ? buffer : try convert(buffer)
        av_frame_unref(frame)
        frame.pointee.width = Int32(width)
        frame.pointee.height = Int32(height)
        frame.pointee.format = settings.pixelFormat.rawValue
        frame.pointee.color_range =
            settings.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        guard source.format.bitsPerComponent == 8 else {
            try copyComponents(of: source)
            return frame
        }
        let retainedSource = Unmanaged.passRetained(source)
        let planes = source.planes
        frame.pointee.buf.0 = av_buffer_create(
            planes[0].baseAddress.assumingMemoryBound(to: UInt8.self), planes[0].bytesPerRow * planes[0].height,
            { opaque, _ in
                guard let opaque else { return }
                Unmanaged<CVPixelBuffer>.fromOpaque(opaque).release()
            }, retainedSource.toOpaque(), AV_BUFFER_FLAG_READONLY)
        guard frame.pointee.buf.0 != nil else {
            retainedSource.release()
            throw EncodingError(.codecFailed, "memory ran out while allocating a frame")
        }
        withUnsafeMutableBytes(of: &frame.pointee.data) { data in
            let pointers = data.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
            for (index, plane) in planes.enumerated() {
                pointers[index] = plane.baseAddress.assumingMemoryBound(to: UInt8.self)
            }
        }
        withUnsafeMutableBytes(of: &frame.pointee.linesize) { sizes in
            let counts = sizes.bindMemory(to: Int32.self)
            for (index, plane) in planes.enumerated() { counts[index] = Int32(plane.bytesPerRow) }
        }
        return frame
    }

    /// Copies the components of a 10-bit buffer to planes that the frame allocates.
    private func copyComponents(of source: CVPixelBuffer) throws(EncodingError) {
        guard av_frame_get_buffer(frame, 0) >= 0, let luma = frame.pointee.data.0, let cb = frame.pointee.data.1,
            let cr = frame.pointee.data.2
        else { throw EncodingError(.codecFailed, "memory ran out while allocating a frame") }
        // The ProRes encoder writes the color description of the frame to the frame header, not that of the context.
        frame.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(settings.color.primaries))
        frame.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(settings.color.transfer))
        frame.pointee.colorspace = AVColorSpace(rawValue: UInt32(settings.color.matrix))
        let (data, strides) = ([luma, cb, cr], frame.pointee.linesize)
        let planes = zip(data, [strides.0, strides.1, strides.2]).map { ImagePlane(base: $0, stride: Int($1)) }
        do throws(ImageError) {
            try converter.copyComponents(of: source, to: planes, hasFullChroma: settings.codec == .proRes4444)
        } catch {
            throw EncodingError(.formatMismatch, error.description)
        }
    }

    /// Releases this object's reference to the buffer.
    func release() { av_frame_unref(frame) }

    /// Whether a buffer has the matrix of the encoder's color description, or none.
    private func hasMatrix(_ buffer: CVPixelBuffer) -> Bool {
        guard let attached = YCbCrEncoding.Matrix.attached(to: buffer) else { return true }
        return YCbCrEncoding.Matrix(codePoint: Int32(settings.color.matrix)).map { $0 == attached } ?? true
    }

    private func convert(_ buffer: CVPixelBuffer) throws(EncodingError) -> CVPixelBuffer {
        if conversionPool == nil {
            conversionPool = CVPixelBufferPool(
                width: Int(settings.dimensions.width), height: Int(settings.dimensions.height),
                pixelFormat: pixelFormat, maximumBufferCount: 8, name: "of an encoder")
        }
        guard let copy = conversionPool?.makeBuffer() else {
            throw EncodingError(.codecFailed, "memory ran out while converting a frame")
        }
        // Y'CbCr without a matrix has that of the settings, so only its layout changes.
        let isUntagged = buffer.format.model == .yCbCr && YCbCrEncoding.Matrix.attached(to: buffer) == nil
        if !isUntagged, let matrix = CVYCbCrMatrixGetStringForIntegerCodePoint(Int32(settings.color.matrix)) {
            CVBufferSetAttachment(copy, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
        } else {
            CVBufferRemoveAttachment(copy, kCVImageBufferYCbCrMatrixKey)
        }
        do {
            try converter.convert(buffer, to: copy)
        } catch {
            throw EncodingError(.formatMismatch, error.description)
        }
        return copy
    }
}

extension VideoEncoderSettings {
    /// The pixel format of the encoder.
    var pixelFormat: AVPixelFormat {
        switch codec {
        case .h264: AV_PIX_FMT_NV12
        case .hevc where isMonochrome: AV_PIX_FMT_GRAY8
        case .hevc: bitsPerComponent == 10 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
        case .jpeg: AV_PIX_FMT_YUVJ420P
        case .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ: AV_PIX_FMT_YUV422P10LE
        case .proRes4444: AV_PIX_FMT_YUV444P10LE
        }
    }

    /// The pixel format to which buffers of other formats are converted first.
    fileprivate var inputPixelFormat: OSType {
        let isFullRange = color.isFullRange
        switch pixelFormat {
        case AV_PIX_FMT_NV12:
            return isFullRange
                ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case AV_PIX_FMT_YUV420P10LE:
            return isFullRange
                ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange : kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        case AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE:
            return isFullRange
                ? kCVPixelFormatType_422YpCbCr10BiPlanarFullRange : kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
        case AV_PIX_FMT_GRAY8: return kCVPixelFormatType_OneComponent8
        // JPEG uses the full range (JFIF 1.02).
        case AV_PIX_FMT_YUVJ420P: return kCVPixelFormatType_420YpCbCr8PlanarFullRange
        default:
            return isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
        }
    }
}
