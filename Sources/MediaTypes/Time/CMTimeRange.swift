/// A time range from `start` to, but not including, its end.
///
/// A range is valid if both times are valid and the duration is in epoch 0 and not negative.
public struct CMTimeRange: Sendable {
    /// The first time of the range.
    public var start: CMTime
    /// The duration of the range.
    public var duration: CMTime

    /// Creates an invalid range.
    public init() {
        self.start = .invalid
        self.duration = .invalid
    }

    /// Creates a range from its start and duration; see `CMTimeRangeMake`.
    public init(start: CMTime, duration: CMTime) {
        self = CMTimeRangeMake(start: start, duration: duration)
    }

    /// Creates a range from its start and end; see `CMTimeRangeFromTimeToTime`.
    public init(start: CMTime, end: CMTime) {
        self = CMTimeRangeFromTimeToTime(start: start, end: end)
    }

    /// Creates a range from its fields without checks.
    init(uncheckedStart start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// The empty range at 0.
    public static let zero = CMTimeRange(uncheckedStart: .zero, duration: .zero)
    /// The invalid range.
    public static let invalid = CMTimeRange()

    /// Whether the range is valid.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0 && duration >= .zero
    }
    /// Whether the range is valid and one of its times is indefinite.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether the range is valid and its duration 0.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// The first time after the range; `.invalid` in an invalid range.
    public var end: CMTime { isValid ? start + duration : .invalid }

    /// Returns the smallest range that contains both; see `CMTimeRangeGetUnion`.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRangeGetUnion(self, otherRange: otherRange) }
    /// Returns the largest range that both contain; see `CMTimeRangeGetIntersection`.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetIntersection(self, otherRange: otherRange)
    }
    /// Whether the range contains a time; its end is excluded.
    public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }
    /// Whether the range contains another range.
    public func containsTimeRange(_ otherRange: CMTimeRange) -> Bool {
        CMTimeRangeContainsTimeRange(self, otherRange: otherRange)
    }
}

extension CMTimeRange: Hashable {
    /// Whether start and duration are equal.
    public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool {
        range1.start == range2.start && range1.duration == range2.duration
    }

    /// Hashes the start and the duration.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(duration)
    }
}

extension CMTimeRange: Codable {
    private enum CodingKeys: String, CodingKey {
        case start, duration
    }

    /// Decodes the start and duration.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            uncheckedStart: try fields.decode(CMTime.self, forKey: .start),
            duration: try fields.decode(CMTime.self, forKey: .duration))
    }

    /// Encodes the start and duration.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(start, forKey: .start)
        try fields.encode(duration, forKey: .duration)
    }
}

extension CMTimeRange: CustomStringConvertible {
    /// Start and duration as text.
    public var description: String { "{\(start), \(duration)}" }
}
