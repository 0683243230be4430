import CaptureHAL
public import Foundation

extension AVCaptureDevice {
    /// How hard it is for the machine to keep the camera going; can be observed.
    public var systemPressureState: SystemPressureState {
        observedProperties.access()
        return SystemPressureState(hardware.condition.pressure)
    }

    /// How hard it is for a machine to keep a camera going, and why; a value of one moment.
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

        /// How strong the pressure is; `shutdown` interrupts the sessions that use the camera.
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

        /// What brings the pressure about.
        public struct Factors: OptionSet, Hashable, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) { self.rawValue = rawValue }

            public static let systemTemperature = Factors(rawValue: 1 << 0)
            public static let peakPower = Factors(rawValue: 1 << 1)
            public static let depthModuleTemperature = Factors(rawValue: 1 << 2)
            public static let cameraTemperature = Factors(rawValue: 1 << 3)
        }
    }
}
