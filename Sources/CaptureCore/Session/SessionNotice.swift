import Foundation
import MediaAssets

/// A notification to clients that waits until the session's locks are free.
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

extension AVCaptureSession {
    /// Posts the waiting notices unless another thread does; observers may call the session.
    func postNotices() {
        guard state.withLock({ $0.notices.begin() }) else { return }
        while let notice = state.withLock({ $0.notices.next() }) {
            switch notice {
            case .runState(let event, let userInfo):
                observedProperties.changed([event.changedProperty])
                post(event.notificationName, userInfo)
            case .runtimeError(let error):
                post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: error])
            case .call(let body): body()
            }
        }
    }

    private func post(_ name: Notification.Name, _ userInfo: [String: any Sendable]) {
        system.notificationCenter.post(name: name, object: self, userInfo: userInfo)
    }
}
