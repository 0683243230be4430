public import Foundation

/// A colour, as layers take it.
///
/// - Note: Unlike Apple, there are no colour spaces: components are sRGB or grey, and alpha.
public final class CGColor: Sendable {
    /// Red, green and blue, or grey, from 0 to 1; then alpha.
    private let values: [CGFloat]

    /// Makes a colour of sRGB.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { values = [red, green, blue, alpha] }

    /// Makes a colour of sRGB.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Makes a grey: 0 is black, 1 white.
    public init(gray: CGFloat, alpha: CGFloat) { values = [gray, alpha] }

    /// The components in order, alpha last.
    public var components: [CGFloat]? { values }
    /// Alpha counts.
    public var numberOfComponents: Int { values.count }
    /// 0 is clear, 1 opaque.
    public var alpha: CGFloat { values[values.count - 1] }

    /// The same colour with another alpha.
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

    /// Feeds the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
