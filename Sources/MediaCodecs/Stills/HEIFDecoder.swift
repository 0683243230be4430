import CHEIF
import Foundation
import MediaTypes
import PixelKernels

/// Decodes the primary image of HEIF files and its thumbnail with libheif, which is loaded on first use.
enum HEIFDecoder {
    /// Decodes a file and applies the crop, rotation and mirroring of the item's properties.
    ///
    /// - Throws: `.unsupportedFormat` without libheif or its decoder, `.damaged`, `.tooLarge` or `.outOfMemory`.
    static func decode(_ data: Data) throws(ImageError) -> PhotoFile.Image {
        try withPrimaryImage(of: data) { handle throws(ImageError) in try decode(handle) }
    }

    /// Decodes the first thumbnail of a file in the same way; nil if it has none.
    ///
    /// - Throws: As `decode(_:)`.
    static func decodeThumbnail(_ data: Data) throws(ImageError) -> PhotoFile.Image? {
        try withPrimaryImage(of: data) { handle throws(ImageError) in
            var number: UInt32 = 0
            guard cheif_image_handle_get_list_of_thumbnail_IDs(handle, &number, 1) > 0 else { return nil }
            var found: CHEIFImageHandle?
            try check(cheif_image_handle_get_thumbnail(handle, number, &found))
            guard let thumbnail = found else { return nil }
            defer { cheif_image_handle_release(thumbnail) }
            return try decode(thumbnail)
        }
    }

    /// Decodes an auxiliary image of the primary image in the same way.
    ///
    /// - Parameter item: The number of its item.
    /// - Throws: As `decode(_:)`.
    static func decodeAuxiliary(_ data: Data, item: Int) throws(ImageError) -> PhotoFile.Image {
        try withPrimaryImage(of: data) { handle throws(ImageError) in
            var found: CHEIFImageHandle?
            try check(cheif_image_handle_get_auxiliary_image_handle(handle, UInt32(clamping: item), &found))
            guard let image = found else { throw ImageError(.damaged, "the HEIF file has no auxiliary image \(item)") }
            defer { cheif_image_handle_release(image) }
            return try decode(image)
        }
    }

    /// Calls `body` with the handle of the primary image.
    private static func withPrimaryImage<Value>(
        of data: Data, _ body: (CHEIFImageHandle) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        // Must come first: no other function works without the library.
        if let message = cheif_load() {
            throw ImageError(.unsupportedFormat, "the HEIF image cannot be decoded: \(String(cString: message))")
        }
        guard let context = cheif_context_alloc() else {
            throw ImageError(.outOfMemory, "libheif could not be initialized")
        }
        defer { cheif_context_free(context) }
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(ImageError) in
                try check(cheif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
                var found: CHEIFImageHandle?
                try check(cheif_context_get_primary_image_handle(context, &found))
                guard let handle = found else { throw ImageError(.damaged, "the HEIF file has no primary image") }
                defer { cheif_image_handle_release(handle) }
                return try body(handle)
            }
        }
        return try result.get()
    }

    private static func decode(_ handle: CHEIFImageHandle) throws(ImageError) -> PhotoFile.Image {
        let (width, height) = (Int(cheif_image_handle_get_width(handle)), Int(cheif_image_handle_get_height(handle)))
        try JPEGCodec.checkSize(width: width, height: height)
        var decoded: CHEIFImage?
        try check(
            cheif_decode_image(
                handle, &decoded, Int32(CHEIF_COLORSPACE_RGB), Int32(CHEIF_CHROMA_INTERLEAVED_RGBA),
                nil))
        guard let image = decoded else { throw ImageError(.damaged, "the HEIF file has no primary image") }
        defer { cheif_image_release(image) }
        let pixels = try copy(image)
        let hasAlpha = cheif_image_handle_has_alpha_channel(handle) != 0
        if hasAlpha, cheif_image_handle_is_premultiplied_alpha(handle) == 0 { pixels.multiplyByAlpha() }
        return PhotoFile.Image(pixels: pixels, hasAlpha: hasAlpha)
    }

    private static func check(_ error: cheif_error) throws(ImageError) {
        guard error.code != 0 else { return }
        // Some messages of libheif end with a newline.
        let reason = String(cString: error.message).trimmingCharacters(in: .whitespacesAndNewlines)
        let message = "the HEIF image cannot be decoded: \(reason)"
        switch Int(error.code) {
        case CHEIF_ERROR_UNSUPPORTED_FEATURE:
            throw ImageError(
                .unsupportedFormat,
                message + "; where the decoders are separate packages, install libheif-plugin-libde265 (HEVC)"
                    + " or libheif-plugin-dav1d (AV1)")
        case CHEIF_ERROR_MEMORY_ALLOCATION: throw ImageError(.outOfMemory, message)
        default: throw ImageError(.damaged, message)
        }
    }

    /// Copies an image with red, green, blue and alpha to a new 32BGRA buffer.
    private static func copy(_ image: CHEIFImage) throws(ImageError) -> CVPixelBuffer {
        let channel = Int32(CHEIF_CHANNEL_INTERLEAVED)
        let (width, height) = (
            Int(cheif_image_get_width(image, channel)), Int(cheif_image_get_height(image, channel))
        )
        var stride: Int32 = 0
        guard width > 0, height > 0, let source = cheif_image_get_plane_readonly(image, channel, &stride) else {
            throw ImageError(.damaged, "the HEIF file has no primary image")
        }
        guard let pixels = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA),
            CVPixelBufferLockBaseAddress(pixels, []) == kCVReturnSuccess
        else { throw ImageError(.outOfMemory, "no pixel buffer of \(width)x\(height) could be created") }
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        guard let target = CVPixelBufferGetBaseAddress(pixels) else {
            throw ImageError(.inaccessible, "the image's pixels cannot be accessed")
        }
        for row in 0..<height {
            let line = UnsafeBufferPointer(start: source + row * Int(stride), count: width * 4)
            let result = UnsafeMutableRawBufferPointer(
                start: target + row * CVPixelBufferGetBytesPerRow(pixels), count: width * 4)
            for pixel in Swift.stride(from: 0, to: width * 4, by: 4) {
                result[pixel] = line[pixel + 2]
                result[pixel + 1] = line[pixel + 1]
                result[pixel + 2] = line[pixel]
                result[pixel + 3] = line[pixel + 3]
            }
        }
        return pixels
    }
}
