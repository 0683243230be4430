import AssetTypes
import CaptureHAL
import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// The format in which the device delivers media.
    ///
    /// Setting the format changes the session's preset to `inputPriority` and resets the frame durations and the
    /// exposure limit to the format's defaults; a different format also resets the points of interest to the center.
    ///
    /// Setting a format of another device is misuse. While the device is in an `AVCaptureMultiCamSession`, setting a
    /// format without `isMultiCamSupported` is misuse, too.
    public var activeFormat: Format {
        get {
            observedProperties.access()
            return state.withLock { $0.activeFormat }
        }
        set {
            guard checkLock(for: "setActiveFormat:") else { return }
            guard formats.contains(where: { $0 === newValue }) else {
                return environment.misuse.report(
                    .invalidArgument, "-[AVCaptureDevice setActiveFormat:] \(newValue) is not a format of \(self)")
            }
            guard newValue.isMultiCamSupported || newValue.video == nil || !sessions.contains(where: \.isMultiCam)
            else {
                return reportUnsupported(
                    "setActiveFormat:", "\(newValue) in an AVCaptureMultiCamSession",
                    "[AVCaptureDeviceFormat isMultiCamSupported]")
            }
            select(newValue)
            for session in sessions { session.deviceFormatDidChange() }
        }
    }

    /// The shortest time between frames; setting `.invalid` restores the format's default.
    ///
    /// It is never longer than `activeVideoMaxFrameDuration`: setting either of the two adjusts the other if they would
    /// conflict, so that a valid frame duration always exists. Apple does not document this case.
    public var activeVideoMinFrameDuration: CMTime {
        get {
            observedProperties.access()
            return state.withLock { $0.frameDurations.shortest }
        }
        set { _ = setFrameDuration(newValue, \.minFrameDuration, "setActiveVideoMinFrameDuration:") }
    }

    /// The longest time between frames; setting `.invalid` restores the format's default.
    ///
    /// It is never shorter than `activeVideoMinFrameDuration`, which is adjusted if the two would conflict. A longer
    /// custom exposure lengthens it; setting it below a custom exposure shortens the exposure.
    public var activeVideoMaxFrameDuration: CMTime {
        get {
            observedProperties.access()
            let longest = state.withLock { $0.frameDurations.longest }
            return max(longest, customExposureDuration ?? longest)
        }
        set {
            guard setFrameDuration(newValue, \.maxFrameDuration, "setActiveVideoMaxFrameDuration:"), newValue.isNumeric,
                let exposure = customExposureDuration, exposure > newValue
            else { return }
            set(.exposureDuration, to: .number(newValue.seconds))
        }
    }

    /// The exposure time that the client has set; nil if the camera chooses it.
    private var customExposureDuration: CMTime? {
        exposureMode == .custom && exposureDuration.isNumeric ? exposureDuration : nil
    }

    /// The format, the frame durations and the depth settings, as one value that can be restored.
    ///
    /// Nil means that the client has not set the value; a depth format of `.some(nil)` means that it has selected none.
    struct Selection: Sendable, Equatable {
        var format: Format
        var minFrameDuration: CMTime?
        var maxFrameDuration: CMTime?
        var depthFormat: Format??
        var depthFrameDuration: CMTime?
    }

    var selection: Selection {
        get {
            state.withLock { state in
                state.selection
            }
        }
        set {
            let previous = replaceSelection(newValue)
            notifySelectionChange(after: previous)
        }
    }

    /// Replaces the selection without notifying observers.
    ///
    /// - Returns: The previous selection, for `notifySelectionChange`.
    func replaceSelection(_ new: Selection) -> Selection {
        state.withLock { state in
            let previous = state.selection
            state.activeFormat = new.format
            state.minFrameDuration = new.minFrameDuration
            state.maxFrameDuration = new.maxFrameDuration
            state.depthFormat = new.depthFormat
            state.depthFrameDuration = new.depthFrameDuration
            return previous
        }
    }

    /// Notifies observers of changed formats and frame durations.
    func notifySelectionChange(after previous: Selection) {
        observedProperties.changed([
            "activeFormat", "activeVideoMinFrameDuration", "activeVideoMaxFrameDuration", "activeDepthDataFormat",
            "activeDepthDataMinFrameDuration", "minAvailableVideoZoomFactor", "maxAvailableVideoZoomFactor",
        ])
        guard previous.format !== activeFormat else { return }
        for session in sessions {
            session.postFormatChange(of: self, activeFormat.mediaType)
            session.postFormatChange(of: self, .depthData)
        }
    }

    /// Activates a format, for example for a preset, and resets the client's frame durations.
    func select(_ format: Format) {
        let isNew = format !== activeFormat
        selection = Selection(format: format)
        if isNew { resetPointsOfInterest() }
        resetExposureLimit()
    }

    /// - Returns: Whether the duration was accepted.
    private func setFrameDuration(
        _ duration: CMTime, _ target: any (WritableKeyPath<State, CMTime?> & Sendable), _ method: String
    ) -> Bool {
        guard checkLock(for: method) else { return false }
        let format = activeFormat
        guard !duration.isValid || (format.video?.supports(frameDuration: duration) ?? false) else {
            let ranges = format.videoSupportedFrameRateRanges.map(\.description).joined(separator: ", ")
            environment.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice \(method)] Unsupported frame duration - Supported ranges: ( \(ranges) ), "
                    + "tried to set \(duration.value)/\(duration.timescale) s")
            return false
        }
        state.withLock { state in
            state[keyPath: target] = duration.isValid ? duration : nil
            guard let shortest = state.minFrameDuration, let longest = state.maxFrameDuration, shortest > longest else {
                return
            }
            state.minFrameDuration = duration
            state.maxFrameDuration = duration
        }
        observedProperties.changed(["activeVideoMinFrameDuration", "activeVideoMaxFrameDuration"])
        for session in sessions { session.frameDurationDidChange(of: self) }
        return true
    }

    /// The frame duration with which streams are configured.
    var streamFrameDuration: CMTime { state.withLock { $0.frameDurations.shortest } }
}

extension AVCaptureDevice.State {
    /// The effective durations. A duration that the client did not set is the default, limited by the other duration.
    fileprivate var frameDurations: (shortest: CMTime, longest: CMTime) {
        let defaultDuration = activeFormat.defaultFrameDuration
        let shortest = minFrameDuration ?? maxFrameDuration.map { min($0, defaultDuration) } ?? defaultDuration
        return (shortest, maxFrameDuration ?? max(shortest, defaultDuration))
    }

    fileprivate var selection: AVCaptureDevice.Selection {
        AVCaptureDevice.Selection(
            format: activeFormat, minFrameDuration: minFrameDuration, maxFrameDuration: maxFrameDuration,
            depthFormat: depthFormat, depthFrameDuration: depthFrameDuration)
    }
}

extension AVCaptureDevice.Format {
    /// The supported frame duration that is nearest to 1/30 s.
    var defaultFrameDuration: CMTime {
        guard let video else { return .invalid }
        let target = CMTime(value: 1, timescale: 30)
        let candidates = video.frameDurations.map { min(max(target, $0.minimum), $0.maximum) }
        return candidates.min { abs($0.seconds - target.seconds) < abs($1.seconds - target.seconds) } ?? .invalid
    }
}
