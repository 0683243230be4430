import CaptureHAL
public import Foundation
import MediaTypes

// Effects for video conferences: no backend supports them, and Linux has no user interface in which users can enable
// them.
extension AVCaptureDevice {
    /// Whether the user, the app or both control Center Stage.
    public enum CenterStageControlMode: Int, Sendable, Hashable {
        case user = 0
        case app = 1
        case cooperative = 2
    }

    /// The client's Center Stage settings; one instance for each system.
    private final class CenterStage: Sendable {
        struct State: Sendable {
            var mode = CenterStageControlMode.user
            var isEnabled = false
        }

        let state = Lock(State())

        static var current: CenterStage { CaptureSystem.current.component(CenterStage.self) { CenterStage() } }
    }

    /// Whether the user, the app or both control Center Stage; the user by default. Can be observed.
    public class var centerStageControlMode: CenterStageControlMode {
        get {
            DeviceRegistry.current.observedProperties.access()
            return CenterStage.current.state.withLock { $0.mode }
        }
        set {
            CenterStage.current.state.withLock { $0.mode = newValue }
            DeviceRegistry.current.observedProperties.changed()
        }
    }

    /// Whether Center Stage is enabled; false by default. Enabling it has no effect; setting it while
    /// `centerStageControlMode` is `.user` is misuse. Can be observed.
    public class var isCenterStageEnabled: Bool {
        get {
            DeviceRegistry.current.observedProperties.access()
            return CenterStage.current.state.withLock { $0.isEnabled }
        }
        set {
            guard centerStageControlMode != .user else {
                return CaptureSystem.current.misuse.report(
                    .invalidArgument,
                    "+[AVCaptureDevice setCenterStageEnabled:] May not be called while centerStageControlMode is "
                        + "AVCaptureCenterStageControlModeUser")
            }
            CenterStage.current.state.withLock { $0.isEnabled = newValue }
            DeviceRegistry.current.observedProperties.changed()
        }
    }

    public var isCenterStageActive: Bool {
        observedProperties.access()
        return false
    }

    public var isCenterStageRectOfInterestSupported: Bool { false }

    /// The region in which Center Stage frames people; setting it is misuse, since no format supports Center Stage.
    public var centerStageRectOfInterest: CGRect {
        get {
            observedProperties.access()
            return CGRect(x: 0, y: 0, width: 1, height: 1)
        }
        set {
            guard checkLock(for: "setCenterStageRectOfInterest:") else { return }
            reportUnsupported(
                "setCenterStageRectOfInterest:", "a rectangle of interest", "isCenterStageRectOfInterestSupported")
        }
    }

    public class var isPortraitEffectEnabled: Bool { false }
    public var isPortraitEffectActive: Bool {
        observedProperties.access()
        return false
    }

    public class var isStudioLightEnabled: Bool { false }
    public var isStudioLightActive: Bool {
        observedProperties.access()
        return false
    }

    public class var isEdgeLightEnabled: Bool { false }
    public class var isEdgeLightActive: Bool { false }

    public class var isBackgroundReplacementEnabled: Bool { false }
    public var isBackgroundReplacementActive: Bool {
        observedProperties.access()
        return false
    }

    // MARK: Reactions

    public class var reactionEffectsEnabled: Bool { false }
    public class var reactionEffectGesturesEnabled: Bool { false }

    public var canPerformReactionEffects: Bool {
        observedProperties.access()
        return false
    }

    public var availableReactionTypes: Set<AVCaptureReactionType> {
        observedProperties.access()
        return []
    }

    public var reactionEffectsInProgress: [AVCaptureReactionEffectState] {
        observedProperties.access()
        return []
    }

    /// Shows a reaction in the camera's images; misuse, since `availableReactionTypes` is empty.
    public func performEffect(for reactionType: AVCaptureReactionType) {
        reportUnsupported("performEffectForReaction:", reactionType.rawValue, "availableReactionTypes")
    }
}

extension AVCaptureDevice.Format {
    public var isCenterStageSupported: Bool { false }
    public var videoMinZoomFactorForCenterStage: CGFloat { 1 }
    /// The largest zoom factor while Center Stage is active; equal to `videoMaxZoomFactor`.
    public var videoMaxZoomFactorForCenterStage: CGFloat { videoMaxZoomFactor }
    public var videoFrameRateRangeForCenterStage: AVFrameRateRange? { nil }

    public var isPortraitEffectSupported: Bool { false }
    public var videoFrameRateRangeForPortraitEffect: AVFrameRateRange? { nil }

    public var isStudioLightSupported: Bool { false }
    public var videoFrameRateRangeForStudioLight: AVFrameRateRange? { nil }

    public var isEdgeLightSupported: Bool { false }

    public var isBackgroundReplacementSupported: Bool { false }
    public var videoFrameRateRangeForBackgroundReplacement: AVFrameRateRange? { nil }

    public var reactionEffectsSupported: Bool { false }
    public var videoFrameRateRangeForReactionEffectsInProgress: AVFrameRateRange? { nil }
}
