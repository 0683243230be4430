// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Darwin's.

/// The largest finite `Float`.
public let MAXFLOAT = Float.greatestFiniteMagnitude

/// The size of each string in `utsname` in bytes, including the terminator: 65 on Linux, 256 on Darwin.
public let _SYS_NAMELEN: Int32 = 65
