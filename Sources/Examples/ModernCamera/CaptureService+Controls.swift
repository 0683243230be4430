import AVFoundation

// The controls that the user changes with the Camera Control, the button of the phone.
extension CaptureService {
    /// Adds controls for zoom, exposure bias and self-timer; call it for each new camera.
    func addControls(for camera: AVCaptureDevice) {
        guard session.supportsControls else { return }
        session.setControlsDelegate(controlsReceiver, queue: sessionQueue)
        for control in session.controls { session.removeControl(control) }

        // The system slider changes the camera; the app only shows the new value.
        let zoom = AVCaptureSystemZoomSlider(device: camera) { [weak self] factor in
            Task { await self?.report(.zoomed(factor)) }
        }
        let exposure = AVCaptureSystemExposureBiasSlider(device: camera) { [weak self] bias in
            Task { await self?.report(.exposureBiased(bias)) }
        }
        let timer = AVCaptureIndexPicker(
            "Timer", symbolName: "timer", localizedIndexTitles: settings.selfTimers.map { $0 == 0 ? "Off" : "\($0) s" })
        timer.selectedIndex = settings.selfTimers.firstIndex(of: selfTimer) ?? 0
        timer.setActionQueue(sessionQueue) { [weak self] index in
            self?.assumeIsolated { $0.selectSelfTimer(at: index) }
        }
        // Sliders of the system call back on the main actor, the picker on `sessionQueue`, the executor of this actor.
        for control in [zoom, exposure, timer] where session.canAddControl(control) { session.addControl(control) }
    }

    private func selectSelfTimer(at index: Int) {
        selfTimer = settings.selfTimers[index]
        report(.selfTimerSelected(selfTimer))
    }
}

/// Reports when the controls start and stop covering the screen.
final class ControlsReceiver: NSObject, AVCaptureSessionControlsDelegate, Sendable {
    private let report: @Sendable (CaptureEvent) -> Void

    init(_ report: @escaping @Sendable (CaptureEvent) -> Void) { self.report = report }

    func sessionControlsDidBecomeActive(_ session: AVCaptureSession) {}

    func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) {
        report(.controlsCoverScreen(true))
    }

    func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) {
        report(.controlsCoverScreen(false))
    }

    func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {}
}
