public import CaptureHAL
public import MediaTypes

/// Something that goes wrong on a simulated device by script.
///
/// Faults come from a profile's `faults:`, from a scenario, or from `SimHost.schedule`; see `docs/faults.md`. The same
/// seed gives the same faults with the same frames.
public enum SimFault: Sendable, Hashable {
    // MARK: Frames and sound

    /// So many frames or chunks are lost; a camera reports each as dropped (`.discontinuity`).
    case dropFrames(count: Int)
    /// So many frames or chunks arrive that much later than they should; those behind them queue up.
    case delayFrames(count: Int, by: CMTime)
    /// So many frames or chunks are delivered twice, with the same time and number.
    case duplicateFrames(count: Int)
    /// So many pairs of frames or chunks carry each other's times.
    case swapTimes(count: Int)
    /// Below a row that chance picks, so many frames show the frame before.
    case tearFrames(count: Int)
    /// So many frames are green, as a picture is whose data never came.
    case greenFrames(count: Int)
    /// So many frames are the one before again, with new times.
    case freezeFrames(count: Int)
    /// So many frames have half the format's width and height.
    case resizeFrames(count: Int)
    /// Noise covers picture or sound for a while.
    case noiseBurst(duration: CMTime)
    /// The samples are zero for a while, and nothing says so.
    case silence(duration: CMTime)
    /// So much sound is lost; positions and times jump over it, and the next chunk says that it follows a gap.
    case overrun(duration: CMTime)

    // MARK: The stream

    /// Nothing arrives for a while, or for good where the duration is nil; the clock of the frames runs on.
    case stall(duration: CMTime?)
    /// The stream ends by an error; the device stays connected.
    case fail(DeviceError.Code)
    /// The device's clock runs faster by so many parts in a million, slower where negative, until the stream ends.
    case driftClock(partsPerMillion: Double)
    /// The device's clock jumps, backwards where negative.
    case jumpClock(by: CMTime)

    // MARK: The device

    /// The plug is pulled; in the middle of a frame, which is then reported as damaged.
    case disconnect(inFrame: Bool)
    /// Opening is refused as `.busy`, so many times.
    case refuseOpen(count: Int)
    /// Starting a stream fails, so many times.
    case refuseStart(DeviceError.Code, count: Int)
    /// The first frame comes that much later, at so many starts.
    case slowStart(by: CMTime, count: Int)
    /// Setting a control fails with `.inputOutput`, so many times.
    case failControl(DeviceControl, count: Int)
    /// Setting a control gives it another value, so many times.
    case alterControl(DeviceControl, to: ControlValue, count: Int)
    /// The device heats up, or cools down.
    ///
    /// From `.serious` on its torch is dimmed and its frame rate cut, at `.shutdown` it delivers nothing; see
    /// `docs/faults.md`.
    case pressure(SystemPressure.Level)

    /// When a fault strikes.
    public enum Trigger: Sendable, Hashable {
        /// Once: at this time of the system's clock, or with the first frame or attempt after it.
        case time(CMTime)
        /// Once: with this frame of a stream, counted from 0, or the first after it.
        case frame(UInt64)
        /// With each frame, or each attempt to open, start or set, by this chance of 0 … 1.
        case rate(Double)
    }

    /// What a fault befalls.
    enum Target {
        /// Frames or chunks, one by one.
        case stream
        /// The device as a whole, whether or not it streams.
        case device
        /// An attempt to open it, to start a stream or to set a control.
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

    /// The only medium whose devices it can befall; nil for both.
    var medium: DeviceMedia? {
        switch self {
        case .tearFrames, .greenFrames, .freezeFrames, .resizeFrames: .video
        case .silence, .overrun: .audio
        case .dropFrames, .delayFrames, .duplicateFrames, .swapTimes, .noiseBurst, .stall, .fail, .driftClock,
            .jumpClock, .disconnect, .refuseOpen, .refuseStart, .slowStart, .failControl, .alterControl, .pressure:
            nil
        }
    }

    /// How many attempts it spoils.
    var attemptCount: Int {
        switch self {
        case .refuseOpen(let count), .refuseStart(_, let count), .slowStart(_, let count), .failControl(_, let count),
            .alterControl(_, _, let count):
            count
        default: 1
        }
    }

    /// Whether it shows a part of the frame before.
    var needsPreviousFrame: Bool {
        switch self {
        case .tearFrames, .freezeFrames: true
        default: false
        }
    }
}

/// A fault with the moment at which it strikes.
public struct ScheduledFault: Sendable, Hashable {
    public var fault: SimFault
    /// Times count from the making of the host.
    public var trigger: SimFault.Trigger

    public init(_ fault: SimFault, at trigger: SimFault.Trigger) {
        self.fault = fault
        self.trigger = trigger
    }
}
