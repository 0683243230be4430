import CaptureHAL
public import MediaTypes

extension AVCaptureDevice {
    /// The longest time for which the automatic exposure exposes. Can be observed.
    ///
    /// `.invalid` restores the camera's own limit, as do a new format, a preset, and adding the device to a session; other
    /// times than between the active format's `minExposureDuration` and `maxExposureDuration` are misuse. However long it
    /// is, frames still come at their rate. A camera that takes no limit keeps the format's longest time.
    public var activeMaxExposureDuration: CMTime {
        get {
            observedProperties.access()
            guard let seconds = number(.exposureLimit) else { return activeFormat.maxExposureDuration }
            return CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
        }
        set {
            let method = "setActiveMaxExposureDuration:"
            guard isLocked(for: method) else { return }
            guard newValue.isValid else { return resetExposureLimit() }
            guard isExposable(newValue, method), let range = range(.exposureLimit) else { return }
            state.withLock { $0.hasExposureLimit = true }
            set(.exposureLimit, to: .number(min(max(newValue.seconds, range.lowerBound), range.upperBound)))
        }
    }

    /// Goes back to the camera's own limit; asks nothing of a device that was given none.
    func resetExposureLimit() {
        let isSet = state.withLock { state in
            defer { state.hasExposureLimit = false }
            return state.hasExposureLimit
        }
        guard isSet, case .number(_, _, let usual)? = controls[.exposureLimit] else { return }
        set(.exposureLimit, to: .number(usual))
    }
}
