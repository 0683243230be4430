import CaptureHAL

extension AVCaptureDevice {
    /// The range of distances that automatic focus searches.
    public enum AutoFocusRangeRestriction: Int, Sendable, Hashable {
        case none = 0
        case near = 1
        case far = 2
    }

    public var isAutoFocusRangeRestrictionSupported: Bool { controls[.focusRange] != nil }

    /// The range of distances that automatic focus searches; unrestricted by default. Can be observed.
    ///
    /// It does not start a scan; it takes effect when `focusMode` is set afterwards or the camera starts a new scan.
    /// Setting it without support is misuse.
    public var autoFocusRangeRestriction: AutoFocusRangeRestriction {
        get {
            observedProperties.access()
            guard case .integer(let option)? = value(of: .focusRange) else { return .none }
            return AutoFocusRangeRestriction(rawValue: Int(option)) ?? .none
        }
        set {
            let method = "setAutoFocusRangeRestriction:"
            guard checkLock(for: method) else { return }
            guard case .options(let options, _)? = controls[.focusRange], options.contains(Int64(newValue.rawValue))
            else {
                return reportUnsupported(
                    method, "autofocus range restriction \(newValue)", "isAutoFocusRangeRestrictionSupported")
            }
            set(.focusRange, to: .integer(Int64(newValue.rawValue)))
        }
    }
}

extension AVCaptureDevice.Format {
    /// The autofocus method of a camera.
    public enum AutoFocusSystem: Int, Sendable, Hashable {
        case none = 0
        case contrastDetection = 1
        case phaseDetection = 2
    }

    /// The autofocus method in this format.
    ///
    /// Drivers on Linux do not report the method; cameras with automatic focus, simulated ones included, are assumed to
    /// use contrast detection, as webcams do.
    public var autoFocusSystem: AutoFocusSystem {
        device?.isFocusModeSupported(.autoFocus) ?? false ? .contrastDetection : .none
    }

    /// Whether the format supports the camera's largest stills; the preset `photo` selects such a format.
    public var isHighestPhotoQualitySupported: Bool {
        guard let device, photoPixelCount > 0, depth == nil else { return false }
        return device.formats.allSatisfy { $0.photoPixelCount <= photoPixelCount }
    }

    /// The pixel count of the largest still.
    private var photoPixelCount: Int64 {
        let dimensions = highResolutionStillImageDimensions
        return Int64(dimensions.width) * Int64(dimensions.height)
    }
}
