public import Foundation
public import MediaTypes

extension NSValue {
    /// A time as an object.
    ///
    /// - Note: Unlike Apple, the bits of the time lie in a rectangle's numbers, since Foundation on Linux holds no
    ///   structures that it does not know; two values of the same time are equal all the same.
    public convenience init(time: CMTime) { self.init(rect: Self.rect(time.value, time, time.epoch)) }

    /// The time that `init(time:)` was given.
    public var timeValue: CMTime {
        let rect = rectValue
        return Self.time(rect.origin.x, rect.origin.y, epoch: rect.size.width)
    }

    /// A time range as an object; epochs are left out.
    public convenience init(timeRange: CMTimeRange) {
        let (start, duration) = (timeRange.start, timeRange.duration)
        self.init(
            rect: NSRect(
                x: Double(bitPattern: UInt64(bitPattern: start.value)), y: Self.scale(start),
                width: Double(bitPattern: UInt64(bitPattern: duration.value)), height: Self.scale(duration)))
    }

    /// The range that `init(timeRange:)` was given.
    public var timeRangeValue: CMTimeRange {
        let rect = rectValue
        return CMTimeRange(
            start: Self.time(rect.origin.x, rect.origin.y, epoch: 0),
            duration: Self.time(rect.size.width, rect.size.height, epoch: 0))
    }

    private static func rect(_ value: Int64, _ time: CMTime, _ epoch: Int64) -> NSRect {
        NSRect(
            x: Double(bitPattern: UInt64(bitPattern: value)), y: scale(time),
            width: Double(bitPattern: UInt64(bitPattern: epoch)), height: 0)
    }

    /// Timescale and flags in one number.
    private static func scale(_ time: CMTime) -> Double {
        Double(bitPattern: UInt64(UInt32(bitPattern: time.timescale)) << 32 | UInt64(time.flags.rawValue))
    }

    private static func time(_ value: Double, _ scale: Double, epoch: Double) -> CMTime {
        let bits = scale.bitPattern
        return CMTime(
            value: Int64(bitPattern: value.bitPattern),
            timescale: CMTimeScale(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)),
            flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: bits)),
            epoch: Int64(bitPattern: epoch.bitPattern))
    }
}
