import CaptureCore
import CaptureHAL
import Dispatch
import Foundation
import MediaAssets
import MediaTypes

/// What ends a session's delivery: its first runtime error, or its first interruption.
///
/// A command ends there: who waits at a terminal would not know for what.
final class SessionFailure: Sendable {
    private struct State {
        var error: AVError?
        var interruption: AVCaptureSession.InterruptionReason?
    }

    private let state = Lock(State())
    // SAFETY: only kept to end the observations.
    private nonisolated(unsafe) let tokens: [any NSObjectProtocol]
    private let center: NotificationCenter

    /// - Parameter bell: Rung when it comes.
    init(of session: AVCaptureSession, ringing bell: DispatchSemaphore) {
        center = CaptureSystem.current.notificationCenter
        tokens = [
            center.addObserver(forName: .AVCaptureSessionRuntimeError, object: session, queue: nil) { [state] note in
                let error = note.userInfo?[AVCaptureSessionErrorKey] as? AVError
                state.withLock { $0.error = $0.error ?? error }
                bell.signal()
            },
            center.addObserver(forName: .AVCaptureSessionWasInterrupted, object: session, queue: nil) {
                [state] note in
                let reason = (note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int)
                    .flatMap(AVCaptureSession.InterruptionReason.init)
                state.withLock { $0.interruption = $0.interruption ?? reason }
                bell.signal()
            },
        ]
    }

    deinit { for token in tokens { center.removeObserver(token) } }

    var hasCome: Bool { state.withLock { $0.error != nil || $0.interruption != nil } }

    /// What happened, and what to do; nil where nothing did.
    func sentence(_ setup: CaptureSetup) -> String? {
        let (error, interruption) = state.withLock { ($0.error, $0.interruption) }
        if let error {
            guard error.code == .deviceWasDisconnected,
                let device = error.userInfo[AVErrorDeviceKey] as? AVCaptureDevice
            else { return error.localizedDescription }
            return "\(device.localizedName): \(error.localizedDescription)"
        }
        let camera = setup.camera?.localizedName ?? "the camera"
        return switch interruption {
        case nil: nil
        case .videoDeviceInUseByAnotherClient: "\(camera) is in use by another program: end that and try again"
        case .audioDeviceInUseByAnotherClient:
            "\(setup.microphone?.localizedName ?? "the microphone") is in use by another program: end that and try again"
        case .videoDeviceNotAvailableDueToSystemPressure:
            "\(camera) is too hot and has shut down: let it cool and try again"
        case .videoDeviceNotAvailableInBackground:
            "\(camera) is not to be had in the background: bring the program to the front and try again"
        case .videoDeviceNotAvailableWithMultipleForegroundApps:
            "\(camera) is not to be had beside other programs: end those and try again"
        case .sensitiveContentMitigationActivated:
            "\(camera) was stopped because of what it showed: point it elsewhere and try again"
        }
    }

    /// Throws what happened.
    func check(_ setup: CaptureSetup) throws(CommandFailure) {
        if let sentence = sentence(setup) { throw CommandFailure(sentence) }
    }
}
