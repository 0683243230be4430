// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

extension CMClock {
    /// Converts a time of the host's clock to its units: nanoseconds.
    public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        guard hostTime.isNumeric else { return 0 }
        let time = CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .default)
        return UInt64(clamping: time.value)
    }

    /// Converts nanoseconds of the host's clock to a time.
    public static func convertSystemUnitsToHostTime(_ systemUnits: UInt64) -> CMTime {
        CMTime(value: Int64(clamping: systemUnits), timescale: 1_000_000_000)
    }

    /// Returns the current time, and that of the host's clock at the same moment.
    public func anchorTime() throws -> (anchorTime: CMTime, referenceTime: CMTime) {
        (time, CMClock.hostTimeClock.time)
    }

    /// Has no effect: all clocks belong to the package.
    public func invalidate() {}
}

/// The Core Foundation type identifier.
public func CMClockGetTypeID() -> CFTypeID { 6 }

/// Converts a time of the host's clock to its units: nanoseconds.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClock.convertHostTimeToSystemUnits(hostTime)
}

/// Converts nanoseconds of the host's clock to a time.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMClock.convertSystemUnitsToHostTime(hostTime)
}

/// Returns the current time, and that of the host's clock at the same moment.
@discardableResult
public func CMClockGetAnchorTime(
    _ clock: CMClock, clockTimeOut: UnsafeMutablePointer<CMTime>, referenceClockTimeOut: UnsafeMutablePointer<CMTime>
) -> OSStatus {
    resultCode { (clockTimeOut.pointee, referenceClockTimeOut.pointee) = try clock.anchorTime() }
}

/// Has no effect: all clocks belong to the package.
public func CMClockInvalidate(_ clock: CMClock) { clock.invalidate() }

/// Returns a clock for audio output: the host's clock, since the package plays no audio.
@discardableResult
public func CMAudioClockCreate(allocator: CFAllocator?, clockOut: UnsafeMutablePointer<CMClock?>) -> OSStatus {
    clockOut.pointee = .hostTimeClock
    return noErr
}

/// The time of the host's clock in nanoseconds.
public func CVGetCurrentHostTime() -> UInt64 { CMClock.convertHostTimeToSystemUnits(CMClock.hostTimeClock.time) }

/// Units of the host's time per second.
public func CVGetHostClockFrequency() -> Double { 1_000_000_000 }

/// The smallest difference of host times.
public func CVGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// A time as Core Video counts it.
public struct CVTime: Hashable, Sendable {
    /// In units of `1 / timeScale` seconds.
    public var timeValue: Int64
    /// Units per second.
    public var timeScale: Int32
    /// `kCVTimeIsIndefinite` or 0.
    public var flags: Int32

    /// Creates a time of 0 without a scale.
    public init() { self.init(timeValue: 0, timeScale: 0, flags: 0) }

    /// Creates a time.
    public init(timeValue: Int64, timeScale: Int32, flags: Int32) {
        self.timeValue = timeValue
        self.timeScale = timeScale
        self.flags = flags
    }
}

/// The time 0.
public let kCVZeroTime = CVTime(timeValue: 0, timeScale: 1, flags: 0)
/// An unknown time.
public let kCVIndefiniteTime = CVTime(timeValue: 0, timeScale: 0, flags: 1)
