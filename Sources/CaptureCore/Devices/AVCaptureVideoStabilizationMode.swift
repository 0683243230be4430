import CaptureHAL

/// The video stabilization mode of a connection.
public enum AVCaptureVideoStabilizationMode: Int, Sendable, Hashable {
    case off = 0
    case standard = 1
    case cinematic = 2
    case cinematicExtended = 3
    case previewOptimized = 4
    case cinematicExtendedEnhanced = 5
    case lowLatency = 6
    /// The best mode for the format and its frame rate; never an active mode.
    case auto = -1

    init(_ mode: VideoStabilization) {
        self =
            switch mode {
            case .off: .off
            case .standard: .standard
            case .cinematic: .cinematic
            case .cinematicExtended: .cinematicExtended
            case .previewOptimized: .previewOptimized
            case .cinematicExtendedEnhanced: .cinematicExtendedEnhanced
            case .lowLatency: .lowLatency
            }
    }
}

extension AVCaptureDevice.Format {
    /// Whether the format supports a mode; `off` is always supported for video, and `auto` if any other mode is.
    public func isVideoStabilizationModeSupported(_ videoStabilizationMode: AVCaptureVideoStabilizationMode) -> Bool {
        switch videoStabilizationMode {
        case .off: video != nil
        case .auto: !supportedStabilizationModes.isEmpty
        default: supportedStabilizationModes.contains(videoStabilizationMode)
        }
    }

    @available(*, deprecated, message: "Use isVideoStabilizationModeSupported(_:) instead.")
    public var isVideoStabilizationSupported: Bool { !supportedStabilizationModes.isEmpty }

    /// The supported modes besides `off`.
    var supportedStabilizationModes: [AVCaptureVideoStabilizationMode] {
        (video?.stabilizationModes ?? []).filter { $0 != .off }.map { AVCaptureVideoStabilizationMode($0) }
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns the active mode for a preferred mode: that mode, or `off` if the format does not support it.
    ///
    /// `auto` selects the first supported mode in this order: cinematic (only up to 30 frames per second), standard,
    /// any other.
    func stabilization(preferring mode: AVCaptureVideoStabilizationMode, frameRate: Double)
        -> AVCaptureVideoStabilizationMode
    {
        let modes = supportedStabilizationModes
        guard mode == .auto else { return modes.contains(mode) ? mode : .off }
        let preferred: [AVCaptureVideoStabilizationMode] = frameRate <= 30 ? [.cinematic, .standard] : [.standard]
        return preferred.first(where: modes.contains) ?? modes.first ?? .off
    }
}
