import CaptureHAL
import MediaTypes

/// What a client may choose about a session beside its inputs and outputs.
struct SessionOptions: Sendable {
    var usesApplicationAudioSession = true
    var configuresAudioSession = true
    var mixesWithOthers = false
    var configuresForWideColor = true
    var usesCameraWhileMultitasking = false
}

extension AVCaptureSession {
    /// Whether sound goes through the application's audio session; true by default.
    ///
    /// - Note: Unlike Apple's systems, Linux has no audio session: this and its companions are kept and change nothing.
    public var usesApplicationAudioSession: Bool {
        get { state.withLock { $0.options.usesApplicationAudioSession } }
        set { state.withLock { $0.options.usesApplicationAudioSession = newValue } }
    }

    /// Whether the capture session prepares the audio session for recording; true by default.
    public var automaticallyConfiguresApplicationAudioSession: Bool {
        get { state.withLock { $0.options.configuresAudioSession } }
        set { state.withLock { $0.options.configuresAudioSession = newValue } }
    }

    /// Whether recording leaves other programs' sound alone; false by default.
    public var configuresApplicationAudioSessionToMixWithOthers: Bool {
        get { state.withLock { $0.options.mixesWithOthers } }
        set { state.withLock { $0.options.mixesWithOthers = newValue } }
    }

    /// Whether the session may choose a wide colour space; true by default. The devices here have sRGB alone.
    public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
        get { state.withLock { $0.options.configuresForWideColor } }
        set { state.withLock { $0.options.configuresForWideColor = newValue } }
    }

    /// Whether the camera can go on beside other programs in the foreground; always on Linux.
    public var isMultitaskingCameraAccessSupported: Bool {
        observedProperties.access()
        return true
    }

    /// Whether other programs in the foreground leave the session running; false by default, can be observed.
    ///
    /// It must be set before the session starts.
    public var isMultitaskingCameraAccessEnabled: Bool {
        get {
            observedProperties.access()
            return state.withLock { $0.options.usesCameraWhileMultitasking }
        }
        set {
            guard !state.withLock({ $0.isStarted }) else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureSession setMultitaskingCameraAccessEnabled:] must be set before the session starts "
                        + "running")
            }
            state.withLock { $0.options.usesCameraWhileMultitasking = newValue }
            observedProperties.changed(["isMultitaskingCameraAccessEnabled"])
        }
    }
}
