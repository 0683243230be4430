import CLibAV
import Foundation
import MediaTypes
import PixelKernels

/// Decodes WebP images with libavcodec, which is loaded on first use.
enum WebPDecoder {
    /// The name of the image in messages of the decoder.
    private static let name = "the WebP image"

    /// Decodes a still image, or the first frame of an animation on a transparent canvas.
    ///
    /// - Throws: `.unsupportedFormat` without FFmpeg's libraries, `.damaged`, `.tooLarge` or `.outOfMemory`.
    static func decode(_ file: WebPFile) throws(ImageError) -> PhotoFile.Image {
        let (width, height) = file.size
        try JPEGCodec.checkSize(width: width, height: height)
        guard let imageSize = file.imageSize else { throw ImageError(.damaged, "\(name) has no image data") }
        let image = try image(file.stillImage, imageSize)
        guard imageSize != file.size || file.offset != (0, 0) else { return image }
        guard file.offset.x + imageSize.width <= width, file.offset.y + imageSize.height <= height else {
            throw ImageError(.damaged, "the first frame of \(name) exceeds the canvas")
        }
        return PhotoFile.Image(pixels: try canvas(file, image.pixels), hasAlpha: true)
    }

    private static func image(
        _ data: Data, _ size: (width: Int, height: Int)
    ) throws(ImageError) -> PhotoFile.Image {
        let dimensions = CMVideoDimensions(width: Int32(size.width), height: Int32(size.height))
        let track = MediaTrack(
            index: 0,
            content: .video(
                MediaTrack.Video(
                    dimensions: dimensions, rotation: .none, isFullRange: false, frameDuration: .invalid)),
            codecName: "webp", startTime: .zero, duration: .invalid,
            timeBase: MediaTimeBase(numerator: 1, denominator: 1))
        do throws(MediaFileError) {
            let decoder = try VideoDecoder(DecoderConfiguration(webP: dimensions), track: track, path: name)
            let packet = data.withUnsafeBytes {
                MediaPacket($0, track: track, presentation: 0, decode: 0, duration: 0, isKeyFrame: true)
            }
            guard let packet else { throw MediaFileError(.outOfMemory, path: name, "memory ran out") }
            var output = try decoder.decode(packet)
            if output.frames.isEmpty, output.errorMessage == nil { output = try decoder.decode(nil) }
            guard let frame = output.frames.first else {
                throw MediaFileError(
                    .unsupportedCodec, path: name,
                    "\(name) cannot be decoded: \(output.errorMessage ?? "its data is incomplete")")
            }
            guard
                let pixels = CVPixelBuffer(
                    width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_32BGRA)
            else { throw MediaFileError(.outOfMemory, path: name, "memory ran out") }
            try decoder.render(frame, into: pixels)
            let hasAlpha = copyAlpha(of: frame, to: pixels)
            if hasAlpha { pixels.multiplyByAlpha() }
            return PhotoFile.Image(pixels: pixels, hasAlpha: hasAlpha)
        } catch {
            switch error.code {
            case .outOfMemory: throw ImageError(.outOfMemory, error.message)
            default:
                let isAvailable = LibAV.unavailabilityReason == nil
                throw ImageError(isAvailable ? .damaged : .unsupportedFormat, error.message)
            }
        }
    }

    /// Replaces the alpha of a 32BGRA image by that of the decoded frame; returns whether a pixel is transparent. Opaque
    /// lossless images are also decoded as ARGB.
    private static func copyAlpha(of frame: VideoDecoder.Frame, to pixels: CVPixelBuffer) -> Bool {
        let decoded = frame.frame.pointer.pointee
        let (plane, stride, step): (UnsafeMutablePointer<UInt8>?, Int32, Int) =
            switch AVPixelFormat(rawValue: decoded.format) {
            case AV_PIX_FMT_YUVA420P: (decoded.data.3, decoded.linesize.3, 1)
            case AV_PIX_FMT_ARGB: (decoded.data.0, decoded.linesize.0, 4)
            default: (nil, 0, 0)
            }
        CVPixelBufferLockBaseAddress(pixels, [])
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        guard let plane, let base = CVPixelBufferGetBaseAddress(pixels) else { return false }
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        guard Int(decoded.width) == width, Int(decoded.height) == height else { return false }
        var hasAlpha = false
        for row in 0..<height {
            let line = UnsafeMutableRawBufferPointer(
                start: base + row * CVPixelBufferGetBytesPerRow(pixels), count: width * 4)
            let alphas = UnsafeBufferPointer(start: plane + row * Int(stride), count: (width - 1) * step + 1)
            for column in 0..<width {
                let alpha = alphas[column * step]
                line[column * 4 + 3] = alpha
                if alpha < 255 { hasAlpha = true }
            }
        }
        return hasAlpha
    }

    /// Returns a transparent image of the canvas's size with the first frame of an animation.
    private static func canvas(_ file: WebPFile, _ frame: CVPixelBuffer) throws(ImageError) -> CVPixelBuffer {
        guard
            let canvas = CVPixelBuffer(
                width: file.size.width, height: file.size.height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw ImageError(.outOfMemory, "no pixel buffer for \(name) could be created") }
        CVPixelBufferLockBaseAddress(frame, .readOnly)
        CVPixelBufferLockBaseAddress(canvas, [])
        defer {
            CVPixelBufferUnlockBaseAddress(canvas, [])
            CVPixelBufferUnlockBaseAddress(frame, .readOnly)
        }
        guard let source = CVPixelBufferGetBaseAddress(frame), let target = CVPixelBufferGetBaseAddress(canvas) else {
            throw ImageError(.inaccessible, "the pixels of \(name) cannot be accessed")
        }
        let bytesPerRow = CVPixelBufferGetBytesPerRow(canvas)
        memset(target, 0, bytesPerRow * file.size.height)
        for row in 0..<CVPixelBufferGetHeight(frame) {
            memcpy(
                target + (file.offset.y + row) * bytesPerRow + file.offset.x * 4,
                source + row * CVPixelBufferGetBytesPerRow(frame), CVPixelBufferGetWidth(frame) * 4)
        }
        return canvas
    }
}
