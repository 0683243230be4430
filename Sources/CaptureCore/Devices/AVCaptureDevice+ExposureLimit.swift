import CaptureHAL
public import MediaTypes

extension AVCaptureDevice {
    /// The longest exposure time that automatic exposure uses. Can be observed.
    ///
    /// Setting `.invalid` restores the camera's default limit, as does setting a format or a preset, or adding the
    /// device to a session. Times outside the active format's `minExposureDuration` … `maxExposureDuration` are
    /// misuse. The limit does not change the frame rate. For cameras without a limit, the value is the format's longest
    /// exposure time.
    public var activeMaxExposureDuration: CMTime {
        get {
            observedProperties.access()
            guard let seconds = number(.exposureLimit) else { return activeFormat.maxExposureDuration }
            return CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
        }
        set {
            let method = "setActiveMaxExposureDuration:"
            guard checkLock(for: method) else { return }
            guard newValue.isValid else { return resetExposureLimit() }
            guard checkExposureDuration(newValue, method), let range = range(.exposureLimit) else { return }
            state.withLock { $0.hasExposureLimit = true }
            set(.exposureLimit, to: .number(min(max(newValue.seconds, range.lowerBound), range.upperBound)))
        }
    }

    /// Restores the camera's default limit; does not open the device if its limit was never set.
    func resetExposureLimit() {
        let isSet = state.withLock { state in
            defer { state.hasExposureLimit = false }
            return state.hasExposureLimit
        }
        guard isSet, case .number(_, _, let defaultLimit)? = controls[.exposureLimit] else { return }
        set(.exposureLimit, to: .number(defaultLimit))
    }
}
