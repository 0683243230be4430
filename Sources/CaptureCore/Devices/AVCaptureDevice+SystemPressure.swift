import CaptureHAL
public import Foundation

extension AVCaptureDevice {
    /// The current system pressure; can be observed.
    public var systemPressureState: SystemPressureState {
        observedProperties.access()
        return SystemPressureState(hardware.condition.pressure)
    }

    /// An immutable snapshot of the thermal and power pressure on a camera.
    public final class SystemPressureState: NSObject, Sendable {
        private let pressure: SystemPressure

        init(_ pressure: SystemPressure) { self.pressure = pressure }

        public var level: Level { Level(pressure.level) }
        public var factors: Factors { Factors(rawValue: pressure.factors.rawValue) }

        public override func isEqual(_ object: Any?) -> Bool {
            (object as? SystemPressureState)?.pressure == pressure
        }

        public override var hash: Int { pressure.hashValue }

        public override var description: String { "<AVCaptureSystemPressureState: \(level.rawValue)>" }

        /// The level of pressure; `shutdown` interrupts the sessions that use the camera.
        public struct Level: RawRepresentable, Hashable, Sendable {
            public let rawValue: String

            public init(rawValue: String) { self.rawValue = rawValue }

            public static let nominal = Level(rawValue: "AVCaptureSystemPressureLevelNominal")
            public static let fair = Level(rawValue: "AVCaptureSystemPressureLevelFair")
            public static let serious = Level(rawValue: "AVCaptureSystemPressureLevelSerious")
            public static let critical = Level(rawValue: "AVCaptureSystemPressureLevelCritical")
            public static let shutdown = Level(rawValue: "AVCaptureSystemPressureLevelShutdown")

            init(_ level: SystemPressure.Level) {
                self =
                    switch level {
                    case .nominal: .nominal
                    case .fair: .fair
                    case .serious: .serious
                    case .critical: .critical
                    case .shutdown: .shutdown
                    }
            }
        }

        /// The causes of pressure.
        public struct Factors: OptionSet, Hashable, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) { self.rawValue = rawValue }

            public static let systemTemperature = Factors(rawValue: 1 << 0)
            public static let peakPower = Factors(rawValue: 1 << 1)
            public static let depthModuleTemperature = Factors(rawValue: 1 << 2)
            public static let cameraTemperature = Factors(rawValue: 1 << 3)
            /// The battery cannot deliver the power; no device of this package reports it.
            public static let batteryStress = Factors(rawValue: 1 << 4)
        }
    }
}
