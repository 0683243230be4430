import AVFoundation

extension AVCaptureDevice {
    /// Locks the device, changes it and unlocks it at once, because a lock that is kept disturbs other apps.
    public func configure(_ change: (AVCaptureDevice) throws -> Void) throws {
        try lockForConfiguration()
        defer { unlockForConfiguration() }
        try change(self)
    }
}
