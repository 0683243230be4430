/// A condition of the scene that automatic exposure considers when it selects the aperture.
public struct AVCaptureDeviceExposureSignal: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let document = Self(rawValue: "AVCaptureDeviceExposureSignalDocument")
    public static let flicker = Self(rawValue: "AVCaptureDeviceExposureSignalFlicker")
    public static let groupPhoto = Self(rawValue: "AVCaptureDeviceExposureSignalGroupPhoto")
    public static let starburst = Self(rawValue: "AVCaptureDeviceExposureSignalStarburst")
    public static let subjectMotion = Self(rawValue: "AVCaptureDeviceExposureSignalSubjectMotion")
}

// Exposure signals, which no backend supports.
extension AVCaptureDevice {
    public var supportedExposureSignals: Set<AVCaptureDeviceExposureSignal> {
        observedProperties.access()
        return []
    }

    /// The signals that automatic exposure considers. Setting it is misuse while `automaticallyEnablesExposureSignals` is
    /// true, or with a signal that is not in `supportedExposureSignals`.
    public var enabledExposureSignals: Set<AVCaptureDeviceExposureSignal> {
        get {
            observedProperties.access()
            return []
        }
        set {
            let method = "setEnabledExposureSignals:"
            guard checkLock(for: method) else { return }
            guard !automaticallyEnablesExposureSignals else {
                return environment.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDevice \(method)] cannot be called while automaticallyEnablesExposureSignals is true")
            }
            guard newValue.isEmpty else {
                let names = newValue.map(\.rawValue).sorted().joined(separator: ", ")
                return reportUnsupported(method, names, "[AVCaptureDevice supportedExposureSignals]")
            }
        }
    }

    public var activeExposureSignals: Set<AVCaptureDeviceExposureSignal> {
        observedProperties.access()
        return []
    }

    /// Whether the session selects the enabled signals; true by default.
    public var automaticallyEnablesExposureSignals: Bool {
        get {
            observedProperties.access()
            return state.withLock { $0.enablesExposureSignals }
        }
        set {
            guard checkLock(for: "setAutomaticallyEnablesExposureSignals:") else { return }
            state.withLock { $0.enablesExposureSignals = newValue }
            observedProperties.changed()
        }
    }
}
