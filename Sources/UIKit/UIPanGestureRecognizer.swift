public import Foundation

/// Recognizes fingers that move over a view.
@preconcurrency @MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
    open var minimumNumberOfTouches = 1
    open var maximumNumberOfTouches = Int.max
    /// In the coordinates of `view`.
    private var movement = CGPoint.zero
    /// In points per second.
    private var latestVelocity = CGPoint.zero

    /// The movement since the start of the gesture or the last `setTranslation`, in the coordinates of a view; nil
    /// means the root view.
    open func translation(in view: UIView?) -> CGPoint { vector(movement, in: view) }

    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        guard let own = self.view, let view else {
            movement = translation
            return
        }
        let (origin, end) = (own.convert(CGPoint.zero, from: view), own.convert(translation, from: view))
        movement = CGPoint(x: end.x - origin.x, y: end.y - origin.y)
    }

    /// The velocity of the last movement in points per second; zero at the start and the end.
    open func velocity(in view: UIView?) -> CGPoint { vector(latestVelocity, in: view) }

    private func vector(_ vector: CGPoint, in view: UIView?) -> CGPoint {
        guard let own = self.view else { return vector }
        let (origin, end) = (own.convert(CGPoint.zero, to: view), own.convert(vector, to: view))
        return CGPoint(x: end.x - origin.x, y: end.y - origin.y)
    }

    /// Simulates a gesture along points of `view`, with the same time between two points.
    func pan(along points: [CGPoint], interval: TimeInterval) {
        guard let first = points.first, var last = points.first else { return }
        (movement, latestVelocity) = (.zero, .zero)
        report(.began, at: first, touches: 1)
        for point in points.dropFirst() {
            let step = CGPoint(x: point.x - last.x, y: point.y - last.y)
            // After a handler has reset the translation, later movements are relative to the reset.
            movement = CGPoint(x: movement.x + step.x, y: movement.y + step.y)
            latestVelocity = CGPoint(x: step.x / interval, y: step.y / interval)
            last = point
            report(.changed, at: point, touches: 1)
        }
        latestVelocity = .zero
        report(.ended, at: last, touches: 1)
        state = .possible
    }
}

extension UIView {
    /// Moves a finger over this view along points, as a user does: the gesture begins at the first point, changes at
    /// each other one and ends at the last.
    ///
    /// - Parameters:
    ///   - points: In the coordinates of this view; at least one.
    ///   - interval: The time between two points in seconds, which determines the velocity of the gesture.
    /// - Returns: Whether a recognizer recognized the gesture.
    @discardableResult
    public func pan(along points: [CGPoint], interval: TimeInterval = 1.0 / 60) -> Bool {
        guard let first = points.first else { return false }
        let pans = UIGestureRecognizer.successful(
            recognizers(UIPanGestureRecognizer.self, at: first).filter {
                $0.minimumNumberOfTouches <= 1 && $0.shouldBegin
            })
        for pan in pans { pan.pan(along: points.map { convert($0, to: pan.view) }, interval: interval) }
        return !pans.isEmpty
    }
}
