import AVFoundation

/// The flash, for stills, and the torch, for movies.
public struct Light {
    public let device: AVCaptureDevice

    /// Creates the settings of a camera's light.
    public init(of device: AVCaptureDevice) { self.device = device }

    /// Sets the flash mode for the next stills.
    ///
    /// - Returns: False if the camera does not support it.
    @discardableResult
    public func setFlash(_ mode: AVCaptureDevice.FlashMode) throws -> Bool {
        guard device.hasFlash, device.isFlashModeSupported(mode) else { return false }
        try device.configure { $0.flashMode = mode }
        return true
    }

    /// Turns the torch on or off, or selects the automatic mode.
    ///
    /// The torch is turned off when the session of the camera stops.
    /// - Returns: False if the camera does not support the mode.
    @discardableResult
    public func setTorch(_ mode: AVCaptureDevice.TorchMode) throws -> Bool {
        guard device.hasTorch, device.isTorchModeSupported(mode) else { return false }
        try device.configure { $0.torchMode = mode }
        return true
    }
}
