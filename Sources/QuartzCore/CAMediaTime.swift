// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import MediaTypes

/// The present on the host time clock, in seconds: that of the capture system in which the caller lives.
public func CACurrentMediaTime() -> CFTimeInterval { CMClockGetTime(CMClockGetHostTimeClock()).seconds }
