import CaptureHAL
import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// The format in which the device delivers; setting one turns the session's preset to `inputPriority` and the
    /// frame durations to the format's defaults.
    public var activeFormat: Format {
        get {
            observedProperties.access()
            return state.withLock { $0.activeFormat }
        }
        set {
            guard isLocked(for: "setActiveFormat:") else { return }
            guard formats.contains(where: { $0 === newValue }) else {
                return surroundings.misuse.report(
                    .invalidArgument, "-[AVCaptureDevice setActiveFormat:] \(newValue) is not a format of \(self)")
            }
            select(newValue)
            for session in sessions { session.deviceChangedFormat(self) }
        }
    }

    /// The shortest time between frames; setting `.invalid` restores the format's default.
    public var activeVideoMinFrameDuration: CMTime {
        get {
            observedProperties.access()
            return state.withLock { $0.minFrameDuration ?? $0.activeFormat.defaultFrameDuration }
        }
        set { _ = setFrameDuration(newValue, \.minFrameDuration, "setActiveVideoMinFrameDuration:") }
    }

    /// The longest time between frames; setting `.invalid` restores the format's default.
    ///
    /// A custom exposure that takes longer lengthens it, and a shorter time than such an exposure shortens that.
    public var activeVideoMaxFrameDuration: CMTime {
        get {
            observedProperties.access()
            let longest = state.withLock { $0.maxFrameDuration ?? $0.activeFormat.defaultFrameDuration }
            return max(longest, customExposureDuration ?? longest)
        }
        set {
            guard setFrameDuration(newValue, \.maxFrameDuration, "setActiveVideoMaxFrameDuration:"), newValue.isNumeric,
                let exposure = customExposureDuration, exposure > newValue
            else { return }
            set(.exposureDuration, to: .number(newValue.seconds))
        }
    }

    /// The exposure time that the client has set; nil where the camera decides.
    private var customExposureDuration: CMTime? {
        exposureMode == .custom && exposureDuration.isNumeric ? exposureDuration : nil
    }

    /// The format and the frame durations, as one value to go back to.
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
            let previous = exchange(newValue)
            tellSelection(after: previous)
        }
    }

    /// Sets format and frame durations and tells nobody.
    ///
    /// - Returns: What there was before, for `tellSelection`.
    func exchange(_ new: Selection) -> Selection {
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

    /// Tells observers that format or frame durations were set.
    func tellSelection(after previous: Selection) {
        observedProperties.changed([
            "activeFormat", "activeVideoMinFrameDuration", "activeVideoMaxFrameDuration", "activeDepthDataFormat",
            "activeDepthDataMinFrameDuration",
        ])
        if previous.format !== activeFormat { for session in sessions { session.tellFormat(of: self) } }
    }

    /// Makes a format the active one, as a preset does, and forgets the client's frame durations.
    func select(_ format: Format) { selection = Selection(format: format) }

    /// - Returns: Whether the duration was taken.
    private func setFrameDuration(
        _ duration: CMTime, _ target: any (WritableKeyPath<State, CMTime?> & Sendable), _ method: String
    ) -> Bool {
        guard isLocked(for: method) else { return false }
        let format = activeFormat
        guard !duration.isValid || (format.video?.supports(frameDuration: duration) ?? false) else {
            let ranges = format.videoSupportedFrameRateRanges.map(\.description).joined(separator: ", ")
            surroundings.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice \(method)] Unsupported frame duration - Supported ranges: ( \(ranges) ), "
                    + "tried to set \(duration.value)/\(duration.timescale) s")
            return false
        }
        state.withLock { $0[keyPath: target] = duration.isValid ? duration : nil }
        observedProperties.changed(["activeVideoMinFrameDuration", "activeVideoMaxFrameDuration"])
        for session in sessions { session.deviceChangedFrameDuration(self) }
        return true
    }

    /// The time between frames that a stream is asked for.
    var streamFrameDuration: CMTime {
        let (shortest, longest) = state.withLock { ($0.minFrameDuration, $0.maxFrameDuration) }
        // A client that only wants frames to come at least so fast sets the longest duration alone.
        if shortest == nil, let longest, longest < activeVideoMinFrameDuration { return longest }
        return activeVideoMinFrameDuration
    }
}

extension AVCaptureDevice.State {
    fileprivate var selection: AVCaptureDevice.Selection {
        AVCaptureDevice.Selection(
            format: activeFormat, minFrameDuration: minFrameDuration, maxFrameDuration: maxFrameDuration,
            depthFormat: depthFormat, depthFrameDuration: depthFrameDuration)
    }
}

extension AVCaptureDevice.Format {
    /// A thirtieth of a second where the format has it, else what comes nearest.
    var defaultFrameDuration: CMTime {
        guard let video else { return .invalid }
        let wanted = CMTime(value: 1, timescale: 30)
        let offers = video.frameDurations.map { min(max(wanted, $0.minimum), $0.maximum) }
        return offers.min { abs($0.seconds - wanted.seconds) < abs($1.seconds - wanted.seconds) } ?? .invalid
    }
}
