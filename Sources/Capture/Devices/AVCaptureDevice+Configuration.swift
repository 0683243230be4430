import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// The format in which the device delivers; setting one turns the session's preset to `inputPriority` and the
    /// frame durations to the format's defaults.
    public var activeFormat: Format {
        get { state.withLock { $0.activeFormat } }
        set {
            guard isLocked(for: "setActiveFormat:") else { return }
            guard formats.contains(where: { $0 === newValue }) else {
                return surroundings.misuse.report(
                    .invalidArgument, "-[AVCaptureDevice setActiveFormat:] \(newValue) is not a format of \(self)")
            }
            select(newValue)
            state.withLock { $0.session }?.deviceChangedFormat(self)
        }
    }

    /// The shortest time between frames; setting `.invalid` restores the format's default.
    public var activeVideoMinFrameDuration: CMTime {
        get { state.withLock { $0.minFrameDuration ?? $0.activeFormat.defaultFrameDuration } }
        set { setFrameDuration(newValue, \.minFrameDuration, "setActiveVideoMinFrameDuration:") }
    }

    /// The longest time between frames; setting `.invalid` restores the format's default.
    public var activeVideoMaxFrameDuration: CMTime {
        get { state.withLock { $0.maxFrameDuration ?? $0.activeFormat.defaultFrameDuration } }
        set { setFrameDuration(newValue, \.maxFrameDuration, "setActiveVideoMaxFrameDuration:") }
    }

    /// The format and the frame durations, as one value to go back to.
    struct Selection {
        var format: Format
        var minFrameDuration: CMTime?
        var maxFrameDuration: CMTime?
    }

    var selection: Selection {
        get {
            state.withLock { state in
                Selection(
                    format: state.activeFormat, minFrameDuration: state.minFrameDuration,
                    maxFrameDuration: state.maxFrameDuration)
            }
        }
        set {
            state.withLock { state in
                state.activeFormat = newValue.format
                state.minFrameDuration = newValue.minFrameDuration
                state.maxFrameDuration = newValue.maxFrameDuration
            }
        }
    }

    /// Makes a format the active one, as a preset does, and forgets the client's frame durations.
    func select(_ format: Format) { selection = Selection(format: format) }

    private func setFrameDuration(
        _ duration: CMTime, _ target: any (WritableKeyPath<State, CMTime?> & Sendable), _ method: String
    ) {
        guard isLocked(for: method) else { return }
        let format = activeFormat
        guard !duration.isValid || (format.video?.supports(frameDuration: duration) ?? false) else {
            let ranges = format.videoSupportedFrameRateRanges.map(\.description).joined(separator: ", ")
            return surroundings.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice \(method)] Unsupported frame duration - Supported ranges: ( \(ranges) ), "
                    + "tried to set \(duration.value)/\(duration.timescale) s")
        }
        state.withLock { $0[keyPath: target] = duration.isValid ? duration : nil }
        state.withLock { $0.session }?.deviceChangedFrameDuration(self)
    }

    /// The time between frames that a stream is asked for.
    var streamFrameDuration: CMTime {
        let (shortest, longest) = state.withLock { ($0.minFrameDuration, $0.maxFrameDuration) }
        // A client that only wants frames to come at least so fast sets the longest duration alone.
        if shortest == nil, let longest, longest < activeVideoMinFrameDuration { return longest }
        return activeVideoMinFrameDuration
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

extension AVCaptureDevice {
    /// The factor by which the picture is enlarged; 1 is the whole field of view.
    ///
    /// Between `maxAvailableVideoZoomFactor` and the format's maximum a value is clamped; beyond, it is misuse.
    public var videoZoomFactor: CGFloat {
        get { CGFloat(number(.zoomFactor) ?? 1) }
        set {
            guard isLocked(for: "setVideoZoomFactor:") else { return }
            guard newValue >= 1, newValue <= activeFormat.videoMaxZoomFactor else {
                return surroundings.misuse.report(
                    .range,
                    "-[AVCaptureDevice setVideoZoomFactor:] \(newValue) is outside the range "
                        + "1 - \(activeFormat.videoMaxZoomFactor)")
            }
            let factor = min(max(newValue, minAvailableVideoZoomFactor), maxAvailableVideoZoomFactor)
            set(.zoomFactor, to: .number(Double(factor)))
        }
    }

    public var minAvailableVideoZoomFactor: CGFloat { CGFloat(range(.zoomFactor)?.lowerBound ?? 1) }
    public var maxAvailableVideoZoomFactor: CGFloat { CGFloat(range(.zoomFactor)?.upperBound ?? 1) }

    /// Whether the device has a lamp.
    public var hasTorch: Bool { range(.torchLevel) != nil }
    public var isTorchAvailable: Bool { hasTorch }
    public var isTorchActive: Bool { torchLevel > 0 }
    /// 0 … 1.
    public var torchLevel: Float { Float(number(.torchLevel) ?? 0) }
    /// Whether the device has a flash.
    public var hasFlash: Bool { controls[.flash] != nil }
    public var isFlashAvailable: Bool { hasFlash }

    public func isTorchModeSupported(_ mode: TorchMode) -> Bool {
        mode == .off || (mode == .on && hasTorch)
    }

    /// Whether the lamp is on; setting `.on` takes the greatest level.
    public var torchMode: TorchMode {
        get { isTorchActive ? .on : .off }
        set {
            guard isLocked(for: "setTorchMode:") else { return }
            guard isTorchModeSupported(newValue) else {
                return surroundings.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDevice setTorchMode:] torch mode \(newValue) is not supported by \(self)")
            }
            if hasTorch { set(.torchLevel, to: .number(newValue == .on ? 1 : 0)) }
        }
    }

    /// Turns the lamp on.
    ///
    /// - Parameter level: Above 0 and at most 1.
    /// - Throws: `AVError.torchLevelUnavailable` where the lamp cannot be that bright now.
    public func setTorchModeOn(level: Float) throws {
        guard isLocked(for: "setTorchModeOnWithLevel:error:") else { return }
        guard let range = range(.torchLevel), level > 0, level <= 1 else {
            return surroundings.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice setTorchModeOnWithLevel:error:] the level must be above 0 and at most 1, "
                    + "and the device must have a torch")
        }
        guard Double(level) <= range.upperBound else {
            throw AVError(.torchLevelUnavailable, "the torch cannot be brighter than \(range.upperBound) now")
        }
        if let error = set(.torchLevel, to: .number(Double(level))) { throw AVError(error, device: self) }
    }

    /// Sensitivity by ISO 12232; 0 where the device does not tell.
    public var iso: Float { Float(number(.iso) ?? 0) }
    /// The exposure time in force; invalid where the device does not tell.
    public var exposureDuration: CMTime {
        number(.exposureDuration).map { CMTime(seconds: $0, preferredTimescale: 1_000_000_000) } ?? .invalid
    }

    /// The controls of the device; none where it cannot be opened.
    private var controls: [DeviceControl: ControlRange] {
        withOpened { $0.controls } ?? [:]
    }

    private func range(_ control: DeviceControl) -> ClosedRange<Double>? {
        if case .number(let range, _, _)? = controls[control] { range } else { nil }
    }

    private func number(_ control: DeviceControl) -> Double? {
        // A control that the device lacks or cannot read now has no value.
        let value = withOpened { device in
            device.controls[control] == nil ? nil : try? device.value(of: control)
        }
        if case .number(let number)?? = value { return number }
        return nil
    }

    /// Sets a control that the device has; where that fails the value stays as it was.
    ///
    /// - Returns: Why it failed. A device that turns out to be gone is reported to the session, too.
    @discardableResult
    func set(_ control: DeviceControl, to value: ControlValue) -> DeviceError? {
        let failure = withOpened { device -> DeviceError? in
            do throws(DeviceError) {
                try device.set(control, to: value)
                return nil
            } catch {
                return error
            }
        }
        guard let error = failure ?? nil else { return nil }
        if error.code == .disconnected { state.withLock { $0.session }?.deviceFailed(self, error) }
        return error
    }

    /// Opens the device for the length of `body`, where that is possible.
    @discardableResult
    private func withOpened<Result>(_ body: (any OpenDevice) -> Result) -> Result? {
        // A device that is gone or busy has nothing to read or set.
        guard let device = try? acquire() else { return nil }
        defer { release() }
        return body(device)
    }
}
