public import Foundation
public import ImageTypes

/// Apple's symbols are not part of this package, so an image of a symbol is nil, as for an unknown name.
extension UIImage {
    public convenience init?(systemName name: String) { self.init(systemName: name, withConfiguration: nil) }

    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) { return nil }

    public convenience init?(systemName name: String, compatibleWith traitCollection: UITraitCollection?) {
        self.init(systemName: name, withConfiguration: nil)
    }

    /// Whether the image is a symbol: false.
    public var isSymbolImage: Bool { false }

    /// The traits that select the variant of an image.
    open class Configuration: NSObject, @unchecked Sendable {
        // SAFETY: no state; subclasses of this module have constants only.
    }

    public enum SymbolScale: Int, Hashable, Sendable {
        case `default` = -1
        case unspecified = 0
        case small, medium, large
    }

    public enum SymbolWeight: Int, Hashable, Sendable {
        case unspecified = 0
        case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    /// Size, weight and scale of a symbol.
    public final class SymbolConfiguration: Configuration, @unchecked Sendable {
        // SAFETY: constants.
        private let pointSize: CGFloat
        private let weight: SymbolWeight
        private let scale: SymbolScale

        public init(pointSize: CGFloat, weight: SymbolWeight = .unspecified, scale: SymbolScale = .default) {
            (self.pointSize, self.weight, self.scale) = (pointSize, weight, scale)
        }

        public convenience init(scale: SymbolScale) { self.init(pointSize: 0, scale: scale) }

        public convenience init(weight: SymbolWeight) { self.init(pointSize: 0, weight: weight) }

        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? SymbolConfiguration else { return false }
            return (pointSize, weight, scale) == (other.pointSize, other.weight, other.scale)
        }

        public override var hash: Int {
            var hasher = Hasher()
            hasher.combine(pointSize)
            hasher.combine(weight)
            hasher.combine(scale)
            return hasher.finalize()
        }
    }

    /// Returns the image itself: it has no variants.
    public func withConfiguration(_ configuration: Configuration) -> UIImage { self }

    /// Returns the image itself, because it is not a symbol.
    public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? { self }
}
