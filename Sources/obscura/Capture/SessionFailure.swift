import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes

/// Observes the first runtime error and the first interruption of a session.
///
/// A command ends at either of them; it does not wait for the end of an interruption.
final class SessionFailure: Sendable {
    private struct State {
        var error: AVError?
        var interruption: AVCaptureSession.InterruptionReason?
    }

    private let state = Lock(State())
    // SAFETY: only used to remove the observers in `deinit`.
    private nonisolated(unsafe) let tokens: [any NSObjectProtocol]
    private let center: NotificationCenter
    private let command: CommandSystem

    /// Starts observing.
    init(of session: AVCaptureSession, in command: CommandSystem) {
        self.command = command
        center = command.system.notificationCenter
        tokens = [
            center.addObserver(forName: .AVCaptureSessionRuntimeError, object: session, queue: nil) { [state] note in
                let error = note.userInfo?[AVCaptureSessionErrorKey] as? AVError
                state.withLock { $0.error = $0.error ?? error }
            },
            center.addObserver(forName: .AVCaptureSessionWasInterrupted, object: session, queue: nil) {
                [state] note in
                let reason = (note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int)
                    .flatMap(AVCaptureSession.InterruptionReason.init)
                state.withLock { $0.interruption = $0.interruption ?? reason }
            },
        ]
    }

    deinit { for token in tokens { center.removeObserver(token) } }

    /// Whether an error or interruption has occurred.
    var hasOccurred: Bool { state.withLock { $0.error != nil || $0.interruption != nil } }

    /// Waits until the reason why the session does not run has been posted.
    func waitForReason() { command.run(limit: .seconds(1)) { self.hasOccurred } }

    /// Returns a message with the failure and its remedy; nil if no failure has occurred.
    func message(_ setup: CaptureSetup) -> String? {
        let (error, interruption) = state.withLock { ($0.error, $0.interruption) }
        if let error {
            guard error.code == .deviceWasDisconnected,
                let device = error.userInfo[AVErrorDeviceKey] as? AVCaptureDevice
            else { return errorReason(error) }
            return "\(device.localizedName): \(errorReason(error))"
        }
        let camera = setup.camera?.localizedName ?? "the camera"
        return switch interruption {
        case nil: nil
        case .videoDeviceInUseByAnotherClient: "\(camera) is in use by another program: quit that program and try again"
        case .audioDeviceInUseByAnotherClient:
            "\(setup.microphone?.localizedName ?? "the microphone") is in use by another program: quit that program and try again"
        case .videoDeviceNotAvailableDueToSystemPressure:
            "\(camera) is too hot and has shut down: let it cool and try again"
        case .videoDeviceNotAvailableInBackground:
            "\(camera) is not available in the background: bring the program to the front and try again"
        case .videoDeviceNotAvailableWithMultipleForegroundApps:
            "\(camera) is not available while several programs are in the foreground: quit the others and try again"
        case .sensitiveContentMitigationActivated:
            "\(camera) was stopped because of what it showed: point it elsewhere and try again"
        }
    }

    /// Throws the error or interruption, if one has occurred.
    func check(_ setup: CaptureSetup) throws(CommandFailure) {
        if let message = message(setup) { throw CommandFailure(message) }
    }
}
