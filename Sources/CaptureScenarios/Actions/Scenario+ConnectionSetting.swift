public import CaptureCore
import CaptureHAL
import Foundation

extension Scenario {
    /// A setting of the video connection of an output.
    public enum ConnectionSetting: Sendable, Hashable {
        case videoStabilization(Session.Output, AVCaptureVideoStabilizationMode)
        case videoMirrored(Session.Output, Bool)
        /// Rotates frames by an angle in degrees clockwise.
        case videoRotationAngle(Session.Output, Int)
    }
}

extension Scenario.ConnectionSetting {
    static let stabilizationModes: [(name: String, value: AVCaptureVideoStabilizationMode)] = [
        ("off", .off), ("standard", .standard), ("cinematic", .cinematic),
        ("cinematic-extended", .cinematicExtended), ("preview-optimized", .previewOptimized),
        ("cinematic-extended-enhanced", .cinematicExtendedEnhanced), ("low-latency", .lowLatency), ("auto", .auto),
    ]

    /// The name, keys and values in a scenario file.
    var fields: (name: String, values: [KeyedValue]) {
        switch self {
        case .videoStabilization(let output, let mode):
            (
                "video-stabilization",
                [KeyedValue("output", output.rawValue), KeyedValue("mode", mode, in: Self.stabilizationModes)]
            )
        case .videoMirrored(let output, let isMirrored):
            ("video-mirrored", [KeyedValue("output", output.rawValue), KeyedValue("enabled", isMirrored)])
        case .videoRotationAngle(let output, let angle):
            ("video-rotation-angle", [KeyedValue("output", output.rawValue), KeyedValue("angle", "\(angle)")])
        }
    }

    /// The output whose video connection the setting applies to.
    var output: Scenario.Session.Output {
        switch self {
        case .videoStabilization(let output, _), .videoMirrored(let output, _), .videoRotationAngle(let output, _):
            output
        }
    }

    /// Applies the setting to a connection.
    func apply(to connection: AVCaptureConnection) {
        switch self {
        case .videoStabilization(_, let mode): connection.preferredVideoStabilizationMode = mode
        case .videoMirrored(_, let isMirrored):
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = isMirrored
        case .videoRotationAngle(_, let angle): connection.videoRotationAngle = CGFloat(angle)
        }
    }
}
