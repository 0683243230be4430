public import CaptureHAL
public import MediaTypes

/// A fault of a simulated device.
///
/// Faults are scheduled by a profile's `faults:`, by a scenario, or with `SimHost.schedule`; see `docs/faults.md`.
/// Equal seeds result in the same faults with the same frames.
public enum SimFault: Sendable, Hashable {
    // MARK: Frames and audio

    /// Drops frames or chunks; a camera reports each as dropped (`.discontinuity`).
    case dropFrames(count: Int)
    /// Delays frames or chunks; later ones queue up.
    case delayFrames(count: Int, by: CMTime)
    /// Delivers frames or chunks twice, with the same timestamp and sequence number.
    case duplicateFrames(count: Int)
    /// Swaps the timestamps of pairs of frames or chunks.
    case swapTimes(count: Int)
    /// Delivers frames that show the previous frame below a random row.
    case tearFrames(count: Int)
    /// Delivers green frames, as a decoder does for missing data.
    case greenFrames(count: Int)
    /// Repeats the previous frame with new timestamps.
    case freezeFrames(count: Int)
    /// Delivers frames of half the format's width and height.
    case resizeFrames(count: Int)
    /// Adds noise to video or audio.
    case noiseBurst(duration: CMTime)
    /// Delivers zero samples without reporting it.
    case silence(duration: CMTime)
    /// Loses audio. Positions and timestamps skip the gap; the next chunk reports a discontinuity.
    case overrun(duration: CMTime)

    // MARK: The stream

    /// Stops delivery for a duration, or until the stream ends if it is nil. Timestamps advance.
    case stall(duration: CMTime?)
    /// Ends the stream with an error; the device stays connected.
    case fail(DeviceError.Code)
    /// Speeds up the device's clock by parts per million until the stream ends, or slows it down if negative.
    case driftClock(partsPerMillion: Double)
    /// Advances the device's clock, or sets it back if negative.
    case jumpClock(by: CMTime)

    // MARK: The device

    /// Disconnects the device, optionally in the middle of a frame, which is then reported as damaged.
    case disconnect(inFrame: Bool)
    /// Makes opening fail with `.busy`, `count` times.
    case refuseOpen(count: Int)
    /// Makes starting a stream fail, `count` times.
    case refuseStart(DeviceError.Code, count: Int)
    /// Delays the first frame, at `count` starts.
    case slowStart(by: CMTime, count: Int)
    /// Makes setting a control fail with `.inputOutput`, `count` times.
    case failControl(DeviceControl, count: Int)
    /// Sets a control to another value than requested, `count` times.
    case alterControl(DeviceControl, to: ControlValue, count: Int)
    /// Changes the device's temperature.
    ///
    /// From `.serious` on, the torch is dimmed and the frame rate reduced. At `.shutdown` nothing is delivered. See
    /// `docs/faults.md`.
    case pressure(SystemPressure.Level)

    /// The condition under which a fault occurs.
    public enum Trigger: Sendable, Hashable {
        /// Once, at this time on the clock of the capture system, or with the first frame or attempt after it.
        case time(CMTime)
        /// Once, with this frame of a stream, counted from 0, or the first delivered after it.
        case frame(UInt64)
        /// With this probability, 0 … 1, for each frame, or for each attempt to open, start or set.
        case rate(Double)
    }

    /// What a fault affects.
    enum Target {
        /// Individual frames or chunks.
        case stream
        /// The device as a whole, streaming or not.
        case device
        /// An attempt to open the device, start a stream or set a control.
        case attempt
    }

    var target: Target {
        switch self {
        case .dropFrames, .delayFrames, .duplicateFrames, .swapTimes, .tearFrames, .greenFrames, .freezeFrames,
            .resizeFrames, .noiseBurst, .silence, .overrun, .stall, .fail, .driftClock, .jumpClock,
            .disconnect(inFrame: true):
            .stream
        case .disconnect(inFrame: false), .pressure: .device
        case .refuseOpen, .refuseStart, .slowStart, .failControl, .alterControl: .attempt
        }
    }

    /// The medium that the fault is limited to; nil for both.
    var medium: DeviceMedia? {
        switch self {
        case .tearFrames, .greenFrames, .freezeFrames, .resizeFrames: .video
        case .silence, .overrun: .audio
        case .dropFrames, .delayFrames, .duplicateFrames, .swapTimes, .noiseBurst, .stall, .fail, .driftClock,
            .jumpClock, .disconnect, .refuseOpen, .refuseStart, .slowStart, .failControl, .alterControl, .pressure:
            nil
        }
    }

    /// The number of attempts that the fault affects.
    var attemptCount: Int {
        switch self {
        case .refuseOpen(let count), .refuseStart(_, let count), .slowStart(_, let count), .failControl(_, let count),
            .alterControl(_, _, let count):
            count
        default: 1
        }
    }

    /// Whether the fault shows part of the previous frame.
    var needsPreviousFrame: Bool {
        switch self {
        case .tearFrames, .freezeFrames: true
        default: false
        }
    }
}

/// A fault and its trigger.
public struct ScheduledFault: Sendable, Hashable {
    /// The fault.
    public var fault: SimFault
    /// The trigger. In a profile, times are relative to the creation of the host; in a scenario, they are relative to
    /// its start, when the clock is at 0.
    public var trigger: SimFault.Trigger

    /// Creates a scheduled fault.
    public init(_ fault: SimFault, at trigger: SimFault.Trigger) {
        self.fault = fault
        self.trigger = trigger
    }
}
