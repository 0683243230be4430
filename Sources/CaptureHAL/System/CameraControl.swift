import MediaTypes

/// The Camera Control of a machine: the button with which the user changes the controls of a running session.
///
/// Sessions respond to its gestures. A session supports controls only if a host of its system has this button.
/// - Important: Thread-safe. Sessions respond on the calling thread; actions and delegates are called on their queues.
public final class CameraControl: Sendable {
    /// An action of the user with the button.
    package enum Gesture: Sendable, Hashable {
        /// A light press, which presents the controls.
        case press
        /// A slide of the control with this title to a value.
        case adjust(title: String, value: Double)
        /// A tap beside the controls, which dismisses them.
        case dismiss
    }

    private struct State {
        var responders: [(id: UInt64, respond: @Sendable (Gesture) -> Bool)] = []
        var next: UInt64 = 0
    }

    private let state = Lock(State(), order: .primitive)

    /// Creates a button to which no session responds.
    public init() {}

    /// Presses the button lightly: the running session presents its controls.
    ///
    /// - Returns: Whether the controls are presented; false if no running session has controls and a delegate.
    @discardableResult
    public func press() -> Bool { send(.press) }

    /// Selects a control and slides to a value; presents the controls if they are not presented.
    ///
    /// - Parameters:
    ///   - title: The title of the control: `localizedTitle` of sliders and pickers, "Zoom" and "Exposure" for the
    ///     system's sliders.
    ///   - value: The value of a slider, or the index of a picker. The control is set to its nearest value.
    /// - Returns: Whether the value was set; false if no enabled control has the title, or if `value` is not a number.
    @discardableResult
    public func adjust(_ title: String, to value: Double) -> Bool {
        !value.isNaN && send(.adjust(title: title, value: value))
    }

    /// Dismisses the controls.
    ///
    /// - Returns: Whether controls were presented.
    @discardableResult
    public func dismiss() -> Bool { send(.dismiss) }

    /// Adds a responder to gestures until the token is cancelled or released.
    ///
    /// - Parameter respond: Returns whether the gesture had an effect.
    package func addResponder(_ respond: @escaping @Sendable (Gesture) -> Bool) -> ObserverToken {
        let id = state.withLock { state in
            defer { state.next += 1 }
            state.responders.append((state.next, respond))
            return state.next
        }
        return ObserverToken { [weak self] in
            self?.state.withLock { $0.responders.removeAll { $0.id == id } }
        }
    }

    private func send(_ gesture: Gesture) -> Bool {
        let responders = state.withLock { $0.responders }
        return responders.reduce(false) { $1.respond(gesture) || $0 }
    }
}
