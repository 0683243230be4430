import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

// How a virtual camera switches between its constituents while a movie is recorded.
extension AVCaptureMovieFileOutput {
    /// The settings for switching during recordings.
    struct SwitchingOptions: Sendable {
        /// The value that the client has set; nil means the default.
        var isEnabled: Bool?
        var behavior = AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior.restricted
        var conditions: AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions = [
            .videoZoomChanged, .focusModeChanged, .exposureModeChanged,
        ]
    }

    /// Whether the behavior for recordings replaces the camera's behavior while a movie is recorded; by default true
    /// with a virtual camera.
    public var isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled: Bool {
        get {
            observedProperties.access()
            return options.withLock { $0.switching.isEnabled } ?? camera?.isVirtualDevice ?? false
        }
        set {
            options.withLock { $0.switching.isEnabled = newValue }
            observedProperties.changed()
        }
    }

    /// Sets the behavior for the next recordings.
    ///
    /// - Parameters:
    ///   - switchingBehavior: Any behavior except `.unsupported` is misuse unless the output is connected to a virtual
    ///     camera.
    ///   - restrictedSwitchingBehaviorConditions: Must be empty unless the behavior is `.restricted`;
    ///     otherwise the call is misuse.
    public func setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
        _ switchingBehavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior,
        restrictedSwitchingBehaviorConditions:
            AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    ) {
        let reason: String? =
            if switchingBehavior != .unsupported, !(camera?.isVirtualDevice ?? false) {
                "the connected camera does not switch between constituents"
            } else if switchingBehavior != .restricted, !restrictedSwitchingBehaviorConditions.isEmpty {
                "the conditions must be empty unless the behavior is restricted, and it is \(switchingBehavior)"
            } else {
                nil
            }
        if let reason {
            return system.misuse.report(
                .invalidArgument,
                "-[AVCaptureMovieFileOutput setPrimaryConstituentDeviceSwitchingBehaviorForRecording:"
                    + "restrictedSwitchingBehaviorConditions:] \(reason)")
        }
        options.withLock { options in
            options.switching.behavior = switchingBehavior
            options.switching.conditions = restrictedSwitchingBehaviorConditions
        }
        observedProperties.changed([
            "primaryConstituentDeviceSwitchingBehaviorForRecording",
            "primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording",
        ])
    }

    /// The behavior for recordings; `.restricted` by default. Can be observed.
    public var primaryConstituentDeviceSwitchingBehaviorForRecording:
        AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior
    {
        observedProperties.access()
        return options.withLock { $0.switching.behavior }
    }

    /// The conditions for recordings; all by default. Can be observed.
    public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording:
        AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    {
        observedProperties.access()
        return options.withLock { $0.switching.conditions }
    }

    /// The connected camera; nil if there is none.
    private var camera: AVCaptureDevice? {
        connection(with: .video)?.deviceInput?.device
    }

    /// Applies the behavior for recordings to a virtual camera.
    func beginRecordingSwitching() {
        guard isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled, let camera, camera.isVirtualDevice else {
            return
        }
        let switching = options.withLock { $0.switching }
        guard switching.behavior != .unsupported else { return }
        camera.setRecordingSwitching(switching.behavior, switching.conditions)
        let reference = WeakReference(camera)
        options.withLock { $0.switchedCamera = reference }
    }

    /// Restores the camera's behavior after the last recording.
    func endRecordingSwitching() {
        let camera = options.withLock { options in
            defer { options.switchedCamera = WeakReference(nil) }
            return options.switchedCamera.object
        }
        camera?.endRecordingSwitching()
    }
}
