public import CaptureCore
public import MediaTypes

extension Scenario {
    /// A setting of the session's camera that an app changes while it is locked for configuration.
    public enum CameraControl: Sendable, Hashable {
        /// Sets the focus point, (0,0) top left to (1,1) bottom right of the unrotated frame, and then the mode.
        case focusAt(x: Double, y: Double, AVCaptureDevice.FocusMode)
        /// Sets the metering point, (0,0) top left to (1,1) bottom right of the unrotated frame, and then the mode.
        case exposeAt(x: Double, y: Double, AVCaptureDevice.ExposureMode)
        case focusMode(AVCaptureDevice.FocusMode)
        case exposureMode(AVCaptureDevice.ExposureMode)
        case whiteBalanceMode(AVCaptureDevice.WhiteBalanceMode)
        /// Moves the lens, 0 nearest … 1 farthest, and locks it.
        case lensPosition(Double)
        /// Sets the exposure bias in exposure value steps.
        case exposureBias(Double)
        /// Sets the exposure time and sensitivity; nil is the current value.
        case customExposure(duration: CMTime?, iso: Double?)
        /// Locks the white balance for a light with the temperature in kelvins, and the tint from -150 to 150.
        case whiteBalance(temperature: Double, tint: Double)
        /// Sets the zoom factor, or changes it gradually over a time.
        case zoom(factor: Double, over: CMTime?)
        /// Sets the torch mode.
        case torchMode(AVCaptureDevice.TorchMode)
        /// Turns the torch on with a level above 0 and at most 1.
        case torchLevel(Double)
        /// Selects the format with the size in pixels, at a frame rate.
        case format(width: Int, height: Int, frameRate: Double?)
        /// Sets the minimum and maximum frame duration.
        case frameRate(Double)
        case subjectAreaChangeMonitoring(Bool)
        /// Whether low-light boost is activated in dark scenes.
        case lowLightBoost(Bool)
        /// Enables or disables high dynamic range; nil lets the camera choose.
        case videoHDR(Bool?)
        case smoothAutoFocus(Bool)
        case autoFocusRangeRestriction(AVCaptureDevice.AutoFocusRangeRestriction)
        /// Enables or disables the preference for faces; nil lets the system choose.
        case faceDrivenAutoFocus(Bool?)
        case faceDrivenAutoExposure(Bool?)
    }
}
