import CaptureHAL
public import Foundation
import MediaTypes

/// Recognizes taps.
///
/// Successive taps are at most 0.35 s apart, in the time of the capture system, and at most 45 points apart along each
/// axis.
@preconcurrency @MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired = 1
    open var numberOfTouchesRequired = 1

    /// The maximum time between two taps.
    private static let interval = CMTime(value: 350, timescale: 1000)
    /// The maximum distance between two taps along each axis, in points.
    private static let distance: CGFloat = 45

    /// The received taps of an incomplete sequence of several taps.
    private struct Sequence {
        var count: Int
        var position: CGPoint
        var time: CMTime
    }

    /// A recognition that waits for the failure of other recognizers.
    private final class Waiting {
        /// The number of recognizers that have not failed yet.
        var count: Int
        let recognize: @MainActor () -> Void

        init(count: Int, recognize: @escaping @MainActor () -> Void) {
            (self.count, self.recognize) = (count, recognize)
        }
    }

    private var sequence: Sequence?
    /// The number of the last tap, by which a timer detects that another tap has followed.
    private var sequenceNumber = 0
    /// The recognitions that wait for the failure of this recognizer.
    private var dependents: [Waiting] = []

    /// Whether the recognizer waits for more taps.
    private var isWaiting: Bool { sequence != nil }

    open override func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool {
        // In the same view, the recognizer that requires more taps takes precedence.
        guard let other = preventingGestureRecognizer as? UITapGestureRecognizer, other.view === view else {
            return true
        }
        return other.numberOfTapsRequired >= numberOfTapsRequired
    }

    /// Receives a tap at a point of `view`; returns whether it completes the sequence.
    private func receive(at position: CGPoint, touches: Int, time: CMTime) -> Bool {
        guard touches == numberOfTouchesRequired else {
            fail()
            return false
        }
        if let last = sequence,
            time - last.time > Self.interval || abs(position.x - last.position.x) > Self.distance
                || abs(position.y - last.position.y) > Self.distance
        {
            fail()
        }
        let count = (sequence?.count ?? 0) + 1
        sequenceNumber += 1
        guard count < numberOfTapsRequired else {
            sequence = nil
            return true
        }
        sequence = Sequence(count: count, position: position, time: time)
        let (system, number) = (CaptureSystem.current, sequenceNumber)
        system.clock.schedule(at: time + Self.interval) { [weak self, reference = system.reference] in
            reference.deliver(on: .main) {
                MainActor.assumeIsolated {
                    if let self, self.sequenceNumber == number, self.sequence != nil { self.fail() }
                }
            }
        }
        return false
    }

    /// Ends an incomplete sequence, and performs the recognitions that waited only for its failure.
    private func fail() {
        sequence = nil
        let waiting = dependents
        dependents = []
        for recognition in waiting {
            recognition.count -= 1
            if recognition.count == 0 { recognition.recognize() }
        }
    }

    private func recognize(at position: CGPoint, touches: Int) {
        // The recognitions that wait for a failure of this recognizer fail.
        dependents = []
        report(.ended, at: position, touches: touches)
        state = .possible
    }

    /// Delivers a tap to recognizers.
    ///
    /// - Parameters:
    ///   - recognizers: The recognizers that receive the tap, deepest first.
    ///   - position: Returns the position in the coordinates of a view.
    /// - Returns: Whether one recognized it or waits for the failure of others.
    static func deliver(
        to recognizers: [UITapGestureRecognizer], touches: Int, position: (UIView?) -> CGPoint
    ) -> Bool {
        let time = CaptureSystem.current.clock.now
        let complete = recognizers.filter { recognizer in
            recognizer.receive(at: position(recognizer.view), touches: touches, time: time) && recognizer.shouldBegin
        }
        // Failure requirements take precedence over the depth of views.
        let candidates = complete.filter { candidate in
            !complete.contains { $0 !== candidate && candidate.requiresFailure(of: $0) }
        }
        let (ready, delayed) = candidates.reduce(into: ([UITapGestureRecognizer](), [UITapGestureRecognizer]())) {
            let isDelayed = recognizers.contains { [candidate = $1] in
                $0.isWaiting && candidate.requiresFailure(of: $0)
            }
            if isDelayed { $0.1.append($1) } else { $0.0.append($1) }
        }
        let winners = successful(ready.sortedByTaps())
        for recognizer in winners { recognizer.recognize(at: position(recognizer.view), touches: touches) }
        guard winners.isEmpty else { return true }
        for recognizer in successful(delayed.sortedByTaps()) {
            let required = recognizers.filter { $0.isWaiting && recognizer.requiresFailure(of: $0) }
            let point = position(recognizer.view)
            let waiting = Waiting(count: required.count) { [weak recognizer] in
                recognizer?.recognize(at: point, touches: touches)
            }
            for other in required { other.dependents.append(waiting) }
        }
        return !delayed.isEmpty
    }
}

extension [UITapGestureRecognizer] {
    /// Returns the recognizers with those of the same view sorted by required taps, most first; deeper views remain
    /// first.
    @MainActor
    fileprivate func sortedByTaps() -> [UITapGestureRecognizer] {
        enumerated().sorted { first, second in
            let (a, b) = (first.element, second.element)
            guard a.view === b.view, a.numberOfTapsRequired != b.numberOfTapsRequired else {
                return first.offset < second.offset
            }
            return a.numberOfTapsRequired > b.numberOfTapsRequired
        }
        .map(\.element)
    }
}

extension UIView {
    /// Taps this view or the subview at a point, as a user does.
    ///
    /// A control that is tapped with one finger performs its actions; recognizers of its superviews receive nothing.
    ///
    /// - Parameters:
    ///   - point: In the coordinates of this view.
    ///   - tapCount: The number of successive taps, without time between them.
    ///   - touchCount: The number of fingers.
    /// - Returns: Whether a control or a recognizer handled the tap, or a recognizer waits for the failure of others.
    @discardableResult
    public func tap(at point: CGPoint, tapCount: Int = 1, touchCount: Int = 1) -> Bool {
        var isHandled = false
        for _ in 0..<max(tapCount, 0) {
            var taps = recognizers(UITapGestureRecognizer.self, at: point)
            if touchCount == 1, let control = hitTest(point, with: nil) as? UIControl, control.isEnabled {
                taps.removeAll { $0.view !== control }
                if control.touch(at: convert(point, to: control)) { isHandled = true }
            }
            if UITapGestureRecognizer.deliver(to: taps, touches: touchCount, position: { convert(point, to: $0) }) {
                isHandled = true
            }
        }
        return isHandled
    }
}
