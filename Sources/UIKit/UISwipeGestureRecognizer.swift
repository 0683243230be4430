public import Foundation

/// Recognizes a finger that moves quickly in a direction.
@preconcurrency @MainActor
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    public struct Direction: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let right = Direction(rawValue: 1 << 0)
        public static let left = Direction(rawValue: 1 << 1)
        public static let up = Direction(rawValue: 1 << 2)
        public static let down = Direction(rawValue: 1 << 3)
    }

    /// The directions that are recognized.
    open var direction = Direction.right
    open var numberOfTouchesRequired = 1
}

extension UIView {
    /// Swipes over this view or the subview at a point, as a user does.
    ///
    /// - Parameters:
    ///   - direction: One direction.
    ///   - point: The start of the swipe, in the coordinates of this view.
    ///   - touchCount: The number of fingers.
    /// - Returns: Whether a recognizer recognized the swipe.
    @discardableResult
    public func swipe(
        _ direction: UISwipeGestureRecognizer.Direction, at point: CGPoint, touchCount: Int = 1
    ) -> Bool {
        let swipes = UIGestureRecognizer.successful(
            recognizers(UISwipeGestureRecognizer.self, at: point).filter {
                $0.direction.isSuperset(of: direction) && $0.numberOfTouchesRequired == touchCount && $0.shouldBegin
            })
        for swipe in swipes {
            swipe.report(.ended, at: convert(point, to: swipe.view), touches: touchCount)
            swipe.state = .possible
        }
        return !swipes.isEmpty
    }
}
