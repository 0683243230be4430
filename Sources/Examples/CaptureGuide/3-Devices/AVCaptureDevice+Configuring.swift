import AVFoundation

extension AVCaptureDevice {
    /// Locks the device, changes it and unlocks it immediately, because a lock that is held longer affects other apps.
    public func configure(_ change: (AVCaptureDevice) throws -> Void) throws {
        try lockForConfiguration()
        defer { unlockForConfiguration() }
        try change(self)
    }
}
