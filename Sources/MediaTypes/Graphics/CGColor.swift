public import Foundation

/// A color for drawing.
///
/// - Note: Unlike Apple, colors are not converted: components are sRGB or gray, and alpha.
public final class CGColor: Sendable {
    /// Red, green and blue, or gray, from 0 to 1; then alpha.
    private let values: [CGFloat]

    /// Creates an sRGB color.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { values = [red, green, blue, alpha] }

    /// Creates an sRGB color.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Creates a gray color from 0 (black) to 1 (white).
    public init(gray: CGFloat, alpha: CGFloat) { values = [gray, alpha] }

    /// Creates a color.
    ///
    /// - Parameters:
    ///   - space: RGB or gray.
    ///   - components: The components of the color space, then alpha.
    public init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
        values = Array(UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1))
    }

    /// Device gray or sRGB.
    public var colorSpace: CGColorSpace? {
        values.count == 2 ? CGColorSpaceCreateDeviceGray() : CGColorSpace(name: CGColorSpace.sRGB)
    }

    /// The components in order, alpha last.
    public var components: [CGFloat]? { values }
    /// The number of components, including alpha.
    public var numberOfComponents: Int { values.count }
    /// The alpha value from 0 (transparent) to 1 (opaque).
    public var alpha: CGFloat { values[values.count - 1] }

    /// Returns the color with another alpha value.
    public func copy(alpha: CGFloat) -> CGColor? {
        values.count == 2
            ? CGColor(gray: values[0], alpha: alpha)
            : CGColor(red: values[0], green: values[1], blue: values[2], alpha: alpha)
    }

    public static let black = CGColor(gray: 0, alpha: 1)
    public static let white = CGColor(gray: 1, alpha: 1)
    public static let clear = CGColor(gray: 0, alpha: 0)
}

extension CGColor: Hashable {
    /// Whether both have the same components.
    public static func == (lhs: CGColor, rhs: CGColor) -> Bool { lhs.values == rhs.values }

    /// Hashes the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
