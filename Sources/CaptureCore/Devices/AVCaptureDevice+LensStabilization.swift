extension AVCaptureDevice {
    /// The status of lens stabilization during a capture.
    public enum LensStabilizationStatus: Int, Sendable, Hashable {
        case unsupported = 0
        case off = 1
        case active = 2
        case outOfRange = 3
        case unavailable = 4
    }
}
