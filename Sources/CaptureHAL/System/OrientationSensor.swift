import MediaTypes

/// How a person holds the machine; the raw values are those of `UIDeviceOrientation`.
public enum HeldOrientation: Int, Sendable, Hashable, CaseIterable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    /// The upper edge points left: turned a quarter counter-clockwise.
    case landscapeLeft = 3
    /// The upper edge points right: turned a quarter clockwise.
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6

    /// Counter-clockwise degrees by which the machine is turned, as someone in front of its screen sees it; nil where
    /// gravity does not tell.
    public var turn: Int? {
        switch self {
        case .portrait: 0
        case .landscapeLeft: 90
        case .portraitUpsideDown: 180
        case .landscapeRight: 270
        case .unknown, .faceUp, .faceDown: nil
        }
    }
}

/// Tells how the machine is held and which way up its screen's contents are.
///
/// - Important: Thread-safe. Observers run on the thread that makes the change.
public final class OrientationSensor: Sendable {
    private struct State {
        var held: HeldOrientation
        /// The last orientation in which gravity told the turn.
        var known: HeldOrientation
        var locked: HeldOrientation?
    }

    private let state: Lock<State>
    private let observers = Observers<Void>()

    public init(_ held: HeldOrientation = .unknown) {
        state = Lock(State(held: held, known: held.turn == nil ? .unknown : held), order: .primitive)
    }

    /// How the machine is held now.
    public var held: HeldOrientation { state.withLock { $0.held } }

    /// The last orientation in which gravity told the turn; `.unknown` before there was one.
    public var lastKnown: HeldOrientation { state.withLock { $0.known } }

    /// Which way up the screen's contents are: with the machine, or as they are locked.
    public var interface: HeldOrientation { state.withLock { $0.locked ?? $0.known } }

    /// Turns the machine.
    public func turn(to orientation: HeldOrientation) {
        change { state in
            state.held = orientation
            if orientation.turn != nil { state.known = orientation }
        }
    }

    /// Holds the screen's contents one way up, as an app does that only has one; nil lets them follow the machine.
    public func lockInterface(to orientation: HeldOrientation?) {
        change { $0.locked = orientation }
    }

    /// Calls `handler` after each change until the observation ends.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> Observation {
        observers.add { handler() }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        observers.notify(())
    }
}
