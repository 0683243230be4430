import AVFoundation

/// Focus and exposure of a camera.
///
/// Points are in the camera's coordinates: from (0, 0) at the top left to (1, 1) at the bottom right of the unrotated
/// frame. On a phone, this is the frame in landscape with the home button on the right, in any device orientation.
public struct FocusAndExposure {
    public let device: AVCaptureDevice

    private static let center = CGPoint(x: 0.5, y: 0.5)

    /// Creates the controls of a camera.
    public init(of device: AVCaptureDevice) { self.device = device }

    /// Focuses once at a point and then locks the focus.
    ///
    /// - Returns: False if the camera cannot focus at a point.
    @discardableResult
    public func focus(at point: CGPoint) throws -> Bool { try setFocus(.autoFocus, at: point) }

    /// Sets continuous autofocus at the center, which is the default.
    @discardableResult
    public func resetFocus() throws -> Bool { try setFocus(.continuousAutoFocus, at: Self.center) }

    /// Locks the focus at the current lens position.
    public func lockFocus() throws {
        guard device.isFocusModeSupported(.locked) else { return }
        try device.configure { $0.focusMode = .locked }
    }

    /// Sets continuous automatic exposure for a point.
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

    /// Sets continuous automatic exposure for the center, which is the default.
    @discardableResult
    public func resetExposure() throws -> Bool { try expose(at: Self.center) }

    /// Locks the exposure at its current values.
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
