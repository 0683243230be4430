// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CMSync.h`.

public import Dispatch
public import Foundation

/// Error: a required parameter is missing.
public let kCMClockError_MissingRequiredParameter: OSStatus = -12745
/// Error: a parameter is invalid.
public let kCMClockError_InvalidParameter: OSStatus = -12746
/// Error: memory allocation failed.
public let kCMClockError_AllocationFailed: OSStatus = -12747
/// Error: the clock does not support the operation.
public let kCMClockError_UnsupportedOperation: OSStatus = -12756
/// Error: a required parameter is missing.
public let kCMTimebaseError_MissingRequiredParameter: OSStatus = -12748
/// Error: a parameter is invalid.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749
/// Error: memory allocation failed.
public let kCMTimebaseError_AllocationFailed: OSStatus = -12750
/// Error: the interval of a run loop timer is too short.
public let kCMTimebaseError_TimerIntervalTooShort: OSStatus = -12751
/// Error: the timebase cannot be changed.
public let kCMTimebaseError_ReadOnly: OSStatus = -12757
/// Error: a required parameter is missing.
public let kCMSyncError_MissingRequiredParameter: OSStatus = -12752
/// Error: a parameter is invalid.
public let kCMSyncError_InvalidParameter: OSStatus = -12753
/// Error: memory allocation failed.
public let kCMSyncError_AllocationFailed: OSStatus = -12754
/// Error: the rate must not be 0.
public let kCMSyncError_RateMustBeNonZero: OSStatus = -12755

/// The name of the notification of a changed effective rate; the object is the timebase.
public let kCMTimebaseNotification_EffectiveRateChanged: CFString = "kCMTimebaseNotification_EffectiveRateChanged"
/// The name of the notification of a changed time; the object is the timebase.
public let kCMTimebaseNotification_TimeJumped: CFString = "kCMTimebaseNotification_TimeJumped"
/// The key of the host time of the change, a `CMTime` dictionary, in the user info of notifications.
public let kCMTimebaseNotificationKey_EventTime: CFString = "kCMTimebaseNotificationKey_EventTime"

/// Runs a closure and returns `noErr` or the code of the error that it throws.
func resultCode(_ body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return OSStatus(truncatingIfNeeded: (error as NSError).code)
    }
}

/// The Core Foundation type identifier.
public func CMTimebaseGetTypeID() -> CFTypeID { 7 }

/// Creates a timebase that follows a clock.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = CMTimebase(following: sourceClock)
    return noErr
}

/// Creates a timebase that follows another timebase.
@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
    allocator: CFAllocator?, sourceTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = CMTimebase(following: sourceTimebase)
    return noErr
}

/// The timebase that a timebase follows directly; nil if it follows a clock.
public func CMTimebaseCopySourceTimebase(_ timebase: CMTimebase) -> CMTimebase? {
    timebase.sourceTimebase
}

/// The clock that a timebase follows directly; nil if it follows a timebase.
public func CMTimebaseCopySourceClock(_ timebase: CMTimebase) -> CMClock? {
    timebase.sourceClock
}

/// The clock or timebase that a timebase follows directly.
public func CMTimebaseCopySource(_ timebase: CMTimebase) -> CMClockOrTimebase {
    timebase.source
}

/// The clock that a timebase follows, directly or through other timebases.
public func CMTimebaseCopyUltimateSourceClock(_ timebase: CMTimebase) -> CMClock {
    timebase.ultimateSourceClock
}

/// Follows a clock from now on, without a change of time or rate.
@discardableResult
public func CMTimebaseSetSourceClock(_ timebase: CMTimebase, _ newSourceClock: CMClock) -> OSStatus {
    timebase.setSource(newSourceClock)
    return noErr
}

/// Follows another timebase from now on, without a change of time or rate.
///
/// - Returns: `kCMTimebaseError_InvalidParameter` if the new source is the timebase itself or follows it.
@discardableResult
public func CMTimebaseSetSourceTimebase(_ timebase: CMTimebase, _ newSourceTimebase: CMTimebase) -> OSStatus {
    timebase.setSource(newSourceTimebase) ? noErr : kCMTimebaseError_InvalidParameter
}

/// The former name of `CMTimebaseCreateWithSourceClock`.
@discardableResult
public func CMTimebaseCreateWithMasterClock(
    allocator: CFAllocator?, masterClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceClock(allocator: allocator, sourceClock: masterClock, timebaseOut: timebaseOut)
}

/// The former name of `CMTimebaseCreateWithSourceTimebase`.
@discardableResult
public func CMTimebaseCreateWithMasterTimebase(
    allocator: CFAllocator?, masterTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceTimebase(
        allocator: allocator, sourceTimebase: masterTimebase, timebaseOut: timebaseOut)
}

/// The former name of `CMTimebaseCopySourceTimebase`.
public func CMTimebaseCopyMasterTimebase(_ timebase: CMTimebase) -> CMTimebase? {
    timebase.sourceTimebase
}

/// The former name of `CMTimebaseCopySourceClock`.
public func CMTimebaseCopyMasterClock(_ timebase: CMTimebase) -> CMClock? {
    timebase.sourceClock
}

/// The former name of `CMTimebaseCopySource`.
public func CMTimebaseCopyMaster(_ timebase: CMTimebase) -> CMClockOrTimebase {
    timebase.source
}

