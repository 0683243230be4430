// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import MediaTypes

/// Returns the current time of the host time clock in seconds, that of the caller's capture system.
public func CACurrentMediaTime() -> CFTimeInterval { CMClockGetTime(CMClockGetHostTimeClock()).seconds }
