import CaptureHAL
public import Foundation
import MediaTypes

/// Why a spatial video of the scene would be uncomfortable to view.
public struct AVSpatialCaptureDiscomfortReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let notEnoughLight = Self(rawValue: "AVSpatialCaptureDiscomfortReasonNotEnoughLight")
    public static let subjectTooClose = Self(rawValue: "AVSpatialCaptureDiscomfortReasonSubjectTooClose")
}

/// A condition of the scene that impairs a feature of the camera.
public struct AVCaptureSceneMonitoringStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let notEnoughLight = Self(rawValue: "AVCaptureSceneMonitoringStatusNotEnoughLight")
}

// Cinematic and spatial video, which no backend supports.
extension AVCaptureDevice {
    /// How long a cinematic video stays focused on its subject.
    public enum CinematicVideoFocusMode: Int, Sendable, Hashable {
        case none = 0
        /// Until the subject leaves the scene.
        case strong = 1
        /// Until another subject becomes more prominent.
        case weak = 2
    }

    /// Focuses a cinematic video on a detected object; misuse, since no backend supports cinematic video.
    public func setCinematicVideoTrackingFocus(detectedObjectID: Int, focusMode: CinematicVideoFocusMode) {
        reportNoCinematicVideo("setCinematicVideoTrackingFocusWithDetectedObjectID:focusMode:")
    }

    /// Focuses a cinematic video on the object at a point; misuse, since no backend supports cinematic video.
    public func setCinematicVideoTrackingFocus(at point: CGPoint, focusMode: CinematicVideoFocusMode) {
        reportNoCinematicVideo("setCinematicVideoTrackingFocusAtPoint:focusMode:")
    }

    /// Focuses a cinematic video at the distance of a point; misuse, since no backend supports cinematic video.
    public func setCinematicVideoFixedFocus(at point: CGPoint, focusMode: CinematicVideoFocusMode) {
        reportNoCinematicVideo("setCinematicVideoFixedFocusAtPoint:focusMode:")
    }

    private func reportNoCinematicVideo(_ method: String) {
        guard checkLock(for: method) else { return }
        reportUnsupported(method, "Cinematic Video", "[AVCaptureDeviceFormat isCinematicVideoCaptureSupported]")
    }

    public var cinematicVideoCaptureSceneMonitoringStatuses: Set<AVCaptureSceneMonitoringStatus> {
        observedProperties.access()
        return []
    }

    public var spatialCaptureDiscomfortReasons: Set<AVSpatialCaptureDiscomfortReason> {
        observedProperties.access()
        return []
    }
}

extension AVCaptureDevice.Format {
    public var isSpatialVideoCaptureSupported: Bool { false }

    public var isCinematicVideoCaptureSupported: Bool { false }
    public var isCinematicVideoMetadataCaptureSupported: Bool { false }
    public var defaultSimulatedAperture: Float { 0 }
    public var minSimulatedAperture: Float { 0 }
    public var maxSimulatedAperture: Float { 0 }
    public var videoMinZoomFactorForCinematicVideo: CGFloat { 1 }
    public var videoMaxZoomFactorForCinematicVideo: CGFloat { 1 }
    public var videoFrameRateRangeForCinematicVideo: AVFrameRateRange? { nil }
}
