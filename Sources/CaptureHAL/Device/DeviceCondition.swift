/// What befalls a device that stays connected.
public struct DeviceCondition: Sendable, Hashable {
    /// Whether a client outside this process holds the device; only of a host that also tells when it lets go.
    public var isInUseByAnotherApplication: Bool
    /// Whether the device itself lets nothing be captured, as behind a closed shutter.
    public var isSuspended: Bool
    public var pressure: SystemPressure

    public init(
        isInUseByAnotherApplication: Bool = false, isSuspended: Bool = false, pressure: SystemPressure = .nominal
    ) {
        self.isInUseByAnotherApplication = isInUseByAnotherApplication
        self.isSuspended = isSuspended
        self.pressure = pressure
    }
}

/// How hard it is for a machine to keep a camera going, and why.
public struct SystemPressure: Sendable, Hashable {
    /// The levels of `AVCaptureDevice.SystemPressureState.Level`, in rising order.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
        case nominal, fair, serious, critical
        /// The camera cannot go on.
        case shutdown

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// What brings the pressure about; the raw values are those of `AVCaptureDevice.SystemPressureState.Factors`.
    public struct Factors: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The machine is hot.
        public static let systemTemperature = Factors(rawValue: 1 << 0)
        /// The machine takes more power than its battery can give.
        public static let peakPower = Factors(rawValue: 1 << 1)
        /// The module that measures depth is hot.
        public static let depthModuleTemperature = Factors(rawValue: 1 << 2)
        /// The camera itself is hot.
        public static let cameraTemperature = Factors(rawValue: 1 << 3)
    }

    public static let nominal = SystemPressure(.nominal)

    public var level: Level
    public var factors: Factors

    public init(_ level: Level, factors: Factors = []) {
        self.level = level
        self.factors = factors
    }
}

extension HardwareDevice {
    public var condition: DeviceCondition { DeviceCondition() }

    public func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> Observation {
        Observation {}
    }
}
