// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Darwin's.

/// The largest finite `Float`.
public let MAXFLOAT = Float.greatestFiniteMagnitude

/// The size of the texts of `utsname` in bytes, with their terminator: 65, not Darwin's 256.
public let _SYS_NAMELEN: Int32 = 65
