import MediaTypes

/// The physical orientation of the device that the program runs on; the raw values are those of `UIDeviceOrientation`.
public enum DeviceOrientation: Int, Sendable, Hashable, CaseIterable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    /// The upper edge points left: rotated 90° counterclockwise.
    case landscapeLeft = 3
    /// The upper edge points right: rotated 90° clockwise.
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6

    /// The rotation in counterclockwise degrees, as seen by a viewer of the screen; nil if gravity does not determine
    /// it.
    public var rotation: Int? {
        switch self {
        case .portrait: 0
        case .landscapeLeft: 90
        case .portraitUpsideDown: 180
        case .landscapeRight: 270
        case .unknown, .faceUp, .faceDown: nil
        }
    }
}

/// The physical orientation of the device that the program runs on, and the orientation of its user interface.
///
/// - Important: Thread-safe. Observers run on the thread that makes the change.
public final class OrientationSensor: Sendable {
    private struct State {
        var held: DeviceOrientation
        /// The last orientation with a known rotation.
        var known: DeviceOrientation
        var locked: DeviceOrientation?
    }

    private let state: Lock<State>
    private let observers = Observers<Void>()

    /// Creates a sensor.
    public init(_ held: DeviceOrientation = .unknown) {
        state = Lock(State(held: held, known: held.rotation == nil ? .unknown : held), order: .primitive)
    }

    /// The current physical orientation.
    public var held: DeviceOrientation { state.withLock { $0.held } }

    /// The last orientation with a rotation; `.unknown` before the first.
    public var lastKnown: DeviceOrientation { state.withLock { $0.known } }

    /// The orientation of the user interface: the locked one, else `lastKnown`.
    public var interface: DeviceOrientation { state.withLock { $0.locked ?? $0.known } }

    /// Rotates the device.
    public func rotate(to orientation: DeviceOrientation) {
        change { state in
            state.held = orientation
            if orientation.rotation != nil { state.known = orientation }
        }
    }

    /// Locks the orientation of the user interface, as an app that supports only one does; nil unlocks it.
    public func lockInterface(to orientation: DeviceOrientation?) {
        change { $0.locked = orientation }
    }

    /// Calls `handler` after each change until the token is cancelled or released.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> ObserverToken {
        observers.add { handler() }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        observers.notify(())
    }
}
