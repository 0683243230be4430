import CaptureHAL

extension AVCaptureDevice {
    /// The distances at which automatic focus looks.
    public enum AutoFocusRangeRestriction: Int, Sendable, Hashable {
        case none = 0
        case near = 1
        case far = 2
    }

    public var isAutoFocusRangeRestrictionSupported: Bool { controls[.focusRange] != nil }

    /// The distances at which automatic focus looks; all by default. Can be observed.
    ///
    /// It begins no scan by itself: it takes effect when `focusMode` is set after it, or the camera looks anew. Setting it
    /// without support is misuse.
    public var autoFocusRangeRestriction: AutoFocusRangeRestriction {
        get {
            observedProperties.access()
            guard case .integer(let option)? = value(of: .focusRange) else { return .none }
            return AutoFocusRangeRestriction(rawValue: Int(option)) ?? .none
        }
        set {
            let method = "setAutoFocusRangeRestriction:"
            guard isLocked(for: method) else { return }
            guard case .options(let options, _)? = controls[.focusRange], options.contains(Int64(newValue.rawValue))
            else {
                return reportUnsupported(method, "a restriction of the range", "isAutoFocusRangeRestrictionSupported")
            }
            set(.focusRange, to: .integer(Int64(newValue.rawValue)))
        }
    }
}

extension AVCaptureDevice.Format {
    /// How a camera finds its focus.
    public enum AutoFocusSystem: Int, Sendable, Hashable {
        case none = 0
        case contrastDetection = 1
        case phaseDetection = 2
    }

    /// How the camera finds its focus in this format.
    ///
    /// Cameras on Linux do not say how they do it: those that have automatic focus are taken to compare contrasts, as all
    /// webcams do, and the simulated ones.
    public var autoFocusSystem: AutoFocusSystem {
        device?.isFocusModeSupported(.autoFocus) ?? false ? .contrastDetection : .none
    }

    /// Whether stills of the best quality that the camera has come in this format; the preset `photo` takes one of these.
    public var isHighestPhotoQualitySupported: Bool {
        guard let device, stillArea > 0, depth == nil else { return false }
        return device.formats.allSatisfy { $0.stillArea <= stillArea }
    }

    /// The pixels of the largest still.
    private var stillArea: Int64 {
        let dimensions = highResolutionStillImageDimensions
        return Int64(dimensions.width) * Int64(dimensions.height)
    }
}
