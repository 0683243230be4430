public import Foundation

/// Recognizes fingers that move over a view.
@preconcurrency @MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
    open var minimumNumberOfTouches = 1
    open var maximumNumberOfTouches = Int.max
    /// In the coordinates of `view`.
    private var moved = CGPoint.zero
    /// In points per second.
    private var speed = CGPoint.zero

    /// The movement since the begin of the gesture or the last `setTranslation`, along the axes of a view; nil is the
    /// root view.
    open func translation(in view: UIView?) -> CGPoint { vector(moved, in: view) }

    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        guard let own = self.view, let view else {
            moved = translation
            return
        }
        let (origin, end) = (own.convert(CGPoint.zero, from: view), own.convert(translation, from: view))
        moved = CGPoint(x: end.x - origin.x, y: end.y - origin.y)
    }

    /// The speed of the last movement in points per second; zero at the begin and the end.
    open func velocity(in view: UIView?) -> CGPoint { vector(speed, in: view) }

    private func vector(_ vector: CGPoint, in view: UIView?) -> CGPoint {
        guard let own = self.view else { return vector }
        let (origin, end) = (own.convert(CGPoint.zero, to: view), own.convert(vector, to: view))
        return CGPoint(x: end.x - origin.x, y: end.y - origin.y)
    }

    /// Simulates a gesture along points of `view`, with the same time between two points.
    func pan(along points: [CGPoint], interval: TimeInterval) {
        guard let first = points.first, var last = points.first else { return }
        (moved, speed) = (.zero, .zero)
        report(.began, at: first, touches: 1)
        for point in points.dropFirst() {
            let step = CGPoint(x: point.x - last.x, y: point.y - last.y)
            // A handler that resets the translation receives the movement since then.
            moved = CGPoint(x: moved.x + step.x, y: moved.y + step.y)
            speed = CGPoint(x: step.x / interval, y: step.y / interval)
            last = point
            report(.changed, at: point, touches: 1)
        }
        speed = .zero
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
    ///   - interval: The time between two points in seconds, which gives the gesture's velocity.
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
