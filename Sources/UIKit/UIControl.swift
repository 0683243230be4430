public import Foundation

/// A view that performs actions when the user touches it.
///
/// A test touches it with `view.tap(at:)`, or with `sendActions(for:)`.
/// - Note: Unlike Apple, there are no targets with selectors: use `addAction(_:for:)`.
@preconcurrency @MainActor
open class UIControl: UIView {
    /// An event of a control.
    public struct Event: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let touchDown = Event(rawValue: 1 << 0)
        public static let touchDownRepeat = Event(rawValue: 1 << 1)
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let touchUpOutside = Event(rawValue: 1 << 7)
        public static let touchCancel = Event(rawValue: 1 << 8)
        public static let valueChanged = Event(rawValue: 1 << 12)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        public static let allTouchEvents = Event(rawValue: 0x0000_0fff)
        public static let allEvents = Event(rawValue: 0xffff_ffff)
    }

    /// The state of a control, which determines its appearance.
    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: State = []
        public static let highlighted = State(rawValue: 1 << 0)
        public static let disabled = State(rawValue: 1 << 1)
        public static let selected = State(rawValue: 1 << 2)
    }

    /// A control that is not enabled ignores touches.
    open var isEnabled = true {
        didSet { stateChanged() }
    }
    open var isSelected = false {
        didSet { stateChanged() }
    }
    /// Whether a finger is on the control.
    open var isHighlighted = false {
        didSet { stateChanged() }
    }

    private var actions: [(action: UIAction, event: Event)] = []

    public override init(frame: CGRect) { super.init(frame: frame) }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Creates a control with the action of its primary event.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    open var state: State {
        var result = State.normal
        if isHighlighted { result.insert(.highlighted) }
        if !isEnabled { result.insert(.disabled) }
        if isSelected { result.insert(.selected) }
        return result
    }

    /// Updates the appearance after a change of the state.
    func stateChanged() { setNeedsLayout() }

    // MARK: Actions

    open func addAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
        actions.append((action, controlEvents))
    }

    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
    }

    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        actions.removeAll { $0.action.identifier == actionIdentifier && $0.event == controlEvents }
    }

    /// Performs the actions of events, in the order in which they were added.
    open func sendActions(for controlEvents: Event) {
        for (action, event) in actions where !event.isDisjoint(with: controlEvents) { sendAction(action) }
    }

    open func sendAction(_ action: UIAction) {
        action.sender = self
        action.handler(action)
    }

    // MARK: Touches

    /// Touches and releases the control at a point in its coordinates.
    ///
    /// - Returns: False if the control is not enabled and ignores the touch.
    func touch(at point: CGPoint) -> Bool {
        guard isEnabled else { return false }
        isHighlighted = true
        sendActions(for: .touchDown)
        isHighlighted = false
        touchEnded(at: point)
        return true
    }

    /// Sends the events of a finger that was lifted at a point in the coordinates of the control.
    func touchEnded(at point: CGPoint) {
        sendActions(for: .touchUpInside)
        sendActions(for: .primaryActionTriggered)
    }
}
