import AVFoundation

/// Focus and exposure where the user taps. Points are those of the camera, from (0, 0) to (1, 1).
extension CameraController {
    public var cameraSupportsTapToFocus: Bool { activeCamera?.isFocusPointOfInterestSupported ?? false }

    public var cameraSupportsTapToExpose: Bool { activeCamera?.isExposurePointOfInterestSupported ?? false }

    /// Focuses once on a point; then the focus is locked.
    public func focus(at point: CGPoint) {
        guard let camera = activeCamera, camera.isFocusPointOfInterestSupported,
            camera.isFocusModeSupported(.autoFocus)
        else { return }
        change(camera) {
            $0.focusPointOfInterest = point
            $0.focusMode = .autoFocus
        }
    }

    /// Exposes for a point, and locks the exposure when it is found.
    public func expose(at point: CGPoint) {
        guard let camera = activeCamera, camera.isExposurePointOfInterestSupported,
            camera.isExposureModeSupported(.continuousAutoExposure)
        else { return }
        // A second tap replaces the first.
        exposureObservation?.invalidate()
        exposureObservation = nil
        change(camera) {
            $0.exposurePointOfInterest = point
            $0.exposureMode = .continuousAutoExposure
            if $0.isExposureModeSupported(.locked) { lockExposureWhenAdjusted(of: $0) }
        }
    }

    private func lockExposureWhenAdjusted(of camera: AVCaptureDevice) {
        exposureObservation = camera.observe(\.isAdjustingExposure, options: .new) { [weak self] camera, change in
            guard change.newValue == false else { return }
            // The change is reported while the camera is adjusted: lock it afterwards.
            DispatchQueue.main.async { self?.lockExposure(of: camera) }
        }
    }

    private func lockExposure(of camera: AVCaptureDevice) {
        guard let observation = exposureObservation else { return }
        observation.invalidate()
        exposureObservation = nil
        change(camera) { $0.exposureMode = .locked }
    }

    /// Focuses and exposes continuously for the center, each if the camera can.
    public func resetFocusAndExposureModes() {
        guard let camera = activeCamera else { return }
        exposureObservation?.invalidate()
        exposureObservation = nil
        let center = CGPoint(x: 0.5, y: 0.5)
        change(camera) {
            // The points have an effect when the modes are set after them.
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
