public import Foundation
public import MediaTypes

extension NSValue {
    /// Creates an object that stores a time.
    ///
    /// - Note: Unlike Apple, the time is stored in the bit patterns of a rectangle's components, since `NSValue` on
    ///   Linux cannot store arbitrary structures. Values of equal times are equal.
    public convenience init(time: CMTime) { self.init(rect: Self.rect(time.value, time, time.epoch)) }

    /// The time passed to `init(time:)`.
    public var timeValue: CMTime {
        let rect = rectValue
        return Self.time(rect.origin.x, rect.origin.y, epoch: rect.size.width)
    }

    /// Creates an object that stores a time range without its epochs.
    public convenience init(timeRange: CMTimeRange) {
        let (start, duration) = (timeRange.start, timeRange.duration)
        self.init(
            rect: NSRect(
                x: Double(bitPattern: UInt64(bitPattern: start.value)), y: Self.scaleAndFlags(start),
                width: Double(bitPattern: UInt64(bitPattern: duration.value)), height: Self.scaleAndFlags(duration)))
    }

    /// The range passed to `init(timeRange:)`.
    public var timeRangeValue: CMTimeRange {
        let rect = rectValue
        return CMTimeRange(
            start: Self.time(rect.origin.x, rect.origin.y, epoch: 0),
            duration: Self.time(rect.size.width, rect.size.height, epoch: 0))
    }

    private static func rect(_ value: Int64, _ time: CMTime, _ epoch: Int64) -> NSRect {
        NSRect(
            x: Double(bitPattern: UInt64(bitPattern: value)), y: scaleAndFlags(time),
            width: Double(bitPattern: UInt64(bitPattern: epoch)), height: 0)
    }

    /// Stores the time scale and the flags in the bit pattern of one number.
    private static func scaleAndFlags(_ time: CMTime) -> Double {
        Double(bitPattern: UInt64(UInt32(bitPattern: time.timescale)) << 32 | UInt64(time.flags.rawValue))
    }

    private static func time(_ value: Double, _ scaleAndFlags: Double, epoch: Double) -> CMTime {
        let bits = scaleAndFlags.bitPattern
        return CMTime(
            value: Int64(bitPattern: value.bitPattern),
            timescale: CMTimeScale(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)),
            flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: bits)),
            epoch: Int64(bitPattern: epoch.bitPattern))
    }
}
