import CaptureHAL
import MediaTypes

/// The thermal state of a device, which limits its torch level and frame rate.
///
/// - Important: Thread-safe.
final class DeviceThermalState: Sendable {
    private let currentLevel = Lock(SystemPressure.Level.nominal)

    /// The current pressure level.
    var level: SystemPressure.Level {
        get { currentLevel.withLock { $0 } }
        set { currentLevel.withLock { $0 = newValue } }
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

    /// The maximum frame rate in frames per second: 30 when serious, 15 when critical or at shutdown; nil for no limit.
    private var frameRateLimit: Int64? {
        switch level {
        case .nominal, .fair: nil
        case .serious: 30
        case .critical, .shutdown: 15
        }
    }

    /// Returns the frame interval, as a fraction of a second, limited by the maximum frame rate.
    func limitedInterval(_ interval: (value: Int64, timescale: Int64)) -> (value: Int64, timescale: Int64) {
        guard let limit = frameRateLimit, interval.value * limit < interval.timescale else { return interval }
        return (1, limit)
    }

    /// Returns the ranges of controls, with the torch level limited to `torchLimit`.
    func limitedRanges(_ ranges: [DeviceControl: ControlRange]) -> [DeviceControl: ControlRange] {
        guard torchLimit < 1, case .number(let range, let step, let defaultLevel)? = ranges[.torchLevel]
        else { return ranges }
        var ranges = ranges
        ranges[.torchLevel] = .number(
            range.lowerBound...max(range.lowerBound, min(range.upperBound, torchLimit)), step: step,
            default: min(defaultLevel, torchLimit))
        return ranges
    }
}
