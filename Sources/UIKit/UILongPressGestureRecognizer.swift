import CaptureHAL
public import Foundation
import MediaTypes

/// Recognizes a finger that rests on a view.
@preconcurrency @MainActor
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The time until the gesture begins, in seconds.
    open var minimumPressDuration: TimeInterval = 0.5
    /// In points; simulated fingers do not move.
    open var allowableMovement: CGFloat = 10
    /// The number of taps before the press. Taps before presses are not simulated: with a value above 0, nothing is
    /// recognized.
    open var numberOfTapsRequired = 0
    open var numberOfTouchesRequired = 1

    fileprivate func report(_ newState: State, at point: CGPoint) { report(newState, at: point, touches: 1) }

    fileprivate func end(at point: CGPoint) {
        guard state == .began || state == .changed else { return }
        report(.ended, at: point)
        state = .possible
    }
}

extension UIView {
    /// Holds a finger on this view or the subview at a point, as a user does.
    ///
    /// The press starts at the current time of the capture system's clock. Long-press recognizers begin after
    /// their minimum duration and end with the press. In a simulated system, advance its clock.
    ///
    /// - Parameters:
    ///   - point: In the coordinates of this view.
    ///   - duration: In seconds.
    /// - Returns: Whether a recognizer recognizes the press, if the clock advances by the duration.
    @discardableResult
    public func press(at point: CGPoint, duration: TimeInterval) -> Bool {
        let presses = UIGestureRecognizer.successful(
            recognizers(UILongPressGestureRecognizer.self, at: point).filter {
                $0.minimumPressDuration <= duration && $0.numberOfTouchesRequired == 1
                    && $0.numberOfTapsRequired == 0 && $0.shouldBegin
            })
        for press in presses {
            let position = convert(point, to: press.view)
            schedule(after: press.minimumPressDuration) { [weak press] in press?.report(.began, at: position) }
            schedule(after: duration) { [weak press] in press?.end(at: position) }
        }
        return !presses.isEmpty
    }

    private func schedule(after seconds: TimeInterval, _ action: @escaping @MainActor @Sendable () -> Void) {
        let system = CaptureSystem.current
        let due = system.clock.now + CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
        system.clock.schedule(at: due) { [reference = system.reference] in
            reference.deliver(on: .main) { MainActor.assumeIsolated { action() } }
        }
    }
}
