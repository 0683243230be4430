import AssetTypes
import CaptureHAL
import MediaTypes

/// The state of a photo output's scene monitoring.
struct SceneMonitoring {
    var settings: AVCapturePhotoSettings?
    var isFlashScene = false
    var isStabilizationScene = false
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
            updateSceneMonitoring()
            observedProperties.changed()
        }
    }

    /// Whether the scene is so dark that the flash would fire in mode `.auto`; false unless
    /// `photoSettingsForSceneMonitoring` has a flash mode other than `.off`. Can be observed.
    public var isFlashScene: Bool {
        observedProperties.access()
        return withMonitoring { $0.isFlashScene }
    }

    /// Whether the output can merge frames to reduce noise: if the camera does.
    public var isStillImageStabilizationSupported: Bool {
        observedProperties.access()
        return (camera?.hardware.descriptor.stills?.maximumMergedFrameCount ?? 1) > 1
    }

    /// Whether the scene is so dark that frames would be merged; false unless `photoSettingsForSceneMonitoring` has
    /// `isAutoStillImageStabilizationEnabled`. Can be observed.
    public var isStillImageStabilizationScene: Bool {
        observedProperties.access()
        return withMonitoring { $0.isStabilizationScene }
    }

    /// Updates `isFlashScene` and `isStillImageStabilizationScene` from the camera's light measurement; also called on
    /// the device's thread.
    func updateSceneMonitoring() {
        let device = camera
        let hasFlash = device?.hasFlash ?? false
        let merges = isStillImageStabilizationSupported
        let isSceneDim = (hasFlash || merges) && device?.isSceneDim ?? false
        let changed = withMonitoring { monitoring in
            let settings = monitoring.settings
            let isFlashScene = isSceneDim && hasFlash && (settings.map { $0.flashMode != .off } ?? false)
            let isStabilizationScene =
                isSceneDim && merges && (settings?.isAutoStillImageStabilizationEnabled ?? false)
            var changed: Set<String> = []
            if isFlashScene != monitoring.isFlashScene { changed.insert("isFlashScene") }
            if isStabilizationScene != monitoring.isStabilizationScene {
                changed.insert("isStillImageStabilizationScene")
            }
            (monitoring.isFlashScene, monitoring.isStabilizationScene) = (isFlashScene, isStabilizationScene)
            return changed
        }
        guard !changed.isEmpty else { return }
        system.deliver(on: callbackQueue) { [weak self] in self?.observedProperties.changed(changed) }
    }
}
