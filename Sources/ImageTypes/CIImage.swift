public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// An image for processing.
///
/// - Note: Unlike Apple, each operation runs immediately and in 32BGRA, and there are no filters.
public final class CIImage: Sendable {
    /// The pixel buffer from which the image was created, top row first; nil for other images.
    public let pixelBuffer: CVPixelBuffer?
    private let pixels: CVPixelBuffer
    /// The image's rectangle; the y axis points up, as in all of Core Image.
    public let extent: CGRect

    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer) {
        self.init(pixelBuffer, at: .zero, original: pixelBuffer)
    }

    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) { self.init(cvPixelBuffer: imageBuffer) }

    /// Creates an image.
    ///
    /// - Note: Unlike Apple, the options have no effect: colors are not converted.
    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]?) {
        self.init(cvPixelBuffer: pixelBuffer)
    }

    /// Creates an image; see `init(cvPixelBuffer:options:)`.
    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]?) {
        self.init(cvPixelBuffer: imageBuffer)
    }

    /// Creates an image; see `init(cvPixelBuffer:options:)`.
    public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]?) { self.init(cgImage: image) }

    public convenience init(cgImage image: CGImage) { self.init(image.pixelBuffer, at: .zero, original: nil) }

    /// Creates an image from the contents of a JPEG or PNG file, ignoring its orientation; nil if the data cannot be
    /// decoded.
    public convenience init?(data: Data) {
        guard let file = DecodedImageFile(data) else { return nil }
        self.init(file.pixels, at: .zero, original: nil)
    }

    /// Creates an image from the stored pixels of a `UIImage`, ignoring its orientation; nil if it has no pixels.
    public convenience init?(image: UIImage) {
        guard let cgImage = image.pixels else { return nil }
        self.init(cgImage: cgImage)
    }

    private init(_ pixels: CVPixelBuffer, at origin: CGPoint, original: CVPixelBuffer?) {
        self.pixels = pixels
        pixelBuffer = original
        extent = CGRect(
            x: origin.x, y: origin.y, width: CGFloat(CVPixelBufferGetWidth(pixels)),
            height: CGFloat(CVPixelBufferGetHeight(pixels)))
    }

    /// Returns the upright image, if this image is stored in `orientation`; the image itself if memory cannot be
    /// allocated.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        transformed(
            PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored), at: .zero) ?? self
    }

    /// Returns the part of the image in a rectangle, which is expanded to whole pixels.
    ///
    /// - Note: Unlike Apple, the result is the image itself if the rectangle does not intersect it.
    public func cropped(to rect: CGRect) -> CIImage {
        let part = rect.integral.intersection(extent)
        guard part.width >= 1, part.height >= 1, part != extent else { return self }
        let crop = PixelRect(
            x: Int(part.minX - extent.minX), y: Int(extent.maxY - part.maxY), width: Int(part.width),
            height: Int(part.height))
        return transformed(PixelTransform(crop: crop), at: part.origin) ?? self
    }

    fileprivate func transformed(_ transform: PixelTransform, at origin: CGPoint) -> CIImage? {
        let size = transform.naturalSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
        guard
            let target = CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_32BGRA),
            draw(into: target, transform)
        else { return nil }
        return CIImage(target, at: origin, original: nil)
    }

    /// Scales and converts the transformed image to a buffer; returns false if that fails.
    func draw(into target: CVPixelBuffer, _ transform: PixelTransform) -> Bool {
        do throws(ImageError) {
            try PixelConverter().convert(pixels, to: target, transform)
            return true
        } catch {
            return false
        }
    }
}

/// Renders images.
public final class CIContext: Sendable {
    public init() {}

    /// Creates a context.
    ///
    /// - Note: Unlike Apple, the options have no effect: images are rendered on the CPU, without color conversion.
    public init(options: [CIContextOption: Any]? = nil) {}

    /// Returns the part of an image in a rectangle; nil if it is outside the image or cannot be rendered.
    public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        let part = image.cropped(to: fromRect)
        let size = part.extent.size
        guard fromRect.intersects(image.extent),
            let target = CVPixelBuffer(
                width: Int(size.width), height: Int(size.height), pixelFormat: kCVPixelFormatType_32BGRA),
            part.draw(into: target, .identity)
        else { return nil }
        return CGImage(pixelBuffer: target)
    }

    /// Renders an image to a buffer, scaled to its size and converted to its format.
    ///
    /// A buffer with an unsupported format is not changed.
    public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
        _ = image.draw(into: buffer, .identity)
    }
}
