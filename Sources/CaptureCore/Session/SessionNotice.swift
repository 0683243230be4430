import AssetTypes
import CaptureHAL
import Foundation

/// A notification to clients that is delivered after the session's locks are released.
enum SessionNotice: Sendable {
    case runState(SessionRunState.Event, userInfo: [String: any Sendable] = [:])
    case runtimeError(AVError)
    /// Notifies outputs or the observers of properties.
    case call(@Sendable () -> Void)
}

extension SessionRunState.Event {
    var notificationName: Notification.Name {
        switch self {
        case .didStartRunning: .AVCaptureSessionDidStartRunning
        case .didStopRunning: .AVCaptureSessionDidStopRunning
        case .wasInterrupted: .AVCaptureSessionWasInterrupted
        case .interruptionEnded: .AVCaptureSessionInterruptionEnded
        }
    }

    /// The property of the session that the event changes.
    var changedProperty: String {
        switch self {
        case .didStartRunning, .didStopRunning: "isRunning"
        case .wasInterrupted, .interruptionEnded: "isInterrupted"
        }
    }
}

extension SessionRunState.Event {
    /// The event in words, for the log.
    fileprivate var logText: String {
        switch self {
        case .didStartRunning: "started"
        case .didStopRunning: "stopped"
        case .wasInterrupted(let reason): "interrupted: \(reason)"
        case .interruptionEnded: "interruption ended"
        }
    }
}

extension AVCaptureSession {
    /// Delivers the waiting notices, unless another thread is delivering them. Observers of properties run on this
    /// thread and may call the session. Notifications are posted on the main thread.
    func postNotices() {
        guard state.withLock({ $0.notices.begin() }) else { return }
        while let notice = state.withLock({ $0.notices.next() }) {
            switch notice {
            case .runState(let event, let userInfo):
                CaptureLog.write(.session, .info, system.clock, event.logText)
                observedProperties.changed([event.changedProperty])
                post(event.notificationName, userInfo)
            case .runtimeError(let error):
                CaptureLog.write(
                    .session, .error, system.clock,
                    "runtime error \(error.code.rawValue): \(error.localizedDescription)")
                post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: error])
            case .call(let body): body()
            }
        }
    }

    /// Posts a notification on the main thread, unless the session is deallocated first.
    private func post(_ name: Notification.Name, _ userInfo: [String: any Sendable]) {
        system.notifications.post(name, userInfo: userInfo) { [weak self] in self }
    }
}
