public import Foundation

/// The environment of the user interface: here the scale of the screen.
///
/// - Note: Unlike Apple, there are no other traits, because the user interface is not shown.
public final class UITraitCollection: NSObject, Sendable {
    /// The number of pixels per point; 0 if it is not specified.
    public let displayScale: CGFloat

    public override convenience init() { self.init(displayScale: 0) }

    public init(displayScale: CGFloat) { self.displayScale = displayScale }

    override public func isEqual(_ object: Any?) -> Bool {
        (object as? UITraitCollection)?.displayScale == displayScale
    }

    override public var hash: Int { displayScale.hashValue }
}
