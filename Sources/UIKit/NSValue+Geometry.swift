public import Foundation

extension NSValue {
    /// Creates an object that contains a point, for example a value of an animation.
    public convenience init(cgPoint point: CGPoint) { self.init(point: point) }

    /// The point passed to `init(cgPoint:)`.
    public var cgPointValue: CGPoint { pointValue }

    /// Creates an object that contains a size.
    public convenience init(cgSize size: CGSize) { self.init(size: size) }

    /// The size passed to `init(cgSize:)`.
    public var cgSizeValue: CGSize { sizeValue }

    /// Creates an object that contains a rectangle.
    public convenience init(cgRect rect: CGRect) { self.init(rect: rect) }

    /// The rectangle passed to `init(cgRect:)`.
    public var cgRectValue: CGRect { rectValue }
}
