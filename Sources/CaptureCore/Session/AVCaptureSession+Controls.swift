import CaptureHAL
public import Dispatch
import Foundation
import MediaTypes

/// Receives the presentation events of a session's controls, on the queue passed to `setControlsDelegate(_:queue:)`.
public protocol AVCaptureSessionControlsDelegate: AnyObject {
    /// The controls are presented.
    func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
    /// The controls are about to cover the screen; the client should hide its own user interface.
    func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
    /// The controls are about to uncover the screen.
    func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
    /// The controls were dismissed.
    func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}

/// The controls of a session.
struct SessionControls: Sendable {
    var list: [AVCaptureControl] = []
    var target: CallbackTarget<any AVCaptureSessionControlsDelegate>?
    /// Whether the user can change the controls now.
    var arePresented = false
}

// The controls that the user changes with the Camera Control of the machine. A light press of the button presents them.
// A tap dismisses them, and so does a session that stops, or that has no controls or no delegate anymore.
extension AVCaptureSession {
    /// Whether the machine has a Camera Control: a simulated machine with built-in cameras does.
    public var supportsControls: Bool { system.cameraControl != nil }

    /// The largest number of controls: 4, or 0 if controls are not supported.
    public var maxControlsCount: Int { supportsControls ? 4 : 0 }

    /// The controls, in the order in which they were added.
    public var controls: [AVCaptureControl] {
        observedProperties.access()
        return state.withLock { $0.controls.list }
    }

    /// Whether `addControl` accepts the control.
    public func canAddControl(_ control: AVCaptureControl) -> Bool { rejectionReason(for: control) == nil }

    /// Adds a control. Adding a control that `canAddControl` rejects is misuse.
    public func addControl(_ control: AVCaptureControl) {
        if let reason = rejectionReason(for: control) ?? join(control) {
            return system.misuse.report(.invalidArgument, "-[AVCaptureSession addControl:] \(reason)")
        }
        observedProperties.changed(["controls"])
    }

    /// Removes a control; a control of another session is ignored.
    public func removeControl(_ control: AVCaptureControl) {
        guard control.leave(self) else { return }
        state.withLock { $0.controls.list.removeAll { $0 === control } }
        observedProperties.changed(["controls"])
        dismissUnusableControls()
    }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    ///
    /// Controls are presented only if the session has a delegate.
    public func setControlsDelegate(
        _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?, queue controlsDelegateCallbackQueue: DispatchQueue?
    ) {
        guard
            system.misuse.checkQueue(
                controlsDelegateCallbackQueue, of: controlsDelegate, "AVCaptureSession setControlsDelegate:queue:")
        else { return }
        system.reference.lifetimes.add(controlsDelegate, "the delegate")
        let target = controlsDelegate.map { delegate in
            CallbackTarget<any AVCaptureSessionControlsDelegate>(queue: controlsDelegateCallbackQueue) {
                [weak delegate] in delegate
            }
        }
        state.withLock { $0.controls.target = target }
        observedProperties.changed(["controlsDelegate", "controlsDelegateCallbackQueue"])
        dismissUnusableControls()
    }

    /// The delegate; not retained.
    public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? {
        observedProperties.access()
        return state.withLock { $0.controls.target }?.delegate
    }

    public var controlsDelegateCallbackQueue: DispatchQueue? {
        observedProperties.access()
        return state.withLock { $0.controls.target }?.queue
    }

    /// Returns the reason why a control cannot be added; nil if it can.
    private func rejectionReason(for control: AVCaptureControl) -> String? {
        if let message = system.reference.rejectionReason(
            joining: "\(control)", of: control.system, to: "the session")
        {
            return message
        }
        if !supportsControls { return "controls are not supported; use -supportsControls" }
        if let owner = control.session { return rejectionReason(forControlOf: owner) }
        if controls.count >= maxControlsCount { return Self.tooManyControls }
        return control.rejectionReason
    }

    private func rejectionReason(forControlOf owner: AVCaptureSession) -> String {
        owner === self
            ? "An AVCaptureControl instance may not be added more than once to a session"
            : "An AVCaptureControl instance may not be added to more than one session"
    }

    private static let tooManyControls = "the session has maxControlsCount controls"

    /// Adds a control that was accepted.
    ///
    /// - Returns: Nil, or the reason why it cannot be added: another thread has added it, or other controls.
    private func join(_ control: AVCaptureControl) -> String? {
        if let owner = control.join(self) { return rejectionReason(forControlOf: owner) }
        let maximum = maxControlsCount
        let isAdded = state.withLock { state in
            guard state.controls.list.count < maximum else { return false }
            state.controls.list.append(control)
            return true
        }
        if isAdded { return nil }
        control.leave(self)
        return Self.tooManyControls
    }

    // MARK: Presentation

    /// Responds to a gesture of the user.
    ///
    /// - Returns: Whether it had an effect.
    func respond(to gesture: CameraControl.Gesture) -> Bool {
        switch gesture {
        case .press: return presentControls()
        case .adjust(let title, let value):
            let control = state.withLock { $0.controls.list }.first { $0.title == title && $0.isEnabled }
            guard let control, presentControls() else { return false }
            return control.adjust(to: value)
        case .dismiss: return dismissControls()
        }
    }

    /// Dismisses the controls if the session has stopped, or has no controls or no delegate.
    func dismissUnusableControls() {
        if !canPresentControls { _ = dismissControls() }
    }

    private var canPresentControls: Bool {
        let (isRunning, controls) = state.withLock { ($0.run.isRunning, $0.controls) }
        return isRunning && !controls.list.isEmpty && controls.target?.delegate != nil
    }

    /// - Returns: Whether the controls are presented.
    private func presentControls() -> Bool {
        guard canPresentControls else { return false }
        let isChange = state.withLock { state in
            defer { state.controls.arePresented = true }
            return !state.controls.arePresented
        }
        if isChange {
            callControlsDelegate {
                $0.sessionControlsDidBecomeActive($1)
                $0.sessionControlsWillEnterFullscreenAppearance($1)
            }
        }
        return true
    }

    /// - Returns: Whether the controls were presented.
    private func dismissControls() -> Bool {
        let isChange = state.withLock { state in
            defer { state.controls.arePresented = false }
            return state.controls.arePresented
        }
        if isChange {
            callControlsDelegate {
                $0.sessionControlsWillExitFullscreenAppearance($1)
                $0.sessionControlsDidBecomeInactive($1)
            }
        }
        return isChange
    }

    private func callControlsDelegate(
        _ call: @escaping @Sendable (any AVCaptureSessionControlsDelegate, AVCaptureSession) -> Void
    ) {
        guard let target = state.withLock({ $0.controls.target }), let queue = target.queue else { return }
        system.deliver(on: queue) { [weak self] in
            guard let self, let delegate = target.delegate else { return }
            call(delegate, self)
        }
    }
}
