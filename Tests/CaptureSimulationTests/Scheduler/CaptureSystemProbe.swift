import CaptureHAL

/// The system of the running code, for tests that do not import the hardware protocols.
enum CaptureSystemProbe {
    static var current: CaptureSystem { .current }
}
