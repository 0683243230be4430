import UIKit

/// A box that shrinks around the point at which the camera focuses or exposes, and then disappears.
final class AdjustmentBox: UIView {
    /// The number of calls of `show(at:scale:)`.
    private var number = 0

    convenience init(color: UIColor, size: CGFloat) {
        self.init(frame: CGRect(x: 0, y: 0, width: size, height: size))
        layer.borderColor = color.cgColor
        layer.borderWidth = 5
        isHidden = true
        isUserInteractionEnabled = false
    }

    /// Shows the box around a point of the superview for about half a second.
    ///
    /// - Parameter scale: The factor by which the box shrinks.
    func show(at point: CGPoint, scale: CGFloat) {
        number += 1
        let shown = number
        transform = .identity
        center = point
        isHidden = false
        UIView.animate(
            withDuration: 0.15, delay: 0, options: .curveEaseInOut,
            animations: { self.transform = CGAffineTransform(scaleX: scale, y: scale) },
            completion: { [weak self] _ in
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
                    // A later call keeps the box visible.
                    guard let self, self.number == shown else { return }
                    self.isHidden = true
                    self.transform = .identity
                }
            })
    }
}
