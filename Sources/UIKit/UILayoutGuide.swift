public import Foundation

/// The part of a view that bars and the shape of the screen do not cover.
///
/// - Note: Unlike Apple, there are no constraints: use `layoutFrame`.
@preconcurrency @MainActor
open class UILayoutGuide: NSObject {
    public private(set) weak var owningView: UIView?

    init(owningView: UIView) { self.owningView = owningView }

    /// The rectangle in the coordinates of the view.
    open var layoutFrame: CGRect {
        guard let owningView else { return .zero }
        let (bounds, insets) = (owningView.bounds, owningView.safeAreaInsets)
        return CGRect(
            x: bounds.minX + insets.left, y: bounds.minY + insets.top,
            width: max(bounds.width - insets.left - insets.right, 0),
            height: max(bounds.height - insets.top - insets.bottom, 0))
    }
}
