import CaptureHAL

/// How a camera steadies the pictures of a connection.
public enum AVCaptureVideoStabilizationMode: Int, Sendable, Hashable {
    case off = 0
    case standard = 1
    case cinematic = 2
    case cinematicExtended = 3
    case previewOptimized = 4
    case cinematicExtendedEnhanced = 5
    case lowLatency = 6
    /// What suits the format and its frame rate; only to be asked for.
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
    /// Whether pictures of this format can be steadied so; `off` and, with any other, `auto` always can.
    public func isVideoStabilizationModeSupported(_ videoStabilizationMode: AVCaptureVideoStabilizationMode) -> Bool {
        switch videoStabilizationMode {
        case .off: video != nil
        case .auto: !steadyModes.isEmpty
        default: steadyModes.contains(videoStabilizationMode)
        }
    }

    @available(*, deprecated, message: "Use isVideoStabilizationModeSupported(_:) instead.")
    public var isVideoStabilizationSupported: Bool { !steadyModes.isEmpty }

    /// The modes besides `off`.
    var steadyModes: [AVCaptureVideoStabilizationMode] {
        (video?.stabilizationModes ?? []).filter { $0 != .off }.map { AVCaptureVideoStabilizationMode($0) }
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The mode in force where a client prefers one: that, or `off` where the format has it not.
    ///
    /// `auto` becomes cinematic up to 30 frames a second, where the time for it is, else standard, else what there is.
    func stabilization(preferring mode: AVCaptureVideoStabilizationMode, frameRate: Double)
        -> AVCaptureVideoStabilizationMode
    {
        let modes = steadyModes
        guard mode == .auto else { return modes.contains(mode) ? mode : .off }
        let wishes: [AVCaptureVideoStabilizationMode] = frameRate <= 30 ? [.cinematic, .standard] : [.standard]
        return wishes.first(where: modes.contains) ?? modes.first ?? .off
    }
}
