import AVFoundation

/// Focus and exposure at tapped points. Points are in the coordinates of the camera, from (0, 0) to (1, 1).
extension CameraController {
    public var cameraSupportsTapToFocus: Bool { activeCamera?.isFocusPointOfInterestSupported ?? false }

    public var cameraSupportsTapToExpose: Bool { activeCamera?.isExposurePointOfInterestSupported ?? false }

    /// Focuses once at a point; then the focus is locked.
    public func focus(at point: CGPoint) {
        guard let camera = activeCamera, camera.isFocusPointOfInterestSupported,
            camera.isFocusModeSupported(.autoFocus)
        else { return }
        configure(camera) {
            $0.focusPointOfInterest = point
            $0.focusMode = .autoFocus
        }
    }

    /// Exposes for a point, and locks the exposure when it is adjusted.
    public func expose(at point: CGPoint) {
        guard let camera = activeCamera, camera.isExposurePointOfInterestSupported,
            camera.isExposureModeSupported(.continuousAutoExposure)
        else { return }
        // A second tap replaces the first.
        exposureObservation?.invalidate()
        exposureObservation = nil
        configure(camera) {
            $0.exposurePointOfInterest = point
            $0.exposureMode = .continuousAutoExposure
            if $0.isExposureModeSupported(.locked) { lockExposureWhenAdjusted(of: $0) }
        }
    }

    private func lockExposureWhenAdjusted(of camera: AVCaptureDevice) {
        exposureObservation = camera.observe(\.isAdjustingExposure, options: .new) { [weak self] camera, change in
            guard change.newValue == false else { return }
            // Observers run while the camera changes its state, so the exposure is locked afterwards.
            DispatchQueue.main.async { self?.lockExposure(of: camera) }
        }
    }

    private func lockExposure(of camera: AVCaptureDevice) {
        guard let observation = exposureObservation else { return }
        observation.invalidate()
        exposureObservation = nil
        configure(camera) { $0.exposureMode = .locked }
    }

    /// Focuses and exposes continuously for the center, as far as the camera supports it.
    public func resetFocusAndExposureModes() {
        guard let camera = activeCamera else { return }
        exposureObservation?.invalidate()
        exposureObservation = nil
        let center = CGPoint(x: 0.5, y: 0.5)
        configure(camera) {
            // A point takes effect when its mode is set.
            if $0.isFocusPointOfInterestSupported, $0.isFocusModeSupported(.continuousAutoFocus) {
                $0.focusPointOfInterest = center
                $0.focusMode = .continuousAutoFocus
            }
            if $0.isExposurePointOfInterestSupported, $0.isExposureModeSupported(.continuousAutoExposure) {
                $0.exposurePointOfInterest = center
                $0.exposureMode = .continuousAutoExposure
            }
        }
    }
}
