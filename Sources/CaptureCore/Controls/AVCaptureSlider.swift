import CaptureHAL
public import Dispatch
import Foundation
import MediaTypes

/// A control for a value in a range.
///
/// - Important: Thread-safe.
public final class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {
    // SAFETY: all properties are immutable or behind `state`.
    /// The values that a slider can have.
    private enum Values: Sendable {
        case all
        case steps(Float)
        case list([Float])
    }

    private struct State: Sendable {
        var value: Float
        var valueFormat: String?
        var prominentValues: [Float] = []
        var identifier: String?
        var action: ControlAction<Float>?
    }

    public let localizedTitle: String
    public let symbolName: String
    private let range: ClosedRange<Float>
    private let values: Values
    private let state: Lock<State>

    private init(_ title: String, _ symbolName: String, _ range: ClosedRange<Float>, _ values: Values) {
        localizedTitle = title
        self.symbolName = symbolName
        self.range = range
        let isStepValid = if case .steps(let step) = values { step > 0 && step.isFinite } else { true }
        // If the misuse handler returns, a slider with an invalid step has all values.
        self.values = isStepValid ? values : .all
        state = Lock(State(value: range.lowerBound))
        let system = CaptureSystem.current
        super.init(system.reference, system.misuse)
        let method = "AVCaptureSlider initWithLocalizedTitle:symbolName:"
        switch values {
        case .list(let list):
            guard list.isEmpty else { break }
            misuse.report(.invalidArgument, "-[\(method)values:] values must not be empty")
        case .steps:
            guard range.lowerBound >= range.upperBound || !isStepValid else { break }
            misuse.report(
                .invalidArgument,
                "-[\(method)minValue:maxValue:step:] minValue must be less than maxValue, and step finite and greater "
                    + "than 0")
        case .all:
            guard range.lowerBound >= range.upperBound else { break }
            misuse.report(.invalidArgument, "-[\(method)minValue:maxValue:] minValue must be less than maxValue")
        }
    }

    /// Creates a slider for all values of a range; a range of one value is misuse.
    public convenience init(_ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>) {
        self.init(localizedTitle, symbolName, range, .all)
    }

    /// Creates a slider for the values of a range at multiples of `step` from its lower bound; a range of one value, or
    /// a step that is not finite and greater than 0, is misuse.
    public convenience init(
        _ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>, step: Float
    ) {
        self.init(localizedTitle, symbolName, range, .steps(step))
    }

    /// Creates a slider for some values; an empty array is misuse.
    public convenience init(_ localizedTitle: String, symbolName: String, values: [Float]) {
        let range = (values.min() ?? 0)...(values.max() ?? 0)
        self.init(localizedTitle, symbolName, range, .list(values))
    }

    /// The current value, by default the smallest value; setting a value outside the range is misuse.
    ///
    /// The action is not called for values that the client sets.
    public var value: Float {
        get {
            observedProperties.access()
            return state.withLock { $0.value }
        }
        set {
            guard range.contains(newValue) else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureSlider setValue:] \(newValue) is outside the range \(range.lowerBound) - "
                        + "\(range.upperBound)")
            }
            state.withLock { $0.value = newValue }
            observedProperties.changed()
        }
    }

    /// The format in which the value is presented, with the placeholder `%@`; nil by default.
    public var localizedValueFormat: String? {
        get { observedProperties.value(\.valueFormat, in: state) }
        set { observedProperties.set(\.valueFormat, in: state, to: newValue) }
    }

    /// The values that are presented prominently; none by default.
    public var prominentValues: [Float] {
        get { observedProperties.value(\.prominentValues, in: state) }
        set { observedProperties.set(\.prominentValues, in: state, to: newValue) }
    }

    /// Identifies the control in user interface tests; nil by default.
    public var accessibilityIdentifier: String? {
        get { observedProperties.value(\.identifier, in: state) }
        set { observedProperties.set(\.identifier, in: state, to: newValue) }
    }

    /// Sets the action that is called on a queue when the user has changed the value; required before the slider is
    /// added to a session.
    public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Float) -> Void) {
        let action = ControlAction(actionQueue, action)
        state.withLock { $0.action = action }
    }

    override var title: String { localizedTitle }

    override var rejectionReason: String? {
        guard state.withLock({ $0.action == nil }) else { return nil }
        return "the slider has no action; call setActionQueue:action: before you add it to a session"
    }

    override func adjust(to value: Double) -> Bool {
        let new = nearest(to: Float(value))
        let action = state.withLock { state in
            state.value = new
            return state.action
        }
        observedProperties.changed("value")
        action?.call(new, in: system)
        return true
    }

    /// Returns the valid value that is nearest to `value`.
    private func nearest(to value: Float) -> Float {
        let limited = min(max(value, range.lowerBound), range.upperBound)
        switch values {
        case .all: return limited
        case .steps(let step):
            let last = ((range.upperBound - range.lowerBound) / step).rounded(.down)
            let count = min(((limited - range.lowerBound) / step).rounded(), last)
            return range.lowerBound + count * step
        case .list(let list): return list.min { abs($0 - limited) < abs($1 - limited) } ?? limited
        }
    }
}
