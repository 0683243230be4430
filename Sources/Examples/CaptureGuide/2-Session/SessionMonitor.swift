import AVFoundation

/// Reports the state of a session to the user interface, by notifications and by key-value observing.
public final class SessionMonitor {
    /// A change of the session.
    public enum Event: Equatable, Sendable {
        case started
        case stopped
        case interrupted(AVCaptureSession.InterruptionReason?)
        case interruptionEnded
        case failed(AVError.Code?)
    }

    private let center = NotificationCenter.default
    private var tokens: [any NSObjectProtocol] = []
    private var observations: [NSKeyValueObservation] = []

    /// Creates a monitor that does not observe a session yet.
    public init() {}

    deinit {
        for token in tokens { center.removeObserver(token) }
    }

    /// Calls `report` on the main queue when the session starts, stops, is interrupted or fails.
    public func reportNotifications(of session: AVCaptureSession, _ report: @escaping @Sendable (Event) -> Void) {
        observe(.AVCaptureSessionDidStartRunning, session) { _ in report(.started) }
        observe(.AVCaptureSessionDidStopRunning, session) { _ in report(.stopped) }
        observe(.AVCaptureSessionWasInterrupted, session) { notification in
            let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            report(.interrupted(value.flatMap(AVCaptureSession.InterruptionReason.init)))
        }
        observe(.AVCaptureSessionInterruptionEnded, session) { _ in report(.interruptionEnded) }
        observe(.AVCaptureSessionRuntimeError, session) { notification in
            report(.failed((notification.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.code))
        }
    }

    /// Calls `report` with each change of `isRunning` and `isInterrupted`, on the thread of the change.
    public func observeProperties(
        of session: AVCaptureSession, _ report: @escaping @Sendable (_ isRunning: Bool, _ isInterrupted: Bool) -> Void
    ) {
        observations.append(
            session.observe(\.isRunning) { session, _ in report(session.isRunning, session.isInterrupted) })
        observations.append(
            session.observe(\.isInterrupted) { session, _ in report(session.isRunning, session.isInterrupted) })
    }

    private func observe(
        _ name: Notification.Name, _ session: AVCaptureSession, _ handle: @escaping @Sendable (Notification) -> Void
    ) {
        tokens.append(center.addObserver(forName: name, object: session, queue: .main, using: handle))
    }
}
