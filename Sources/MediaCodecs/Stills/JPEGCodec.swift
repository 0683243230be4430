import CTurboJPEG
public import Foundation
public import MediaTypes
public import PixelKernels

/// Reads and writes JPEG images (ITU-T T.81 in the JFIF format) with libturbojpeg.
///
/// JFIF uses full-range BT.601. Pixels with another encoding are converted. Memory is reused between images.
///
/// - Important: Confined to one thread at a time.
public final class JPEGCodec {
    /// The resolution of chroma relative to luma.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// Half the width, half the height.
        case chroma420
        /// Half the width.
        case chroma422
        /// The full resolution.
        case chroma444
        /// No chroma.
        case gray
    }

    /// The compression settings.
    public struct Settings: Sendable, Hashable {
        /// From 1 (smallest file) to 100 (best quality).
        public var quality: Int
        /// The chroma subsampling.
        public var subsampling: Subsampling

        /// Creates settings.
        public init(quality: Int = 90, subsampling: Subsampling = .chroma420) {
            self.quality = quality
            self.subsampling = subsampling
        }
    }

    /// The properties in the header of a JPEG file.
    public struct Header: Sendable, Hashable {
        /// The width in pixels.
        public var width: Int
        /// The height in pixels.
        public var height: Int
        /// The chroma subsampling; nil if `Subsampling` has no case for it.
        public var subsampling: Subsampling?
    }

    /// A decoded image; incomplete if the data was incomplete.
    public struct Image {
        /// The pixels of the image.
        public var pixels: CVPixelBuffer
        /// The decoder's message; nil if the data was complete.
        public var warning: String?
    }

    /// The maximum number of pixels of an image that can be decoded: 2^28.
    public static let maximumPixelCount = 1 << 28

    let converter = PixelConverter()
    let compressor: Handle
    let decompressor: Handle
    let memory = ImageMemory()

    /// Creates a codec.
    ///
    /// - Throws: `.outOfMemory`.
    public init() throws(ImageError) {
        guard let compressor = tjInitCompress().map(Handle.init), let decompressor = tjInitDecompress().map(Handle.init)
        else { throw ImageError(.outOfMemory, "libturbojpeg could not be initialized") }
        self.compressor = compressor
        self.decompressor = decompressor
    }

    /// Owns one libturbojpeg instance.
    final class Handle {
        let pointer: tjhandle

        init(pointer: tjhandle) { self.pointer = pointer }
        deinit { tjDestroy(pointer) }

        var message: String { String(cString: tjGetErrorStr2(pointer)) }
    }

    // MARK: Writing

    /// Compresses an image of any format that `PixelConverter` reads. HLG and PQ are converted to standard dynamic range.
    ///
    /// - Throws: `.invalidInput` for a quality outside 1 … 100, `.unsupportedFormat` for the pixel format, `.tooLarge`
    ///   for more than 65535 pixels per side, `.inaccessible` if the buffer cannot be locked, or `.outOfMemory`.
    public func encode(_ pixels: CVPixelBuffer, settings: Settings = Settings()) throws(ImageError) -> Data {
        let pixels = try pixels.inStandardDynamicRange(converter)
        guard CVPixelBufferLockBaseAddress(pixels, .readOnly) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer cannot be locked for reading")
        }
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        return try encode(try PixelImage(pixels), settings: settings)
    }

    private func encode(_ image: PixelImage, settings: Settings) throws(ImageError) -> Data {
        guard (1...100).contains(settings.quality) else {
            throw ImageError(.invalidInput, "the JPEG quality \(settings.quality) is not between 1 and 100")
        }
        guard image.width <= 65535, image.height <= 65535 else {
            throw ImageError(
                .tooLarge, "\(image.width)x\(image.height) pixels exceed JPEG's maximum of 65535 per side")
        }
        let isEven = image.width % 2 == 0 && image.height % 2 == 0
        if image.layout.is420, settings.subsampling == .chroma420, isEven {
            return try encodePlanes(of: image, quality: settings.quality)
        }
        if case .rgb(let order) = image.layout, let format = order.turboFormat {
            return try compress(image, format, settings)
        }
        let bgra = memory.image(
            layout: .rgb(.bgra), width: image.width, height: image.height, encoding: image.encoding)
        try converter.convert(image, to: bgra)
        return try compress(bgra, TJPF_BGRX, settings)
    }

    private func encodePlanes(of image: PixelImage, quality: Int) throws(ImageError) -> Data {
        let encoding = YCbCrEncoding(matrix: .bt601, isFullRange: true)
        var source = image
        if image.layout != .planar420 || image.encoding != encoding {
            source = memory.image(layout: .planar420, width: image.width, height: image.height, encoding: encoding)
            try converter.convert(image, to: source)
        }
        var bases: [UnsafePointer<UInt8>?] = [source.planes.0, source.planes.1, source.planes.2]
            .map { UnsafePointer($0.base) }
        var strides = [source.planes.0, source.planes.1, source.planes.2].map { Int32($0.stride) }
        return try compressedData { bytes, count in
            tjCompressFromYUVPlanes(
                compressor.pointer, &bases, Int32(source.width), &strides, Int32(source.height),
                Int32(TJSAMP_420.rawValue), bytes, count, Int32(quality), TJFLAG_ACCURATEDCT)
        }
    }

    private func compress(_ image: PixelImage, _ format: TJPF, _ settings: Settings) throws(ImageError) -> Data {
        try compressedData { bytes, count in
            tjCompress2(
                compressor.pointer, image.planes.0.base, Int32(image.width), Int32(image.planes.0.stride),
                Int32(image.height), format.rawValue, bytes, count, Int32(settings.subsampling.turboValue.rawValue),
                Int32(settings.quality), TJFLAG_ACCURATEDCT)
        }
    }

    /// Calls a libturbojpeg function that allocates its output, and returns a copy of the output.
    ///
    /// - Parameter body: Calls the function and returns its result, which is 0 on success.
    private func compressedData(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>) -> Int32
    ) throws(ImageError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(bytes) }
        guard body(&bytes, &count) == 0, let bytes else {
            throw ImageError(.outOfMemory, "the image could not be compressed: \(compressor.message)")
        }
        return Data(bytes: bytes, count: Int(count))
    }
}

extension JPEGCodec.Subsampling {
    var turboValue: TJSAMP {
        switch self {
        case .chroma420: TJSAMP_420
        case .chroma422: TJSAMP_422
        case .chroma444: TJSAMP_444
        case .gray: TJSAMP_GRAY
        }
    }

    init?(turboValue: Int32) {
        guard let match = Self.allCases.first(where: { Int32($0.turboValue.rawValue) == turboValue }) else {
            return nil
        }
        self = match
    }
}

extension PixelLayout {
    fileprivate var is420: Bool { self == .biplanar420 || self == .planar420 }
}

extension PixelOrder {
    fileprivate var turboFormat: TJPF? {
        switch self {
        case .bgra: TJPF_BGRX
        case .rgba: TJPF_RGBX
        case .argb: TJPF_XRGB
        case .abgr: TJPF_XBGR
        case .rgb: TJPF_RGB
        case .bgr: TJPF_BGR
        default: nil
        }
    }
}
