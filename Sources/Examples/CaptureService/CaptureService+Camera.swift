import AVFoundation

/// The settings of the active camera. The defaults are automatic and suit most apps.
///
/// Without a camera, values are zero or the default. An attempt to set an unsupported value is logged and has no
/// effect.
extension CaptureService {
    public var deviceISO: Float { camera?.iso ?? 0 }
    public var deviceMinISO: Float { camera?.activeFormat.minISO ?? 0 }
    public var deviceMaxISO: Float { camera?.activeFormat.maxISO ?? 0 }
    public var deviceAperture: Float { camera?.lensAperture ?? 0 }
    public var deviceExposureDuration: CMTime { camera?.exposureDuration ?? .zero }
    public var supportsTapToExpose: Bool { camera?.isExposurePointOfInterestSupported ?? false }
    public var supportsTapToFocus: Bool { camera?.isFocusPointOfInterestSupported ?? false }
    public var hasTorch: Bool { camera?.hasTorch ?? false }
    public var hasFlash: Bool { camera?.hasFlash ?? false }

    /// Whether a camera at `devicePosition` measures depth.
    public var depthSupported: Bool { cameras(at: devicePosition).contains { $0.measuresDepth } }

    public var exposureMode: AVCaptureDevice.ExposureMode {
        get { camera?.exposureMode ?? .continuousAutoExposure }
        set {
            set("exposure mode", if: camera?.isExposureModeSupported(newValue)) { $0.exposureMode = newValue }
        }
    }

    /// The point of interest for the exposure, from (0, 0) to (1, 1) in the unrotated frame. Set the mode after the
    /// point.
    public var exposurePoint: CGPoint {
        get { camera?.exposurePointOfInterest ?? CGPoint(x: 0.5, y: 0.5) }
        set {
            set("exposure point", if: camera?.isExposurePointOfInterestSupported) {
                $0.exposurePointOfInterest = newValue
            }
        }
    }

    public var focusMode: AVCaptureDevice.FocusMode {
        get { camera?.focusMode ?? .continuousAutoFocus }
        set { set("focus mode", if: camera?.isFocusModeSupported(newValue)) { $0.focusMode = newValue } }
    }

    /// The point of interest for the focus, from (0, 0) to (1, 1) in the unrotated frame. Set the mode after the point.
    public var focusPoint: CGPoint {
        get { camera?.focusPointOfInterest ?? CGPoint(x: 0.5, y: 0.5) }
        set { set("focus point", if: camera?.isFocusPointOfInterestSupported) { $0.focusPointOfInterest = newValue } }
    }

    public var whiteBalanceMode: AVCaptureDevice.WhiteBalanceMode {
        get { camera?.whiteBalanceMode ?? .continuousAutoWhiteBalance }
        set {
            set("white balance", if: camera?.isWhiteBalanceModeSupported(newValue)) { $0.whiteBalanceMode = newValue }
        }
    }

    public var torchMode: AVCaptureDevice.TorchMode {
        get { camera?.torchMode ?? .off }
        set { set("torch mode", if: camera?.isTorchModeSupported(newValue)) { $0.torchMode = newValue } }
    }

    /// The flash mode of photos.
    public var flashMode: AVCaptureDevice.FlashMode {
        get { lock.withLock { shared.flashMode } }
        set {
            guard newValue == .off || hasFlash else { return log("unsupported: flash mode") }
            lock.withLock { shared.flashMode = newValue }
        }
    }

    /// The input of the active camera.
    var cameraInput: AVCaptureDeviceInput? {
        get { lock.withLock { shared.cameraInput } }
        set { lock.withLock { shared.cameraInput = newValue } }
    }

    private var camera: AVCaptureDevice? { cameraInput?.device }

    private func set(_ name: String, if isSupported: Bool?, _ change: (AVCaptureDevice) -> Void) {
        guard let camera, isSupported == true else { return log("unsupported: \(name)") }
        do {
            try camera.lockForConfiguration()
            change(camera)
            camera.unlockForConfiguration()
        } catch {
            fail(CaptureServiceError(.cameraNotLocked, error))
        }
    }
}
