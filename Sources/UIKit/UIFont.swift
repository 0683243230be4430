public import Foundation
import VectorGraphics

/// A size and weight of text. All fonts have the glyphs of DejaVu Sans, whose digits have the same width.
public final class UIFont: NSObject, Sendable {
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let ultraLight = Weight(rawValue: -0.8)
        public static let thin = Weight(rawValue: -0.6)
        public static let light = Weight(rawValue: -0.4)
        public static let regular = Weight(rawValue: 0)
        public static let medium = Weight(rawValue: 0.23)
        public static let semibold = Weight(rawValue: 0.3)
        public static let bold = Weight(rawValue: 0.4)
        public static let heavy = Weight(rawValue: 0.56)
        public static let black = Weight(rawValue: 0.62)
    }

    /// In points.
    public let pointSize: CGFloat
    let weight: Weight

    private init(size: CGFloat, weight: Weight) { (pointSize, self.weight) = (size, weight) }

    /// Creates a font by its PostScript name: `DejaVuSans`, the only font of this package; nil for other names.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        guard fontName == Self.postScriptName else { return nil }
        self.init(size: fontSize, weight: .regular)
    }

    private static let postScriptName = "DejaVuSans"

    public class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(size: fontSize, weight: .regular) }

    public class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }

    public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(size: fontSize, weight: .bold) }

    public class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }

    public class var labelFontSize: CGFloat { 17 }
    public class var systemFontSize: CGFloat { 14 }

    public func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(size: fontSize, weight: weight) }
}

extension UIFont {
    /// The height above the baseline in points.
    public var ascender: CGFloat { TextRun.ascender * pointSize }
    /// The depth below the baseline in points, negative.
    public var descender: CGFloat { TextRun.descender * pointSize }
    public var lineHeight: CGFloat { ascender - descender }

    func run(_ text: String) -> TextRun { TextRun(text, size: pointSize, weight: weight.rawValue) }
}
