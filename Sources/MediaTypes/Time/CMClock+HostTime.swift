// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

extension CMClock {
    /// Converts a time of the host clock to nanoseconds; 0 if the time is negative or not numeric.
    public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        guard hostTime.isNumeric else { return 0 }
        let time = CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .default)
        return UInt64(clamping: time.value)
    }

    /// Converts nanoseconds of the host clock to a time.
    public static func convertSystemUnitsToHostTime(_ systemUnits: UInt64) -> CMTime {
        CMTime(value: Int64(clamping: systemUnits), timescale: 1_000_000_000)
    }

    /// Returns the current time of a clock, and the time of the host clock at the same moment.
    public func anchorTime() throws -> (anchorTime: CMTime, referenceTime: CMTime) {
        (time, CMClock.hostTimeClock.time)
    }

    /// Has no effect, because no clock is created by clients.
    public func invalidate() {}
}

/// The Core Foundation type identifier.
public func CMClockGetTypeID() -> CFTypeID { 6 }

/// Converts a time of the host clock to nanoseconds; 0 if the time is negative or not numeric.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClock.convertHostTimeToSystemUnits(hostTime)
}

/// Converts nanoseconds of the host clock to a time.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMClock.convertSystemUnitsToHostTime(hostTime)
}

/// Returns the current time of a clock, and the time of the host clock at the same moment.
@discardableResult
public func CMClockGetAnchorTime(
    _ clock: CMClock, clockTimeOut: UnsafeMutablePointer<CMTime>, referenceClockTimeOut: UnsafeMutablePointer<CMTime>
) -> OSStatus {
    resultCode { (clockTimeOut.pointee, referenceClockTimeOut.pointee) = try clock.anchorTime() }
}

/// Has no effect, because no clock is created by clients.
public func CMClockInvalidate(_ clock: CMClock) { clock.invalidate() }

/// Returns a clock for audio output: the host clock, because the package does not play audio.
@discardableResult
public func CMAudioClockCreate(allocator: CFAllocator?, clockOut: UnsafeMutablePointer<CMClock?>) -> OSStatus {
    clockOut.pointee = .hostTimeClock
    return noErr
}

/// The current time of the host clock in nanoseconds.
public func CVGetCurrentHostTime() -> UInt64 { CMClock.convertHostTimeToSystemUnits(CMClock.hostTimeClock.time) }

/// The number of units of host times per second.
public func CVGetHostClockFrequency() -> Double { 1_000_000_000 }

/// The smallest difference between host times, in units.
public func CVGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// A time in Core Video.
public struct CVTime: Hashable, Sendable {
    /// In units of `1 / timeScale` seconds.
    public var timeValue: Int64
    /// Units per second.
    public var timeScale: Int32
    /// 1 (`kCVTimeIsIndefinite`) if the time is unknown, otherwise 0.
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
