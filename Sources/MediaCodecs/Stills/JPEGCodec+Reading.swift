import CTurboJPEG
public import Foundation
public import MediaTypes
public import PixelKernels

extension JPEGCodec {
    /// The colors of the components of an image.
    private enum Colors {
        /// Y'CbCr or gray.
        case yCbCr
        case rgb
        /// Cyan, magenta, yellow and black, also as Y'CbCr with black (YCCK).
        case cmyk
    }

    /// Reads only the header.
    ///
    /// - Throws: `.damaged`, `.unsupportedFormat` for samples with more than 8 bits, or `.tooLarge`.
    public func header(of data: Data) throws(ImageError) -> Header {
        let (header, _) = try details(of: data)
        return header
    }

    /// Returns the header, and the colors of the components.
    private func details(of data: Data) throws(ImageError) -> (Header, Colors) {
        var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let result = data.withUnsafeBytes { bytes in
            tjDecompressHeader3(
                decompressor.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width,
                &height, &subsampling, &colorspace)
        }
        let failed = result != 0 && tjGetErrorCode(decompressor.pointer) != Int32(TJERR_WARNING.rawValue)
        if data.isEmpty || failed || width <= 0 || height <= 0 {
            return try detailsOfUnusualSubsampling(data, message: decompressor.message)
        }
        let header = Header(
            width: Int(width), height: Int(height), subsampling: Subsampling(turboValue: subsampling))
        try Self.checkSize(width: header.width, height: header.height)
        let colors: Colors =
            switch UInt32(bitPattern: colorspace) {
            case TJCS_CMYK.rawValue, TJCS_YCCK.rawValue: .cmyk
            case TJCS_YCbCr.rawValue, TJCS_GRAY.rawValue: .yCbCr
            default: .rgb
            }
        return (header, colors)
    }

    /// Returns the header of an image whose subsampling libturbojpeg does not name, so that it reports an error. It
    /// decodes such images.
    private func detailsOfUnusualSubsampling(_ data: Data, message: String) throws(ImageError) -> (Header, Colors) {
        guard let segments = JPEGSegments(readable: data), let frame = segments.frame, frame.width > 0, frame.height > 0
        else { throw ImageError(.damaged, "the data is not a JPEG image: \(message)") }
        guard frame.precision == 8 else {
            throw ImageError(
                .unsupportedFormat, "JPEG images with \(frame.precision) bits per sample are not supported")
        }
        guard segments.hasImageData else {
            throw ImageError(.damaged, "the JPEG image cannot be decoded: \(message)")
        }
        let header = Header(width: frame.width, height: frame.height, subsampling: nil)
        try Self.checkSize(width: header.width, height: header.height)
        return (header, frame.componentCount == 4 ? .cmyk : .rgb)
    }

    /// Throws `.tooLarge` if an image of any format has no pixels or more than `maximumPixelCount`.
    static func checkSize(width: Int, height: Int) throws(ImageError) {
        guard width > 0, height > 0, width <= maximumPixelCount / height else {
            throw ImageError(.tooLarge, "\(width)x\(height) pixels exceed the maximum of \(maximumPixelCount)")
        }
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
        let (header, colors) = try details(of: data)
        let (image, warning) = try decodeToMemory(data, header, colors, scale: (1, 1))
        try converter.convert(image, to: pixels, transform)
        return warning
    }

    /// Decodes into the reused memory of this codec.
    ///
    /// - Parameter scale: One of libturbojpeg's scaling factors.
    /// - Returns: The image, valid until the next call, and the warning if the data could be decoded only partially.
    private func decodeToMemory(
        _ data: Data, _ header: Header, _ colors: Colors, scale: (numerator: Int, denominator: Int)
    ) throws(ImageError) -> (PixelImage, warning: String?) {
        let width = (header.width * scale.numerator + scale.denominator - 1) / scale.denominator
        let height = (header.height * scale.numerator + scale.denominator - 1) / scale.denominator
        let encoding = YCbCrEncoding(matrix: .bt601, isFullRange: true)
        let image: PixelImage
        let result: Int32
        if colors == .yCbCr, header.subsampling == .chroma420 || header.subsampling == .gray {
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
            let format = colors == .cmyk ? TJPF_CMYK : TJPF_BGRA
            result = data.withUnsafeBytes { bytes in
                tjDecompress2(
                    decompressor.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count),
                    image.planes.0.base, Int32(width), Int32(image.planes.0.stride), Int32(height), format.rawValue,
                    TJFLAG_ACCURATEDCT)
            }
            if colors == .cmyk { Self.replaceCMYK(image) }
        }
        guard result != 0 else { return (image, nil) }
        let message = decompressor.message
        guard tjGetErrorCode(decompressor.pointer) == Int32(TJERR_WARNING.rawValue) else {
            throw ImageError(.damaged, "the JPEG image cannot be decoded: \(message)")
        }
        return (image, message)
    }

    /// Converts pixels with cyan, magenta, yellow and black to BGRA.
    ///
    /// The values are inverted: 255 is no ink. Adobe's programs write all CMYK images so, and all decoders expect it.
    private static func replaceCMYK(_ image: PixelImage) {
        for row in 0..<image.height {
            let line = image.planes.0.base + row * image.planes.0.stride
            for pixel in stride(from: 0, to: image.width * 4, by: 4) {
                let black = Int(line[pixel + 3])
                func light(_ ink: UInt8) -> UInt8 { UInt8((Int(ink) * black + 127) / 255) }
                let (red, green, blue) = (light(line[pixel]), light(line[pixel + 1]), light(line[pixel + 2]))
                (line[pixel], line[pixel + 1], line[pixel + 2], line[pixel + 3]) = (blue, green, red, 255)
            }
        }
    }

    // MARK: Thumbnails

    /// Returns a smaller JPEG of the same image, without metadata. Its longer side has at most `maximumSide` pixels.
    ///
    /// - Parameter orientation: The orientation of the image according to its EXIF data; the thumbnail is upright.
    /// - Throws: As `decode`. Missing parts of truncated data are gray.
    public func thumbnail(
        of data: Data, maximumSide: Int, orientation: CGImagePropertyOrientation = .up,
        settings: Settings = Settings(quality: 80)
    ) throws(ImageError) -> Data {
        guard maximumSide >= 2 else {
            throw ImageError(.invalidInput, "a thumbnail of \(maximumSide) pixels is too small: the minimum is 2")
        }
        let (header, colors) = try details(of: data)
        let longer = max(header.width, header.height)
        // Decoding at a scale of 1/8, 1/4 or 1/2 is faster. The converter then scales to the final size, with better
        // quality.
        let denominator = [8, 4, 2].first { longer / $0 >= maximumSide } ?? 1
        let (image, _) = try decodeToMemory(data, header, colors, scale: (1, denominator))
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
