public import Foundation

/// Recognizes a gesture in a view and calls its handlers.
///
/// A test simulates touches: `view.tap(at:)`, `view.pinch(at:scales:)`, `view.pan(along:)`, `view.press(at:duration:)`
/// and `view.swipe(_:at:)`. The recognizers of the touched view and of its superviews receive them. If several
/// recognize the gesture, the recognizer of the deepest view is successful; in the same view, it is the one that
/// requires the most taps. The others fail, unless a delegate permits simultaneous recognition.
/// - Note: Unlike Apple, handlers are closures instead of targets with selectors.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    public enum State: Int, Hashable, Sendable {
        case possible = 0
        case began, changed, ended, cancelled, failed

        public static let recognized = State.ended
    }

    public internal(set) weak var view: UIView?
    open var state = State.possible
    open var isEnabled = true
    open var cancelsTouchesInView = true
    open var name: String?
    open weak var delegate: (any UIGestureRecognizerDelegate)?

    private var handlers: [(UIGestureRecognizer) -> Void] = []
    /// The position of the gesture in the coordinates of `view`.
    private var position = CGPoint.zero
    private var touchCount = 0
    private var required: [WeakRecognizer] = []

    private struct WeakRecognizer {
        weak var recognizer: UIGestureRecognizer?
    }

    public override init() { super.init() }

    /// Creates a recognizer with a handler.
    public convenience init(handler: @escaping (UIGestureRecognizer) -> Void) {
        self.init()
        addHandler(handler)
    }

    /// Adds a handler that is called for each change of `state`.
    public func addHandler(_ handler: @escaping (UIGestureRecognizer) -> Void) { handlers.append(handler) }

    /// The position of the gesture in the coordinates of a view; nil means the root view.
    open func location(in view: UIView?) -> CGPoint {
        self.view.map { $0.convert(position, to: view) } ?? position
    }

    open var numberOfTouches: Int { touchCount }

    /// The position of a finger in the coordinates of a view; nil means the root view.
    ///
    /// - Note: Unlike Apple, all fingers have the position of the gesture.
    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint { location(in: view) }

    // MARK: Other recognizers

    /// Delays the recognition until another recognizer fails; it fails if the other one is successful.
    ///
    /// - Note: Unlike Apple, taps only wait for taps.
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        required.append(WeakRecognizer(recognizer: otherGestureRecognizer))
    }

    /// Returns whether a successful recognition makes another recognizer of the same touches fail.
    open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }

    /// Returns whether the success of another recognizer of the same touches makes this one fail.
    open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }

    /// Returns whether the recognition waits for the failure of another recognizer.
    func requiresFailure(of other: UIGestureRecognizer) -> Bool {
        required.contains { $0.recognizer === other }
            || delegate?.gestureRecognizer(self, shouldRequireFailureOf: other) ?? false
            || other.delegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: self) ?? false
    }

    private func excludes(_ other: UIGestureRecognizer) -> Bool {
        canPrevent(other) && other.canBePrevented(by: self)
            && !(delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: other) ?? false)
            && !(other.delegate?.gestureRecognizer(other, shouldRecognizeSimultaneouslyWith: self) ?? false)
    }

    /// Returns the recognizers that are successful if all of them recognize the same touches.
    ///
    /// - Parameter recognizers: The recognizers in descending order of priority.
    static func successful<Recognizer: UIGestureRecognizer>(_ recognizers: [Recognizer]) -> [Recognizer] {
        recognizers.reduce(into: []) { winners, recognizer in
            if !winners.contains(where: { $0.excludes(recognizer) }) { winners.append(recognizer) }
        }
    }

    // MARK: Recognition

    /// Reports a state at a point of `view`.
    func report(_ state: State, at point: CGPoint, touches: Int) {
        (position, touchCount, self.state) = (point, touches, state)
        for handler in handlers { handler(self) }
    }

    /// Whether the gesture can begin.
    var shouldBegin: Bool { isEnabled && delegate?.gestureRecognizerShouldBegin(self) ?? true }
}

/// Decides whether a gesture begins, and which recognizers exclude each other.
@preconcurrency @MainActor
public protocol UIGestureRecognizerDelegate: AnyObject {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    /// Returns whether both recognizers can be successful for the same touches.
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }

    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }

    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
}

extension UIView {
    /// Returns the enabled recognizers of the view at a point and of its superviews, deepest first.
    func recognizers<Recognizer: UIGestureRecognizer>(
        _ type: Recognizer.Type, at point: CGPoint
    ) -> [Recognizer] {
        var result: [Recognizer] = []
        var view = hitTest(point, with: nil)
        while let current = view {
            result += (current.gestureRecognizers ?? []).compactMap { $0 as? Recognizer }.filter(\.isEnabled)
            view = current.superview
        }
        return result
    }

    /// Returns the recognizers that recognize a gesture at a point and are not prevented by their delegates.
    func successfulRecognizers<Recognizer: UIGestureRecognizer>(
        _ type: Recognizer.Type, at point: CGPoint
    ) -> [Recognizer] {
        UIGestureRecognizer.successful(recognizers(type, at: point).filter(\.shouldBegin))
    }
}
