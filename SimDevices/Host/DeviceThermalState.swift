import CaptureHAL
import MediaTypes

/// The thermal state of a device and the limits that follow from it.
///
/// - Important: Thread-safe.
final class DeviceThermalState: Sendable {
    private let current = Lock(SystemPressure.Level.nominal)

    /// The current pressure level.
    var level: SystemPressure.Level {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The maximum torch level, 0 … 1: half when serious, a tenth when critical, 0 at shutdown.
    var torchLimit: Double {
        switch level {
        case .nominal, .fair: 1
        case .serious: 0.5
        case .critical: 0.1
        case .shutdown: 0
        }
    }

    /// The maximum frame rate: 30 when serious, 15 when critical.
    private var frameRateLimit: Int64? {
        switch level {
        case .nominal, .fair: nil
        case .serious: 30
        case .critical, .shutdown: 15
        }
    }

    /// Returns the frame interval, extended to the maximum frame rate if necessary.
    func limited(_ spacing: (value: Int64, timescale: Int64)) -> (value: Int64, timescale: Int64) {
        guard let limit = frameRateLimit, spacing.value * limit < spacing.timescale else { return spacing }
        return (1, limit)
    }

    /// Returns the controls' ranges, reduced to the maximum torch level.
    func limited(_ ranges: [DeviceControl: ControlRange]) -> [DeviceControl: ControlRange] {
        guard torchLimit < 1, case .number(let range, let step, let usual)? = ranges[.torchLevel] else { return ranges }
        var ranges = ranges
        ranges[.torchLevel] = .number(
            range.lowerBound...max(range.lowerBound, min(range.upperBound, torchLimit)), step: step,
            default: min(usual, torchLimit))
        return ranges
    }
}
