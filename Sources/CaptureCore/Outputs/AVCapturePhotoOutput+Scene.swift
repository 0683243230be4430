import CaptureHAL
public import KeyValueObserving
import MediaTypes

/// What a photo output watches the scene for, and what it saw last.
struct SceneMonitoring {
    var settings: AVCapturePhotoSettings?
    var isFlashScene = false
    private var nextTime = CMTime.zero

    private static let interval = CMTime(value: 1, timescale: 5)

    /// Whether a frame is to be looked at: five a second, where a client wants it.
    mutating func isDue(at time: CMTime) -> Bool {
        guard settings != nil, time >= nextTime || time + Self.interval < nextTime else { return false }
        nextTime = time + Self.interval
        return true
    }
}

extension AVCapturePhotoOutput: KeyValueObserving {
    /// The settings for which the scene is watched: with a flash mode other than `.off` `isFlashScene` follows the light.
    ///
    /// Nil, the default, watches nothing. An unsupported flash mode is misuse.
    public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
        get { withMonitoring { $0.settings.map { AVCapturePhotoSettings(from: $0) } } }
        set {
            if let newValue, !supportedFlashModes.contains(newValue.flashMode) {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCapturePhotoOutput setPhotoSettingsForSceneMonitoring:] Unsupported flash mode - use "
                        + "supportedFlashModes")
            }
            let copy = newValue.map { AVCapturePhotoSettings(from: $0) }
            withMonitoring { $0.settings = copy }
            lookAtScene()
        }
    }

    /// Whether the scene is so dark that a flash with mode `.auto` would light it; can be observed.
    public var isFlashScene: Bool {
        observedProperties.access()
        return withMonitoring { $0.isFlashScene }
    }

    /// Compares the light with what the settings are for; runs on the device's thread, too.
    func lookAtScene() {
        let device = camera(of: connection(with: .video))
        let isDim = device.map { $0.hasFlash && $0.isDim } ?? false
        let hasChanged = withMonitoring { monitoring in
            let isFlashScene = isDim && (monitoring.settings.map { $0.flashMode != .off } ?? false)
            defer { monitoring.isFlashScene = isFlashScene }
            return monitoring.isFlashScene != isFlashScene
        }
        guard hasChanged else { return }
        system.clock.deliver(on: callbackQueue) { [weak self] in self?.observedProperties.changed(["isFlashScene"]) }
    }
}
