import CaptureHAL

/// The capture system of the running code, for tests that do not import `CaptureHAL`.
enum CaptureSystemProbe {
    static var current: CaptureSystem { .current }
}
