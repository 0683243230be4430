import CaptureHAL
public import Foundation
public import ImageTypes
import MediaTypes
public import VectorGraphics

/// Creates images by drawing.
open class UIGraphicsImageRenderer: NSObject {
    public let format: UIGraphicsImageRendererFormat
    private let bounds: CGRect

    public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

    /// - Parameter size: In points.
    public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        self.init(bounds: CGRect(origin: .zero, size: size), format: format)
    }

    public convenience init(bounds: CGRect) { self.init(bounds: bounds, format: .default()) }

    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        (self.bounds, self.format) = (bounds, format)
    }

    /// Returns the image that the actions draw; an empty image if its size is zero, or cairo is not installed.
    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        let scale = format.scale > 0 ? format.scale : 1
        guard let context = CGContext.forImage(size: bounds.size, scale: scale, isOpaque: format.opaque) else {
            CaptureSystem.log("An image of \(bounds.size.width) x \(bounds.size.height) points cannot be drawn")
            return UIImage()
        }
        context.translateBy(x: -bounds.minX, y: -bounds.minY)
        GraphicsContextStack.entries.append(GraphicsContextStack.Entry(context: context, scale: scale))
        actions(UIGraphicsImageRendererContext(context, format: format))
        UIGraphicsPopContext()
        return context.makeImage().map { UIImage(cgImage: $0, scale: scale, orientation: .up) } ?? UIImage()
    }

    /// Returns the data of a PNG file with the image that the actions draw.
    open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
        image(actions: actions).pngData() ?? Data()
    }

    /// Returns the data of a JPEG file with the image that the actions draw.
    open func jpegData(
        withCompressionQuality compressionQuality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
    ) -> Data {
        image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data()
    }
}

/// The format of images that are drawn.
open class UIGraphicsImageRendererFormat: NSObject {
    /// Pixels per point; 1 by default, because nothing is shown on a screen.
    open var scale: CGFloat = 1
    /// Whether the image has no alpha.
    open var opaque = false

    public override init() { super.init() }

    open class func `default`() -> Self { self.init(()) }
    open class func preferred() -> Self { self.init(()) }

    /// Called by `default()` and `preferred()`, also for subclasses.
    public required init(_ void: Void) { super.init() }
}

/// The context in which an image is drawn.
open class UIGraphicsImageRendererContext: NSObject {
    public let cgContext: CGContext
    public let format: UIGraphicsImageRendererFormat

    init(_ context: CGContext, format: UIGraphicsImageRendererFormat) {
        (cgContext, self.format) = (context, format)
    }

    /// The image that has been drawn so far.
    open var currentImage: UIImage {
        cgContext.makeImage().map { UIImage(cgImage: $0, scale: format.scale, orientation: .up) } ?? UIImage()
    }

    open func fill(_ rect: CGRect) { cgContext.fill(rect) }
    open func stroke(_ rect: CGRect) { cgContext.stroke(rect) }
    open func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}
