import MediaTypes

extension CMTime {
    /// The time in nanoseconds; halves are rounded away from zero. Times of files are limited to 63 years.
    package var fileNanoseconds: Int64 {
        CMTimeConvertScale(self, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value
    }

    /// Creates a time of a file from nanoseconds.
    package init(fileNanoseconds: Int64) { self.init(value: fileNanoseconds, timescale: 1_000_000_000) }
}
