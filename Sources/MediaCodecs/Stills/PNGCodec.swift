import CPNG
public import Foundation
public import MediaTypes
public import PixelKernels

/// Reads and writes PNG images (ISO/IEC 15948), 8 bits per component, by libpng.
///
/// - Important: Confined.
public final class PNGCodec {
    private let converter = PixelConverter()
    private let memory = ImageMemory()

    /// Creates a codec.
    public init() {}

    /// Encodes an image of any format that `PixelConverter` reads, without alpha; gray images stay gray.
    ///
    /// - Throws: `.inaccessible`, `.unsupportedFormat` or `.outOfMemory`.
    public func encode(_ pixels: CVPixelBuffer) throws(ImageError) -> Data {
        guard CVPixelBufferLockBaseAddress(pixels, .readOnly) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer cannot be locked for reading")
        }
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        let source = try PixelImage(pixels)
        let image = memory.image(
            layout: source.layout == .gray ? .gray : .rgb(.rgb), width: source.width, height: source.height,
            encoding: source.encoding)
        try converter.convert(source, to: image)
        return try write(image)
    }

    private func write(_ image: PixelImage) throws(ImageError) -> Data {
        var header = png_image()
        header.version = cpng_image_version
        header.width = png_uint_32(image.width)
        header.height = png_uint_32(image.height)
        header.format = image.layout == .gray ? cpng_format_gray : cpng_format_rgb
        // The worst case of deflate plus the chunk headers.
        let rawByteCount =
            (image.layout.planeSize(0, width: image.width, height: image.height).byteCount + 1) * image.height
        var data = Data(count: rawByteCount + rawByteCount / 8 + 65536)
        var byteCount = png_alloc_size_t(data.count)
        let result = data.withUnsafeMutableBytes { bytes in
            png_image_write_to_memory(
                &header, bytes.baseAddress, &byteCount, 0, image.planes.0.base, png_int_32(image.planes.0.stride), nil)
        }
        guard result != 0, byteCount <= data.count else {
            throw ImageError(.outOfMemory, "the image could not be encoded as PNG: \(message(of: header))")
        }
        return data.prefix(Int(byteCount))
    }

    /// Decodes an image into a new 32BGRA buffer.
    ///
    /// - Throws: `.damaged`, `.tooLarge` or `.outOfMemory`.
    public func decode(_ data: Data) throws(ImageError) -> CVPixelBuffer {
        let result = data.withUnsafeBytes { bytes -> Result<CVPixelBuffer, ImageError> in
            Result { () throws(ImageError) in try read(bytes) }
        }
        return try result.get()
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> CVPixelBuffer {
        var header = png_image()
        header.version = cpng_image_version
        defer { png_image_free(&header) }
        guard bytes.count > 0, png_image_begin_read_from_memory(&header, bytes.baseAddress, bytes.count) != 0 else {
            throw ImageError(.damaged, "the data is not a PNG image: \(message(of: header))")
        }
        let (width, height) = (Int(header.width), Int(header.height))
        guard width > 0, height > 0, width <= JPEGCodec.maximumPixelCount / height else {
            throw ImageError(
                .tooLarge, "\(width)x\(height) pixels exceed the maximum of \(JPEGCodec.maximumPixelCount)")
        }
        header.format = cpng_format_bgra
        var pixels: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &pixels)
        guard let pixels, CVPixelBufferLockBaseAddress(pixels, []) == kCVReturnSuccess else {
            throw ImageError(.outOfMemory, "no pixel buffer of \(width)x\(height) could be created")
        }
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        let stride = png_int_32(CVPixelBufferGetBytesPerRow(pixels))
        guard png_image_finish_read(&header, nil, CVPixelBufferGetBaseAddress(pixels), stride, nil) != 0 else {
            throw ImageError(.damaged, "the PNG image cannot be decoded: \(message(of: header))")
        }
        return pixels
    }

    private func message(of header: png_image) -> String {
        withUnsafeBytes(of: header.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
