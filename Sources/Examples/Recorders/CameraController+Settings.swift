import AVFoundation

/// What the user sets: the flash, and where to focus.
extension CameraController {
    /// The icon of the flash button.
    static func flashIcon(for mode: AVCaptureDevice.FlashMode) -> String {
        switch mode {
        case .auto: "flash-auto"
        case .on: "flash-on"
        default: "flash-off"
        }
    }

    /// Selects the next flash mode: automatic, on, off, and automatic again. Does nothing if the camera has no flash.
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
            self.change(camera) { camera.flashMode = mode }
            self.showSession()
        }
    }

    /// Focuses and exposes where the user has tapped.
    ///
    /// - Parameter point: A point in the coordinates of the preview layer. Its picture may be rotated, mirrored and cropped.
    public func focus(at point: CGPoint) {
        let point = previewLayer.captureDevicePointConverted(fromLayerPoint: point)
        sessionQueue.async {
            guard let camera = self.cameraInput?.device else { return }
            self.change(camera) {
                // The point has an effect when the mode is set after it.
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

    /// Changes a camera while it is locked for that.
    private func change(_ camera: AVCaptureDevice, _ body: () -> Void) {
        do {
            try camera.lockForConfiguration()
        } catch {
            return show(error)
        }
        body()
        camera.unlockForConfiguration()
    }
}
