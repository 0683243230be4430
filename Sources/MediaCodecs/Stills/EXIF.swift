public import Foundation
public import MediaTypes

/// What a camera notes about a picture, as EXIF (CIPA DC-008) stores it; nil where nothing is known.
public struct EXIF: Sendable, Hashable {
    /// Seconds.
    public var exposureTime: Double?
    /// The f-number.
    public var aperture: Double?
    /// Sensitivity by ISO 12232.
    public var iso: Int?
    /// Exposure value steps.
    public var exposureBias: Double?
    public var focalLengthMillimetres: Double?
    /// The focal length with the same field of view on a 36 mm wide frame.
    public var equivalentFocalLengthMillimetres: Int?
    public var orientation: CGImagePropertyOrientation?
    public var originalTime: Moment?
    public var make: String?
    public var model: String?
    public var lensMake: String?
    public var lensModel: String?
    public var software: String?
    public var flash: Flash?
    public var whiteBalance: WhiteBalance?
    public var location: Location?
    /// The picture's size in pixels, before its orientation is applied.
    public var pixelWidth: Int?
    public var pixelHeight: Int?
    public var colorSpace: ColorSpace?

    public init() {}

    /// A calendar time at the camera, as its clock showed it.
    public struct Moment: Sendable, Hashable {
        public var year: Int
        public var month: Int
        public var day: Int
        public var hour: Int
        public var minute: Int
        public var second: Int
        /// Thousandths of a second.
        public var millisecond: Int?
        /// Minutes east of UTC.
        public var offsetMinutes: Int?

        public init(
            year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int? = nil,
            offsetMinutes: Int? = nil
        ) {
            self.year = year
            self.month = month
            self.day = day
            self.hour = hour
            self.minute = minute
            self.second = second
            self.millisecond = millisecond
            self.offsetMinutes = offsetMinutes
        }

        /// What a clock `offsetMinutes` east of UTC shows at `date`.
        public init(_ date: Date, offsetMinutes: Int = 0) {
            let total = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) + Int64(offsetMinutes) * 60_000
            let days = Int((Double(total) / 86_400_000).rounded(.down))
            let rest = Int(total - Int64(days) * 86_400_000)
            let (year, month, day) = Self.civil(daysSince1970: days)
            self.init(
                year: year, month: month, day: day, hour: rest / 3_600_000, minute: rest / 60_000 % 60,
                second: rest / 1000 % 60, millisecond: rest % 1000, offsetMinutes: offsetMinutes)
        }

        // The proleptic Gregorian calendar, counted in eras of 400 years that begin in March.
        private static func civil(daysSince1970 days: Int) -> (Int, Int, Int) {
            let shifted = days + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            return (
                yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            )
        }
    }

    public struct Flash: Sendable, Hashable {
        public var fired: Bool
        /// Whether the camera decided by itself.
        public var isAutomatic: Bool

        public init(fired: Bool, isAutomatic: Bool = false) {
            self.fired = fired
            self.isAutomatic = isAutomatic
        }
    }

    public enum WhiteBalance: Int, Sendable, Hashable {
        case automatic = 0
        case manual = 1
    }

    public enum ColorSpace: Int, Sendable, Hashable {
        case sRGB = 1
        case uncalibrated = 0xFFFF
    }

    /// A place on the Earth in WGS 84.
    public struct Location: Sendable, Hashable {
        /// Degrees, north positive.
        public var latitude: Double
        /// Degrees, east positive.
        public var longitude: Double
        /// Metres above the sea.
        public var altitude: Double?
        /// The time of the fix in UTC; its `offsetMinutes` has no meaning.
        public var time: Moment?
        /// The direction of view in degrees, clockwise from true north.
        public var heading: Double?

        public init(
            latitude: Double, longitude: Double, altitude: Double? = nil, time: Moment? = nil, heading: Double? = nil
        ) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
            self.time = time
            self.heading = heading
        }
    }
}
