// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names are Apple's.
public import Foundation
public import ImageTypes
import MediaTypes
public import VectorGraphics

/// The stack of contexts of a thread; the last one is the current context.
enum GraphicsContextStack {
    struct Entry {
        let context: CGContext
        let scale: CGFloat
    }

    private static let key = "UIGraphics.contexts"

    static var entries: [Entry] {
        get { Thread.current.threadDictionary[key] as? [Entry] ?? [] }
        set { Thread.current.threadDictionary[key] = newValue }
    }
}

extension CGContext {
    /// Creates a context with UIKit's coordinates: the origin is the upper left corner, the y axis points down.
    ///
    /// - Parameters:
    ///   - size: In points.
    ///   - scale: Pixels per point.
    static func forImage(size: CGSize, scale: CGFloat, isOpaque: Bool) -> CGContext? {
        let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
        guard width.isFinite, height.isFinite, abs(width) < 1e6, abs(height) < 1e6 else { return nil }
        let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipFirst : .premultipliedFirst
        guard
            let context = CGContext(
                data: nil, width: Int(width), height: Int(height), bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | alpha.rawValue)
        else { return nil }
        context.concatenate(CGAffineTransform(a: scale, b: 0, c: 0, d: -scale, tx: 0, ty: height))
        context.shadowBase = CGAffineTransform(scaleX: scale, y: -scale)
        return context
    }
}

/// Returns the context in which views and images draw; nil outside of drawing.
public func UIGraphicsGetCurrentContext() -> CGContext? { GraphicsContextStack.entries.last?.context }

/// Makes a context the current one, until `UIGraphicsPopContext()`.
public func UIGraphicsPushContext(_ context: CGContext) {
    GraphicsContextStack.entries.append(GraphicsContextStack.Entry(context: context, scale: 1))
}

public func UIGraphicsPopContext() { _ = GraphicsContextStack.entries.popLast() }

/// Makes a new image of 1 pixel per point the current context.
public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

/// Makes a new image the current context, until `UIGraphicsEndImageContext()`.
///
/// - Parameters:
///   - size: In points.
///   - scale: Pixels per point; 0 for 1, because nothing is shown on a screen.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    let scale = scale > 0 ? scale : 1
    guard let context = CGContext.forImage(size: size, scale: scale, isOpaque: opaque) else { return }
    GraphicsContextStack.entries.append(GraphicsContextStack.Entry(context: context, scale: scale))
}

/// Returns the image of the current context; nil outside of drawing.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    guard let entry = GraphicsContextStack.entries.last, let image = entry.context.makeImage() else { return nil }
    return UIImage(cgImage: image, scale: entry.scale, orientation: .up)
}

public func UIGraphicsEndImageContext() { UIGraphicsPopContext() }

/// Fills a rectangle of the current context.
public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }
