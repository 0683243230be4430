import CTurboJPEG
public import Foundation
public import MediaTypes
public import PixelKernels

extension JPEGCodec {
    /// Reads only the header.
    ///
    /// - Throws: `.damaged`, `.unsupportedFormat` for CMYK images, or `.tooLarge`.
    public func header(of data: Data) throws(ImageError) -> Header {
        let (header, _) = try details(of: data)
        return header
    }

    /// Returns the header, and whether the components are Y'CbCr or gray.
    private func details(of data: Data) throws(ImageError) -> (Header, isYCbCr: Bool) {
        var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let result = data.withUnsafeBytes { bytes in
            tjDecompressHeader3(
                decompressor.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width,
                &height, &subsampling, &colorspace)
        }
        let failed = result != 0 && tjGetErrorCode(decompressor.pointer) != Int32(TJERR_WARNING.rawValue)
        guard !data.isEmpty, !failed, width > 0, height > 0 else {
            throw ImageError(.damaged, "the data is not a JPEG image: \(decompressor.message)")
        }
        guard colorspace != Int32(TJCS_CMYK.rawValue), colorspace != Int32(TJCS_YCCK.rawValue) else {
            throw ImageError(.unsupportedFormat, "CMYK JPEG images are not supported")
        }
        guard Int(width) * Int(height) <= Self.maximumPixelCount else {
            throw ImageError(.tooLarge, "\(width)x\(height) pixels exceed the maximum of \(Self.maximumPixelCount)")
        }
        let header = Header(
            width: Int(width), height: Int(height), subsampling: Subsampling(turboValue: subsampling))
        return (header, colorspace == Int32(TJCS_YCbCr.rawValue) || colorspace == Int32(TJCS_GRAY.rawValue))
    }

    /// Decodes into a new buffer of the image's size.
    ///
    /// - Throws: `.damaged`, `.unsupportedFormat`, `.tooLarge` or `.outOfMemory`. Truncated data results in an image
    ///   with a warning.
    public func decode(
        _ data: Data, pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ) throws(ImageError) -> Image {
        let header = try header(of: data)
        let pixels = try makeBuffer(header.width, header.height, pixelFormat)
        return Image(pixels: pixels, warning: try decode(data, into: pixels))
    }

    /// Decodes into a buffer, scaled if its size differs.
    ///
    /// - Returns: A description of the damage if the data could be decoded only partially, else nil.
    @discardableResult
    public func decode(
        _ data: Data, into pixels: CVPixelBuffer, _ transform: PixelTransform = .identity
    ) throws(ImageError) -> String? {
        let (header, isYCbCr) = try details(of: data)
        let (image, warning) = try decodeToMemory(data, header, isYCbCr: isYCbCr, scale: (1, 1))
        try converter.convert(image, to: pixels, transform)
        return warning
    }

    /// Decodes into the reused memory of this codec.
    ///
    /// - Parameter scale: One of libturbojpeg's scaling factors.
    /// - Returns: The image, valid until the next call, and the warning if the data could be decoded only partially.
    private func decodeToMemory(
        _ data: Data, _ header: Header, isYCbCr: Bool, scale: (numerator: Int, denominator: Int)
    ) throws(ImageError) -> (PixelImage, warning: String?) {
        let width = (header.width * scale.numerator + scale.denominator - 1) / scale.denominator
        let height = (header.height * scale.numerator + scale.denominator - 1) / scale.denominator
        let encoding = YCbCrEncoding(matrix: .bt601, isFullRange: true)
        let image: PixelImage
        let result: Int32
        if isYCbCr, header.subsampling == .chroma420 || header.subsampling == .gray {
            // libturbojpeg writes planes of even sizes.
            let layout: PixelLayout = header.subsampling == .gray ? .gray : .planar420
            var padded = memory.image(
                layout: layout, width: (width + 1) / 2 * 2, height: (height + 1) / 2 * 2, encoding: encoding)
            var bases: [UnsafeMutablePointer<UInt8>?] = [padded.planes.0, padded.planes.1, padded.planes.2].map(\.base)
            var strides = [padded.planes.0, padded.planes.1, padded.planes.2].map { Int32($0.stride) }
            result = data.withUnsafeBytes { bytes in
                tjDecompressToYUVPlanes(
                    decompressor.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count),
                    &bases, Int32(width), &strides, Int32(height), TJFLAG_ACCURATEDCT)
            }
            padded.width = width
            padded.height = height
            image = padded
        } else {
            image = memory.image(layout: .rgb(.bgra), width: width, height: height, encoding: encoding)
            result = data.withUnsafeBytes { bytes in
                tjDecompress2(
                    decompressor.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count),
                    image.planes.0.base, Int32(width), Int32(image.planes.0.stride), Int32(height), TJPF_BGRA.rawValue,
                    TJFLAG_ACCURATEDCT)
            }
        }
        guard result != 0 else { return (image, nil) }
        let message = decompressor.message
        guard tjGetErrorCode(decompressor.pointer) == Int32(TJERR_WARNING.rawValue) else {
            throw ImageError(.damaged, "the JPEG image cannot be decoded: \(message)")
        }
        return (image, message)
    }

    // MARK: Thumbnails

    /// Returns a smaller JPEG of the same image, without metadata. Its longer side has at most `maximumSide` pixels.
    ///
    /// - Parameter orientation: The orientation of the image according to its EXIF data; the thumbnail is upright.
    /// - Throws: As `decode`, and also `.damaged` for truncated data.
    public func thumbnail(
        of data: Data, maximumSide: Int, orientation: CGImagePropertyOrientation = .up,
        settings: Settings = Settings(quality: 80)
    ) throws(ImageError) -> Data {
        guard maximumSide >= 2 else {
            throw ImageError(.invalidInput, "a thumbnail of \(maximumSide) pixels is too small: the minimum is 2")
        }
        let (header, isYCbCr) = try details(of: data)
        let longer = max(header.width, header.height)
        // Decoding at a scale of 1/8, 1/4 or 1/2 is faster. The converter then scales to the final size, with better
        // quality.
        let denominator = [8, 4, 2].first { longer / $0 >= maximumSide } ?? 1
        let (image, warning) = try decodeToMemory(data, header, isYCbCr: isYCbCr, scale: (1, denominator))
        // libturbojpeg fills missing parts of the image with gray. Its other warnings concern superfluous bytes.
        if let warning, warning.lowercased().contains("premature end") {
            throw ImageError(.damaged, "the JPEG data is truncated: \(warning)")
        }
        let side = min(maximumSide, longer)
        func scaled(_ length: Int) -> Int { max(1, (length * side + longer / 2) / longer) }
        let swapsSides = orientation.rotation.swapsWidthAndHeight
        let (width, height) = (scaled(header.width), scaled(header.height))
        let pixels = try makeBuffer(
            swapsSides ? height : width, swapsSides ? width : height, kCVPixelFormatType_420YpCbCr8PlanarFullRange)
        CVBufferSetAttachment(
            pixels, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
        try converter.convert(
            image, to: pixels,
            PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored))
        return try encode(pixels, settings: settings)
    }

    private func makeBuffer(_ width: Int, _ height: Int, _ pixelFormat: OSType) throws(ImageError) -> CVPixelBuffer {
        var pixels: CVPixelBuffer?
        let result = CVPixelBufferCreate(nil, width, height, pixelFormat, nil, &pixels)
        guard result == kCVReturnSuccess, let pixels else {
            throw ImageError(
                .outOfMemory, "no pixel buffer of \(width)x\(height) could be created (CVReturn \(result))")
        }
        return pixels
    }
}
