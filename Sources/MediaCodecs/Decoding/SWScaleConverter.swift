import CLibAV
import PixelKernels

/// Converts pixel formats that `PixelConverter` does not read (4:2:2 and 4:4:4 planes, 10 bits and more, palettes) with
/// libswscale, without changing matrix or range.
///
/// - Important: Confined to one thread at a time.
final class SWScaleConverter {
    // Invariant: `scaler` is nil or configured for `key`.
    private var scaler: OpaquePointer?
    private var key: Key?
    private let memory = ImageMemory()

    private struct Key: Equatable {
        var width: Int32
        var height: Int32
        var format: Int32
        var target: AVPixelFormat
        var encoding: YCbCrEncoding
    }

    deinit { clibav_scaler_free(scaler) }

    /// Converts a frame to an image in this object's memory, valid until the next call.
    ///
    /// - Parameter keepsTenBits: Whether a Y'CbCr frame with more than 8 bits is converted to 10 bits instead of 8.
    func image(
        of decoded: UnsafeMutablePointer<AVFrame>, encoding: YCbCrEncoding, keepsTenBits: Bool
    ) throws(ImageError) -> PixelImage {
        let frame = decoded.pointee
        let format = AVPixelFormat(rawValue: frame.format)
        guard let description = av_pix_fmt_desc_get(format), sws_isSupportedInput(format) != 0 else {
            throw ImageError(.unsupportedFormat, "the decoder's pixel format \(frame.format) cannot be converted")
        }
        let isRGB = description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
        let isGray = description.pointee.nb_components <= 2 && !isRGB
        let (layout, target): (PixelLayout, AVPixelFormat) =
            if isRGB {
                (.rgb(.bgra), AV_PIX_FMT_BGRA)
            } else if !keepsTenBits || isGray || description.pointee.comp.0.depth <= 8 {
                (.biplanar420, AV_PIX_FMT_NV12)
            } else if description.pointee.log2_chroma_h > 0 {
                (.biplanar420x10, AV_PIX_FMT_P010LE)
            } else {
                (.biplanar422x10, AV_PIX_FMT_P210LE)
            }
        var encoding = encoding
        // Gray formats use the full range unless specified otherwise.
        if isGray && frame.color_range == AVCOL_RANGE_UNSPECIFIED { encoding.isFullRange = true }
        let image = memory.image(
            layout: layout, width: Int(frame.width), height: Int(frame.height), encoding: encoding)
        let scaler = try scaler(for: frame, encoding, target)
        var bases: [UnsafeMutablePointer<UInt8>?] = [image.planes.0.base, image.planes.1.base, nil, nil]
        if isRGB { bases[1] = nil }
        let strides: [Int32] = [Int32(image.planes.0.stride), isRGB ? 0 : Int32(image.planes.1.stride), 0, 0]
        let data = frame.data
        let sources = [data.0, data.1, data.2, data.3].map { plane in plane.map { UnsafePointer($0) } }
        let sourceStrides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
        let rows = clibav_scaler_convert(scaler, sources, sourceStrides, frame.height, bases, strides)
        guard rows == frame.height else {
            throw ImageError(.unsupportedFormat, "the decoder's pixel format \(frame.format) cannot be converted")
        }
        return image
    }

    private func scaler(
        for frame: AVFrame, _ encoding: YCbCrEncoding, _ target: AVPixelFormat
    ) throws(ImageError) -> OpaquePointer {
        let requested = Key(
            width: frame.width, height: frame.height, format: frame.format, target: target, encoding: encoding)
        if let scaler, key == requested { return scaler }
        clibav_scaler_free(scaler)
        scaler = nil
        guard
            let created = clibav_scaler_create(
                frame.width, frame.height, AVPixelFormat(rawValue: frame.format), target, encoding.isFullRange ? 1 : 0)
        else {
            throw ImageError(.unsupportedFormat, "the decoder's pixel format \(frame.format) cannot be converted")
        }
        scaler = created
        key = requested
        return created
    }
}
