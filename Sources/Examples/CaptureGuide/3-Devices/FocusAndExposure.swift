import AVFoundation

/// Focus and exposure of a camera.
///
/// Points are in the camera's coordinates: from (0, 0) at the top left to (1, 1) at the bottom right of the unrotated
/// picture, which is the landscape picture of a phone with the home button on the right, however the phone is held.
public struct FocusAndExposure {
    public let device: AVCaptureDevice

    private static let center = CGPoint(x: 0.5, y: 0.5)

    /// Creates the settings of a camera.
    public init(of device: AVCaptureDevice) { self.device = device }

    /// Focuses once and then holds the focus.
    ///
    /// - Returns: False if the camera cannot focus at a point.
    @discardableResult
    public func focus(at point: CGPoint) throws -> Bool { try setFocus(.autoFocus, at: point) }

    /// Focuses on the center whenever the camera finds it necessary, which is the usual setting.
    @discardableResult
    public func resetFocus() throws -> Bool { try setFocus(.continuousAutoFocus, at: Self.center) }

    /// Holds the focus where it is.
    public func lockFocus() throws {
        guard device.isFocusModeSupported(.locked) else { return }
        try device.configure { $0.focusMode = .locked }
    }

    /// Exposes for a point.
    ///
    /// - Returns: False if the camera cannot expose for a point.
    @discardableResult
    public func expose(at point: CGPoint) throws -> Bool {
        guard device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.continuousAutoExposure) else {
            return false
        }
        try device.configure {
            $0.exposurePointOfInterest = point
            $0.exposureMode = .continuousAutoExposure
        }
        return true
    }

    /// Exposes for the center, which is the usual setting.
    @discardableResult
    public func resetExposure() throws -> Bool { try expose(at: Self.center) }

    /// Holds the exposure as it is.
    public func lockExposure() throws {
        guard device.isExposureModeSupported(.locked) else { return }
        try device.configure { $0.exposureMode = .locked }
    }

    private func setFocus(_ mode: AVCaptureDevice.FocusMode, at point: CGPoint) throws -> Bool {
        guard device.isFocusPointOfInterestSupported, device.isFocusModeSupported(mode) else { return false }
        // The point takes effect when the mode is set.
        try device.configure {
            $0.focusPointOfInterest = point
            $0.focusMode = mode
        }
        return true
    }
}
