import AVFoundation

/// The white balance of a camera: locked or automatic.
public struct WhiteBalance {
    public let device: AVCaptureDevice

    /// Creates the settings of a camera's white balance.
    public init(of device: AVCaptureDevice) { self.device = device }

    /// Sets the white balance mode.
    ///
    /// - Returns: False if the camera does not support it.
    @discardableResult
    public func set(_ mode: AVCaptureDevice.WhiteBalanceMode) throws -> Bool {
        guard device.isWhiteBalanceModeSupported(mode) else { return false }
        try device.configure { $0.whiteBalanceMode = mode }
        return true
    }
}
