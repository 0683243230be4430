public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// A picture to be worked on.
///
/// - Note: Unlike Apple, each step is done at once and in 32BGRA, and there are no filters.
public final class CIImage: Sendable {
    /// The picture; its upper row comes first.
    public let pixelBuffer: CVPixelBuffer?
    private let pixels: CVPixelBuffer
    /// Where the picture lies; y points up, as everywhere in Core Image.
    public let extent: CGRect

    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer) {
        self.init(pixelBuffer, at: .zero, original: pixelBuffer)
    }

    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) { self.init(cvPixelBuffer: imageBuffer) }

    public convenience init(cgImage image: CGImage) { self.init(image.pixelBuffer, at: .zero, original: nil) }

    /// A picture of a JPEG or PNG file's contents, not turned; nil where they are none.
    public convenience init?(data: Data) {
        guard let still = StillPicture(data) else { return nil }
        self.init(still.pixels, at: .zero, original: nil)
    }

    private init(_ pixels: CVPixelBuffer, at origin: CGPoint, original: CVPixelBuffer?) {
        self.pixels = pixels
        pixelBuffer = original
        extent = CGRect(
            x: origin.x, y: origin.y, width: CGFloat(CVPixelBufferGetWidth(pixels)),
            height: CGFloat(CVPixelBufferGetHeight(pixels)))
    }

    /// The picture upright that is stored in an orientation; empty where there is no memory.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        derived(
            PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored), at: .zero) ?? self
    }

    /// The part of the picture in a rectangle, in whole pixels; the picture itself where that is all of it or nothing.
    public func cropped(to rect: CGRect) -> CIImage {
        let part = rect.integral.intersection(extent)
        guard part.width >= 1, part.height >= 1, part != extent else { return self }
        let crop = PixelRect(
            x: Int(part.minX - extent.minX), y: Int(extent.maxY - part.maxY), width: Int(part.width),
            height: Int(part.height))
        return derived(PixelTransform(crop: crop), at: part.origin) ?? self
    }

    fileprivate func derived(_ transform: PixelTransform, at origin: CGPoint) -> CIImage? {
        let size = transform.naturalSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
        guard
            let target = CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_32BGRA),
            draw(into: target, transform)
        else { return nil }
        return CIImage(target, at: origin, original: nil)
    }

    fileprivate func draw(into target: CVPixelBuffer, _ transform: PixelTransform) -> Bool {
        do throws(PixelError) {
            try PixelConverter().convert(pixels, to: target, transform)
            return true
        } catch {
            return false
        }
    }
}

/// Makes pixels of pictures.
public final class CIContext: Sendable {
    public init() {}

    /// The part of a picture in a rectangle; nil where it lies outside or cannot be drawn.
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

    /// Fills a buffer with a picture, scaled to its size and in its format; a format that cannot be written stays as it
    /// was.
    public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
        _ = image.draw(into: buffer, .identity)
    }
}
