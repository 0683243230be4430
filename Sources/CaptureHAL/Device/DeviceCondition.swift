/// External conditions that affect a connected device: use by another process, suspension, system pressure.
public struct DeviceCondition: Sendable, Hashable {
    /// Whether a client outside this process uses the device; set only by hosts that also report when this use ends.
    public var isInUseByAnotherApplication: Bool
    /// Whether the device itself blocks capture, for example with a closed shutter.
    public var isSuspended: Bool
    /// The thermal and power pressure on the device.
    public var pressure: SystemPressure

    /// Creates a condition; the default values describe an unaffected device.
    public init(
        isInUseByAnotherApplication: Bool = false, isSuspended: Bool = false, pressure: SystemPressure = .nominal
    ) {
        self.isInUseByAnotherApplication = isInUseByAnotherApplication
        self.isSuspended = isSuspended
        self.pressure = pressure
    }
}

/// The thermal and power pressure on a camera, with its causes.
public struct SystemPressure: Sendable, Hashable {
    /// The levels of `AVCaptureDevice.SystemPressureState.Level`, in ascending order.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
        case nominal, fair, serious, critical
        /// The camera must stop.
        case shutdown

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The causes of pressure; the raw values match `AVCaptureDevice.SystemPressureState.Factors`.
    public struct Factors: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The machine is hot.
        public static let systemTemperature = Factors(rawValue: 1 << 0)
        /// The machine draws more power than its battery can supply.
        public static let peakPower = Factors(rawValue: 1 << 1)
        /// The depth module is hot.
        public static let depthModuleTemperature = Factors(rawValue: 1 << 2)
        /// The camera itself is hot.
        public static let cameraTemperature = Factors(rawValue: 1 << 3)
    }

    /// No pressure.
    public static let nominal = SystemPressure(.nominal)

    /// The level.
    public var level: Level
    /// The causes of the level.
    public var factors: Factors

    /// Creates a pressure from its level and the causes.
    public init(_ level: Level, factors: Factors = []) {
        self.level = level
        self.factors = factors
    }
}

extension HardwareDevice {
    /// The condition of an unaffected device.
    public var condition: DeviceCondition { DeviceCondition() }

    /// Never calls `handler`.
    public func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken {
        ObserverToken {}
    }
}
