public import Foundation

/// Recognizes a gesture in a view and calls its handlers.
///
/// A test simulates touches: `view.tap(at:)`, `view.pinch(at:scales:)` and `view.pan(along:)`.
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

    public override init() { super.init() }

    /// Creates a recognizer with a handler.
    public convenience init(handler: @escaping (UIGestureRecognizer) -> Void) {
        self.init()
        addHandler(handler)
    }

    /// Adds a handler that is called for each change of `state`.
    public func addHandler(_ handler: @escaping (UIGestureRecognizer) -> Void) { handlers.append(handler) }

    /// The position of the gesture in the coordinates of a view; nil is the root view.
    open func location(in view: UIView?) -> CGPoint {
        self.view.map { $0.convert(position, to: view) } ?? position
    }

    open var numberOfTouches: Int { touchCount }

    /// Reports a state at a point of `view`.
    func report(_ state: State, at point: CGPoint, touches: Int) {
        (position, touchCount, self.state) = (point, touches, state)
        for handler in handlers { handler(self) }
    }

    /// Whether the gesture may begin.
    var shouldBegin: Bool { isEnabled && delegate?.gestureRecognizerShouldBegin(self) ?? true }
}

/// Decides whether a gesture begins.
@preconcurrency @MainActor
public protocol UIGestureRecognizerDelegate: AnyObject {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
}

/// Recognizes taps.
@preconcurrency @MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired = 1
    open var numberOfTouchesRequired = 1
}

/// Recognizes two fingers that move apart or together.
@preconcurrency @MainActor
open class UIPinchGestureRecognizer: UIGestureRecognizer {
    /// The distance of the fingers relative to the begin of the gesture; the handler may set it.
    open var scale: CGFloat = 1
    /// Scale factors per second.
    open internal(set) var velocity: CGFloat = 0
}

extension UIView {
    /// Taps this view or the subview at a point, as a user does.
    ///
    /// - Parameters:
    ///   - point: In the coordinates of this view.
    ///   - tapCount: The number of successive taps.
    ///   - touchCount: The number of fingers.
    /// - Returns: Whether a recognizer recognized the tap.
    @discardableResult
    public func tap(at point: CGPoint, tapCount: Int = 1, touchCount: Int = 1) -> Bool {
        let taps = recognizers(UITapGestureRecognizer.self, at: point).filter {
            $0.numberOfTapsRequired == tapCount && $0.numberOfTouchesRequired == touchCount
        }
        for tap in taps {
            tap.report(.ended, at: convert(point, to: tap.view), touches: touchCount)
            tap.state = .possible
        }
        return !taps.isEmpty
    }

    /// Pinches this view or the subview at a point, as a user does: the gesture begins with scale 1, changes to each
    /// scale and ends.
    ///
    /// - Parameters:
    ///   - point: The middle of the fingers, in the coordinates of this view.
    ///   - scales: The successive distances of the fingers relative to the begin.
    /// - Returns: Whether a recognizer recognized the pinch.
    @discardableResult
    public func pinch(at point: CGPoint, scales: [CGFloat]) -> Bool {
        let pinches = recognizers(UIPinchGestureRecognizer.self, at: point)
        for pinch in pinches {
            let position = convert(point, to: pinch.view)
            pinch.scale = 1
            pinch.report(.began, at: position, touches: 2)
            var last: CGFloat = 1
            for scale in scales {
                // A handler that resets the scale receives the change since then.
                pinch.scale *= scale / last
                last = scale
                pinch.report(.changed, at: position, touches: 2)
            }
            pinch.report(.ended, at: position, touches: 2)
            pinch.state = .possible
        }
        return !pinches.isEmpty
    }

    /// The recognizers that receive a gesture at a point: those of the view there and of its superviews.
    func recognizers<Recognizer: UIGestureRecognizer>(
        _ type: Recognizer.Type, at point: CGPoint
    ) -> [Recognizer] {
        var result: [Recognizer] = []
        var view = hitTest(point, with: nil)
        while let current = view {
            result += (current.gestureRecognizers ?? []).compactMap { $0 as? Recognizer }.filter(\.shouldBegin)
            view = current.superview
        }
        return result
    }
}
