public import Foundation

/// Recognizes two fingers that move apart or together.
@preconcurrency @MainActor
open class UIPinchGestureRecognizer: UIGestureRecognizer {
    /// The distance of the fingers relative to that at the start of the gesture; a handler can set it.
    open var scale: CGFloat = 1
    /// The change of the scale factor per second.
    ///
    /// - Note: Unlike Apple, it is 0: simulated pinches take no time.
    open internal(set) var velocity: CGFloat = 0
}

extension UIView {
    /// Pinches this view or the subview at a point, as a user does: the gesture begins with scale 1, changes to each
    /// scale and ends.
    ///
    /// - Parameters:
    ///   - point: The middle of the fingers, in the coordinates of this view.
    ///   - scales: The successive distances of the fingers, relative to that at the start.
    /// - Returns: Whether a recognizer recognized the pinch.
    @discardableResult
    public func pinch(at point: CGPoint, scales: [CGFloat]) -> Bool {
        let pinches = successfulRecognizers(UIPinchGestureRecognizer.self, at: point)
        for pinch in pinches {
            let position = convert(point, to: pinch.view)
            pinch.scale = 1
            pinch.report(.began, at: position, touches: 2)
            var last: CGFloat = 1
            for scale in scales {
                // After a handler has reset the scale, later changes are relative to the reset.
                pinch.scale *= scale / last
                last = scale
                pinch.report(.changed, at: position, touches: 2)
            }
            pinch.report(.ended, at: position, touches: 2)
            pinch.state = .possible
        }
        return !pinches.isEmpty
    }
}
