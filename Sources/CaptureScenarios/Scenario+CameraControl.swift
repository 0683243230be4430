public import CaptureCore
public import MediaTypes

extension Scenario {
    /// A change of a camera setting that an app makes while the camera is locked for configuration.
    public enum CameraControl: Sendable, Hashable {
        /// Sets the focus point, (0,0) top left to (1,1) bottom right of the unrotated frame, and then the mode.
        case focusAt(x: Double, y: Double, AVCaptureDevice.FocusMode)
        /// Sets the metering point, (0,0) top left to (1,1) bottom right of the unrotated frame, and then the mode.
        case exposeAt(x: Double, y: Double, AVCaptureDevice.ExposureMode)
        case focusMode(AVCaptureDevice.FocusMode)
        case exposureMode(AVCaptureDevice.ExposureMode)
        case whiteBalanceMode(AVCaptureDevice.WhiteBalanceMode)
        /// Moves the lens to a position from 0 (nearest) to 1 (farthest), and locks the focus.
        case lensPosition(Double)
        /// Sets the exposure bias in exposure values (EV).
        case exposureBias(Double)
        /// Sets the exposure duration and ISO sensitivity; nil keeps the current value.
        case customExposure(duration: CMTime?, iso: Double?)
        /// Locks the white balance for a light with a temperature in kelvins and a tint from -150 to 150.
        case whiteBalance(temperature: Double, tint: Double)
        /// Ramps to the zoom factor over a duration; sets it immediately if `over` is nil.
        case zoom(factor: Double, over: CMTime?)
        /// Sets the torch mode.
        case torchMode(AVCaptureDevice.TorchMode)
        /// Turns the torch on with a level above 0 and at most 1.
        case torchLevel(Double)
        /// Selects a format with a size in pixels, and sets the frame rate in frames per second if it is not nil.
        case format(width: Int, height: Int, frameRate: Double?)
        /// Sets the minimum and maximum frame duration to those of a rate in frames per second.
        case frameRate(Double)
        case subjectAreaChangeMonitoring(Bool)
        /// Sets whether low-light boost is automatically enabled in dark scenes.
        case lowLightBoost(Bool)
        /// Enables or disables high dynamic range; nil lets the camera choose.
        case videoHDR(Bool?)
        case smoothAutoFocus(Bool)
        case autoFocusRangeRestriction(AVCaptureDevice.AutoFocusRangeRestriction)
        /// Enables or disables focusing on faces; nil lets the system choose.
        case faceDrivenAutoFocus(Bool?)
        /// Enables or disables metering on faces; nil lets the system choose.
        case faceDrivenAutoExposure(Bool?)
    }
}