/// The former name of `CMTimebaseCopyUltimateSourceClock`.
public func CMTimebaseCopyUltimateMasterClock(_ timebase: CMTimebase) -> CMClock {
    timebase.ultimateSourceClock
}

/// The former name of `CMTimebaseSetSourceClock`.
@discardableResult
public func CMTimebaseSetMasterClock(_ timebase: CMTimebase, _ newMasterClock: CMClock) -> OSStatus {
    CMTimebaseSetSourceClock(timebase, newMasterClock)
}

/// The former name of `CMTimebaseSetSourceTimebase`.
@discardableResult
public func CMTimebaseSetMasterTimebase(_ timebase: CMTimebase, _ newMasterTimebase: CMTimebase) -> OSStatus {
    CMTimebaseSetSourceTimebase(timebase, newMasterTimebase)
}

/// The former name of `CMTimebaseCopySourceTimebase`.
public func CMTimebaseGetMasterTimebase(_ timebase: CMTimebase) -> CMTimebase? {
    timebase.sourceTimebase
}

/// The former name of `CMTimebaseCopySourceClock`.
public func CMTimebaseGetMasterClock(_ timebase: CMTimebase) -> CMClock? {
    timebase.sourceClock
}

/// The former name of `CMTimebaseCopySource`.
public func CMTimebaseGetMaster(_ timebase: CMTimebase) -> CMClockOrTimebase? {
    timebase.source
}

/// The former name of `CMTimebaseCopyUltimateSourceClock`.
public func CMTimebaseGetUltimateMasterClock(_ timebase: CMTimebase) -> CMClock? {
    timebase.ultimateSourceClock
}

/// The current time.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime {
    timebase.time
}

/// The current time at a timescale.
public func CMTimebaseGetTimeWithTimeScale(
    _ timebase: CMTimebase, timescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
    timebase.time(withTimescale: timescale, rounding: method)
}

/// Sets the current time.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    resultCode { try timebase.setTime(time) }
}

/// Sets the time of the timebase at the source time `immediateSourceTime`.
@discardableResult
public func CMTimebaseSetAnchorTime(
    _ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
    resultCode { try timebase.setAnchorTime(timebaseTime, referenceTime: immediateSourceTime) }
}

/// The rate relative to the source.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 {
    timebase.rate
}

/// The current time and the rate, read atomically.
@discardableResult
public func CMTimebaseGetTimeAndRate(
    _ timebase: CMTimebase, timeOut: UnsafeMutablePointer<CMTime>?, rateOut: UnsafeMutablePointer<Float64>?
) -> OSStatus {
    let (time, rate) = timebase.timeAndRate
    timeOut?.pointee = time
    rateOut?.pointee = rate
    return noErr
}

/// Sets the rate from now on.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    resultCode { try timebase.setRate(rate) }
}

/// Sets the rate, and the time of the timebase at the source time `immediateSourceTime`.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
    _ timebase: CMTimebase, rate: Float64, anchorTime timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
    resultCode {
        try timebase.setRateAndAnchorTime(rate: rate, anchorTime: timebaseTime, referenceTime: immediateSourceTime)
    }
}

/// The rate relative to the ultimate clock.
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Float64 {
    timebase.effectiveRate
}

/// Adds a run loop timer.
@discardableResult
public func CMTimebaseAddTimer(_ timebase: CMTimebase, timer: Timer, runloop: RunLoop) -> OSStatus {
    resultCode { try timebase.addTimer(timer, on: runloop) }
}

/// Removes a run loop timer.
@discardableResult
public func CMTimebaseRemoveTimer(_ timebase: CMTimebase, timer: Timer) -> OSStatus {
    resultCode { try timebase.removeTimer(timer) }
}

/// Sets the time at which a run loop timer fires.
@discardableResult
public func CMTimebaseSetTimerNextFireTime(
    _ timebase: CMTimebase, timer: Timer, fireTime: CMTime, flags: UInt32
) -> OSStatus {
    resultCode { try timebase.setTimerNextFireTime(timer, fireTime: fireTime) }
}

/// Fires a run loop timer now.
@discardableResult
public func CMTimebaseSetTimerToFireImmediately(_ timebase: CMTimebase, timer: Timer) -> OSStatus {
    resultCode { try timebase.setTimerToFireImmediately(timer) }
}

/// Adds a timer source.
@discardableResult
public func CMTimebaseAddTimerDispatchSource(
    _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus {
    timebase.add(TimebaseTimer(kind: .dispatch(timerSource)))
    return noErr
}

/// Removes a timer source.
@discardableResult
public func CMTimebaseRemoveTimerDispatchSource(
    _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus {
    timebase.remove(timerSource as AnyObject) ? noErr : kCMTimebaseError_InvalidParameter
}

/// Sets the time at which a timer source fires.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceNextFireTime(
    _ timebase: CMTimebase, timerSource: any DispatchSourceTimer, fireTime: CMTime, flags: UInt32
) -> OSStatus {
    timebase.setFireTime(fireTime, of: timerSource as AnyObject) ? noErr : kCMTimebaseError_InvalidParameter
}

/// Fires a timer source now.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceToFireImmediately(
    _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus {
    timebase.fireImmediately(timerSource as AnyObject) ? noErr : kCMTimebaseError_InvalidParameter
}

/// Returns after all notifications of earlier changes were posted.
@discardableResult
public func CMTimebaseNotificationBarrier(_ timebase: CMTimebase) -> OSStatus {
    noErr
}
