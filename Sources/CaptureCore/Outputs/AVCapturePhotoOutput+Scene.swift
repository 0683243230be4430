import AssetTypes
import CaptureHAL
import MediaTypes

/// The state of a photo output's scene monitoring.
struct SceneMonitoring {
    var settings: AVCapturePhotoSettings?
    var isFlashScene = false
    private var nextTime = CMTime.zero

    private static let interval = CMTime(value: 1, timescale: 5)

    /// Whether to evaluate the scene with a frame: five times per second while monitoring is enabled.
    mutating func isDue(at time: CMTime) -> Bool {
        // The last condition is true if timestamps jump back.
        guard settings != nil, time >= nextTime || time + Self.interval < nextTime else { return false }
        nextTime = time + Self.interval
        return true
    }
}

extension AVCapturePhotoOutput {
    /// The settings to monitor the scene for. With a flash mode other than `.off`, `isFlashScene` depends on the light.
    ///
    /// Nil, the default, disables monitoring. Unlike those of a capture, the settings may have a flash mode that the
    /// camera does not support, and can be set before the output is in a session.
    public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
        get {
            observedProperties.access()
            return withMonitoring { $0.settings.map { AVCapturePhotoSettings(from: $0) } }
        }
        set {
            let copy = newValue.map { AVCapturePhotoSettings(from: $0) }
            withMonitoring { $0.settings = copy }
            updateFlashScene()
            observedProperties.changed()
        }
    }

    /// Whether the scene is so dark that the flash would fire in mode `.auto`; false unless
    /// `photoSettingsForSceneMonitoring` has a flash mode other than `.off`. Can be observed.
    public var isFlashScene: Bool {
        observedProperties.access()
        return withMonitoring { $0.isFlashScene }
    }

    /// Updates `isFlashScene` from the camera's light measurement; also called on the device's thread.
    func updateFlashScene() {
        let device = camera(of: connection(with: .video))
        let isSceneDim = device.map { $0.hasFlash && $0.isSceneDim } ?? false
        let hasChanged = withMonitoring { monitoring in
            let isFlashScene = isSceneDim && (monitoring.settings.map { $0.flashMode != .off } ?? false)
            defer { monitoring.isFlashScene = isFlashScene }
            return monitoring.isFlashScene != isFlashScene
        }
        guard hasChanged else { return }
        system.deliver(on: callbackQueue) { [weak self] in self?.observedProperties.changed(["isFlashScene"]) }
    }
}
