import CaptureHAL
public import MediaTypes

/// Whether a camera's lens is smudged.
public enum AVCaptureCameraLensSmudgeDetectionStatus: Int, Sendable, Hashable {
    case disabled = 0
    case smudgeNotDetected = 1
    case smudged = 2
    case unknown = 3
}

// The detection of smudged lenses, which no backend supports.
extension AVCaptureDevice {
    /// Enables or disables the detection; misuse, since no format supports it.
    public func setCameraLensSmudgeDetectionEnabled(
        _ cameraLensSmudgeDetectionEnabled: Bool, detectionInterval: CMTime
    ) {
        let method = "setCameraLensSmudgeDetectionEnabled:detectionInterval:"
        guard checkLock(for: method) else { return }
        reportUnsupported(
            method, "lens smudge detection", "[AVCaptureDeviceFormat isCameraLensSmudgeDetectionSupported]")
    }

    public var isCameraLensSmudgeDetectionEnabled: Bool {
        observedProperties.access()
        return false
    }

    public var cameraLensSmudgeDetectionInterval: CMTime {
        observedProperties.access()
        return .invalid
    }

    public var cameraLensSmudgeDetectionStatus: AVCaptureCameraLensSmudgeDetectionStatus {
        observedProperties.access()
        return .disabled
    }
}

extension AVCaptureDevice.Format {
    public var isCameraLensSmudgeDetectionSupported: Bool { false }
}
