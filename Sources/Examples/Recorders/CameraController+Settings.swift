import AVFoundation

/// Settings of the user: the flash mode and the focus point.
extension CameraController {
    /// The icon of the flash button.
    static func flashIcon(for mode: AVCaptureDevice.FlashMode) -> String {
        switch mode {
        case .auto: "flash-auto"
        case .on: "flash-on"
        default: "flash-off"
        }
    }

    /// Selects the next flash mode in the order automatic, on, off. Has no effect if the camera has no flash.
    public func changeFlashMode() {
        sessionQueue.async {
            guard let camera = self.cameraInput?.device, camera.hasFlash else { return }
            let mode: AVCaptureDevice.FlashMode =
                switch camera.flashMode {
                case .auto: .on
                case .on: .off
                default: .auto
                }
            guard camera.isFlashModeSupported(mode) else { return }
            self.configure(camera) { camera.flashMode = mode }
            self.showSession()
        }
    }

    /// Focuses and exposes at a tapped point.
    ///
    /// - Parameter point: A point in the coordinates of the preview layer, which can rotate, mirror and crop the video.
    public func focus(at point: CGPoint) {
        let point = previewLayer.captureDevicePointConverted(fromLayerPoint: point)
        sessionQueue.async {
            guard let camera = self.cameraInput?.device else { return }
            self.configure(camera) {
                // A point takes effect when its mode is set.
                if camera.isFocusPointOfInterestSupported, camera.isFocusModeSupported(.autoFocus) {
                    camera.focusPointOfInterest = point
                    camera.focusMode = .autoFocus
                } else {
                    self.log("focus mode modification failed")
                }
                if camera.isExposurePointOfInterestSupported, camera.isExposureModeSupported(.continuousAutoExposure) {
                    camera.exposurePointOfInterest = point
                    camera.exposureMode = .continuousAutoExposure
                } else {
                    self.log("exposure mode modification failed")
                }
            }
        }
    }

    /// Locks a camera, changes it and unlocks it.
    private func configure(_ camera: AVCaptureDevice, _ body: () -> Void) {
        do {
            try camera.lockForConfiguration()
        } catch {
            return show(error)
        }
        body()
        camera.unlockForConfiguration()
    }
}
