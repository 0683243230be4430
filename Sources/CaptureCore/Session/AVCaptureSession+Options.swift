import CaptureHAL
import MediaTypes

/// The settings of a session that are not part of its configuration.
struct SessionOptions: Sendable {
    var usesApplicationAudioSession = true
    var configuresAudioSession = true
    var mixesWithOthers = false
    var configuresForWideColor = true
    var configuresForBluetooth = false
    var usesCameraWhileMultitasking = false
}

extension AVCaptureSession {
    /// Whether audio is recorded with the application's audio session; true by default.
    ///
    /// - Note: Unlike Apple's systems, Linux has no audio session: this and the next two properties have no effect.
    public var usesApplicationAudioSession: Bool {
        get { observedProperties.value(\.options.usesApplicationAudioSession, in: state) }
        set { observedProperties.set(\.options.usesApplicationAudioSession, in: state, to: newValue) }
    }

    /// Whether the capture session prepares the audio session for recording; true by default.
    public var automaticallyConfiguresApplicationAudioSession: Bool {
        get { observedProperties.value(\.options.configuresAudioSession, in: state) }
        set { observedProperties.set(\.options.configuresAudioSession, in: state, to: newValue) }
    }

    /// Whether other programs continue to play while audio is recorded; false by default.
    public var configuresApplicationAudioSessionToMixWithOthers: Bool {
        get { observedProperties.value(\.options.mixesWithOthers, in: state) }
        set { observedProperties.set(\.options.mixesWithOthers, in: state, to: newValue) }
    }

    /// Whether the capture session configures the audio session for high-quality recording with Bluetooth headphones;
    /// false by default.
    ///
    /// - Note: Unlike Apple's systems, Linux has no audio session: this has no effect.
    public var configuresApplicationAudioSessionForBluetoothHighQualityRecording: Bool {
        get { observedProperties.value(\.options.configuresForBluetooth, in: state) }
        set { observedProperties.set(\.options.configuresForBluetooth, in: state, to: newValue) }
    }

    /// Whether the session selects the color space of its cameras: P3 with a photo output if the active format supports
    /// it, otherwise sRGB; true by default.
    ///
    /// It selects the color space when its configuration changes. A color space other than these two is kept.
    ///
    /// - Note: Unlike Apple, it does not select a format.
    public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
        get { observedProperties.value(\.options.configuresForWideColor, in: state) }
        set { observedProperties.set(\.options.configuresForWideColor, in: state, to: newValue) }
    }

    /// Whether the camera can be used while other programs are in the foreground; always true on Linux.
    public var isMultitaskingCameraAccessSupported: Bool {
        observedProperties.access()
        return true
    }

    /// Whether the session runs while other programs are in the foreground; false by default, can be observed.
    ///
    /// Setting it after the session was started is misuse.
    public var isMultitaskingCameraAccessEnabled: Bool {
        get {
            observedProperties.access()
            return state.withLock { $0.options.usesCameraWhileMultitasking }
        }
        set {
            guard !state.withLock({ $0.run.isStarted }) else {
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
