package import MediaTypes

extension CMTime {
    /// Creates a time in milliseconds.
    package static func milliseconds(_ count: Int64) -> CMTime { CMTime(value: count, timescale: 1000) }
}
