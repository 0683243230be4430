import CaptureHAL
public import Foundation
public import KeyValueObserving
import MediaTypes

/// A control of a session that the user changes with the Camera Control of the machine.
///
/// - Important: Thread-safe.
public class AVCaptureControl: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: the state is behind `state`; the state of a subclass is immutable or behind a lock.
    /// The system in which the control was created.
    let system: SystemReference
    let misuse: MisuseHandler
    public let observedProperties: ObservedProperties

    private struct State: Sendable {
        var isEnabled = true
        weak var session: AVCaptureSession?
    }

    private let state = Lock(State())

    init(_ system: SystemReference, _ misuse: MisuseHandler) {
        self.system = system
        self.misuse = misuse
        observedProperties = ObservedProperties(system, misuse)
        super.init()
    }

    /// Whether the user can change the control; true by default.
    public var isEnabled: Bool {
        get { observedProperties.value(\.isEnabled, in: state) }
        set { observedProperties.set(\.isEnabled, in: state, to: newValue) }
    }

    /// The session to which the control was added; nil if there is none.
    var session: AVCaptureSession? { state.withLock { $0.session } }

    /// Makes the control belong to a session.
    ///
    /// - Returns: The session to which it belongs already; nil if it had none.
    func join(_ session: AVCaptureSession) -> AVCaptureSession? {
        state.withLock { state in
            if let owner = state.session { return owner }
            state.session = session
            return nil
        }
    }

    /// Removes the control from a session.
    ///
    /// - Returns: Whether it belonged to the session.
    @discardableResult
    func leave(_ session: AVCaptureSession) -> Bool {
        state.withLock { state in
            guard state.session === session else { return false }
            state.session = nil
            return true
        }
    }

    /// The title by which the user selects the control.
    var title: String { "" }

    /// The reason why the control cannot be added to a session; nil if it can.
    var rejectionReason: String? { nil }

    /// Sets the control to the supported value nearest to `value`, as the user does, and calls the action.
    ///
    /// - Returns: Whether the control was set.
    func adjust(to value: Double) -> Bool { false }
}

/// The camera that a system slider adjusts, and the slider's action.
struct CameraAdjustment<Value: Comparable & Sendable>: Sendable {
    let device: AVCaptureDevice
    /// Called with the values that the user sets; nil for none.
    let action: (@MainActor (Value) -> Void)?

    /// Sets a value that the user has chosen, then calls the action.
    ///
    /// - Parameters:
    ///   - value: Limited to `range`.
    ///   - range: The values for the active format; nil if it has none.
    ///   - set: Sets a value of the locked device.
    /// - Returns: Whether the value was set; false without a range, or for a disconnected or busy device.
    func apply(_ value: Value, in range: ClosedRange<Value>?, _ set: (Value) -> Void) -> Bool {
        guard let range, (try? device.lockForConfiguration()) != nil else { return false }
        let limited = min(max(value, range.lowerBound), range.upperBound)
        set(limited)
        device.unlockForConfiguration()
        if let action {
            device.environment.system.deliver(on: .main) { MainActor.assumeIsolated { action(limited) } }
        }
        return true
    }
}

/// An action of a control with the queue on which it is called.
struct ControlAction<Value>: @unchecked Sendable {
    // SAFETY: `action` is called on `queue` only, to which the client confines it.
    private let queue: DispatchQueue
    private let action: (Value) -> Void

    init(_ queue: DispatchQueue, _ action: @escaping (Value) -> Void) {
        self.queue = queue
        self.action = action
    }

    /// Calls the action on its queue.
    func call(_ value: Value, in system: SystemReference) where Value: Sendable {
        system.deliver(on: queue) { action(value) }
    }
}
