import CPNG
public import Foundation
public import MediaTypes
public import PixelKernels

/// Reads and writes PNG images (ISO/IEC 15948) with 8 bits per component, with libpng.
///
/// - Important: Confined to one thread at a time.
public final class PNGCodec {
    private let converter = PixelConverter()
    private let memory = ImageMemory()

    /// Creates a codec.
    public init() {}

    /// Encodes an image of any format that `PixelConverter` reads, without alpha; gray images stay gray.
    ///
    /// - Parameter isFast: Whether to compress less: a frame of 1920x1080 takes a fifth of the time and is a third larger.
    /// - Throws: `.inaccessible`, `.unsupportedFormat` or `.outOfMemory`.
    public func encode(_ pixels: CVPixelBuffer, isFast: Bool = false) throws(ImageError) -> Data {
        guard CVPixelBufferLockBaseAddress(pixels, .readOnly) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer cannot be locked for reading")
        }
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        let source = try PixelImage(pixels)
        let image = memory.image(
            layout: source.layout == .gray ? .gray : .rgb(.rgb), width: source.width, height: source.height,
            encoding: source.encoding)
        try converter.convert(source, to: image)
        return try write(image, isFast: isFast)
    }

    private func write(_ image: PixelImage, isFast: Bool) throws(ImageError) -> Data {
        try write(
            image.planes.0.base, stride: image.planes.0.stride, width: image.width, height: image.height,
            format: image.layout == .gray ? cpng_format_gray : cpng_format_rgb,
            rowByteCount: image.layout.planeSize(0, width: image.width, height: image.height).byteCount, isFast: isFast)
    }

    /// Encodes a 32BGRA image with premultiplied alpha.
    ///
    /// - Throws: `.inaccessible` or `.outOfMemory`.
    package func encodeWithAlpha(_ pixels: CVPixelBuffer) throws(ImageError) -> Data {
        guard CVPixelBufferLockBaseAddress(pixels, .readOnly) == kCVReturnSuccess,
            let source = CVPixelBufferGetBaseAddress(pixels)
        else { throw ImageError(.inaccessible, "the pixel buffer cannot be locked for reading") }
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        let stride = CVPixelBufferGetBytesPerRow(pixels)
        // PNG stores straight (not premultiplied) alpha.
        var straight = [UInt8](repeating: 0, count: width * height * 4)
        for row in 0..<height {
            let line = UnsafeRawBufferPointer(start: source + row * stride, count: width * 4)
            for column in 0..<width {
                let alpha = Int(line[column * 4 + 3])
                guard alpha > 0 else { continue }
                let target = (row * width + column) * 4
                for component in 0..<3 {
                    straight[target + component] = UInt8(
                        min(255, (Int(line[column * 4 + component]) * 255 + alpha / 2) / alpha))
                }
                straight[target + 3] = UInt8(alpha)
            }
        }
        let result = straight.withUnsafeMutableBytes { bytes -> Result<Data, ImageError> in
            Result { () throws(ImageError) in
                try write(
                    bytes.baseAddress, stride: width * 4, width: width, height: height, format: cpng_format_bgra,
                    rowByteCount: width * 4)
            }
        }
        return try result.get()
    }

    private func write(
        _ base: UnsafeMutableRawPointer?, stride: Int, width: Int, height: Int, format: png_uint_32, rowByteCount: Int,
        isFast: Bool = false
    ) throws(ImageError) -> Data {
        var header = png_image()
        header.version = cpng_image_version
        header.width = png_uint_32(width)
        header.height = png_uint_32(height)
        header.format = format
        if isFast { header.flags = cpng_image_flag_fast }
        // An upper bound of the size of deflated data and chunk headers. Each row has one more byte, its filter type.
        let rawByteCount = (rowByteCount + 1) * height
        var data = Data(count: rawByteCount + rawByteCount / 8 + 65536)
        var byteCount = png_alloc_size_t(data.count)
        let result = data.withUnsafeMutableBytes { bytes in
            png_image_write_to_memory(
                &header, bytes.baseAddress, &byteCount, 0, base, png_int_32(stride), nil)
        }
        guard result != 0, byteCount <= data.count else {
            throw ImageError(.outOfMemory, "the image could not be encoded as PNG: \(message(of: header))")
        }
        return data.prefix(Int(byteCount))
    }

    /// Decodes an image into a new 32BGRA buffer, with alpha that is not premultiplied.
    ///
    /// - Throws: `.damaged`, `.tooLarge` or `.outOfMemory`.
    public func decode(_ data: Data) throws(ImageError) -> CVPixelBuffer { try read(data).pixels }

    /// Decodes an image into a new 32BGRA buffer with premultiplied alpha.
    ///
    /// - Returns: The pixels, and whether the file has an alpha channel or transparent colors.
    /// - Throws: As `decode`.
    package func decodeWithAlpha(_ data: Data) throws(ImageError) -> (pixels: CVPixelBuffer, hasAlpha: Bool) {
        let (pixels, hasAlpha) = try read(data)
        if hasAlpha { pixels.multiplyByAlpha() }
        return (pixels, hasAlpha)
    }

    private func read(_ data: Data) throws(ImageError) -> (pixels: CVPixelBuffer, hasAlpha: Bool) {
        let result = data.withUnsafeBytes { bytes -> Result<(pixels: CVPixelBuffer, hasAlpha: Bool), ImageError> in
            Result { () throws(ImageError) in try read(bytes) }
        }
        return try result.get()
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> (pixels: CVPixelBuffer, hasAlpha: Bool) {
        var header = png_image()
        header.version = cpng_image_version
        defer { png_image_free(&header) }
        guard bytes.count > 0, png_image_begin_read_from_memory(&header, bytes.baseAddress, bytes.count) != 0 else {
            throw ImageError(.damaged, "the data is not a PNG image: \(message(of: header))")
        }
        let (width, height) = (Int(header.width), Int(header.height))
        try JPEGCodec.checkSize(width: width, height: height)
        let hasAlpha = header.format & PNG_FORMAT_FLAG_ALPHA != 0
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
        return (pixels, hasAlpha)
    }

    private func message(of header: png_image) -> String {
        withUnsafeBytes(of: header.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
