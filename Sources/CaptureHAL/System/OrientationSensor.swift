import MediaTypes

/// The physical orientation of the device that the program runs on; the raw values match `UIDeviceOrientation`.
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
        /// The physical orientation.
        var current: DeviceOrientation
        /// The last orientation with a known rotation.
        var lastKnown: DeviceOrientation
        /// The locked orientation of the user interface.
        var locked: DeviceOrientation?
    }

    private let state: Lock<State>
    private let observers = Observers<Void>()

    /// Creates a sensor.
    public init(_ orientation: DeviceOrientation = .unknown) {
        let lastKnown = orientation.rotation == nil ? .unknown : orientation
        state = Lock(State(current: orientation, lastKnown: lastKnown), order: .primitive)
    }

    /// The current physical orientation.
    public var current: DeviceOrientation { state.withLock { $0.current } }

    /// The last orientation with a rotation; `.unknown` before the first.
    public var lastKnown: DeviceOrientation { state.withLock { $0.lastKnown } }

    /// The orientation of the user interface: the locked one, else `lastKnown`.
    public var interface: DeviceOrientation { state.withLock { $0.locked ?? $0.lastKnown } }

    /// Rotates the device.
    public func rotate(to orientation: DeviceOrientation) {
        change { state in
            state.current = orientation
            if orientation.rotation != nil { state.lastKnown = orientation }
        }
    }

    /// Locks the orientation of the user interface, like an app that supports only one orientation; nil unlocks it.
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
