public import Foundation
public import MediaTypes

/// The EXIF properties of a photo (CIPA DC-008); nil if unknown.
public struct EXIF: Sendable, Hashable {
    /// The exposure time in seconds.
    public var exposureTime: Double?
    /// The f-number.
    public var aperture: Double?
    /// The ISO speed (ISO 12232).
    public var iso: Int?
    /// The exposure compensation in EV.
    public var exposureBias: Double?
    /// The focal length of the lens.
    public var focalLengthMillimeters: Double?
    /// The focal length with the same field of view on a 36 mm wide sensor.
    public var equivalentFocalLengthMillimeters: Int?
    /// The orientation of the stored image.
    public var orientation: CGImagePropertyOrientation?
    /// The time when the photo was taken.
    public var originalTime: Moment?
    /// The manufacturer of the camera.
    public var make: String?
    /// The name of the camera.
    public var model: String?
    /// The manufacturer of the lens.
    public var lensMake: String?
    /// The name of the lens.
    public var lensModel: String?
    /// The software that created the file.
    public var software: String?
    /// The state of the flash.
    public var flash: Flash?
    /// The white balance mode.
    public var whiteBalance: WhiteBalance?
    /// The location where the photo was taken.
    public var location: Location?
    /// The width in pixels, before the orientation is applied.
    public var pixelWidth: Int?
    /// The height in pixels, before the orientation is applied.
    public var pixelHeight: Int?
    /// The color space of the image.
    public var colorSpace: ColorSpace?
    /// The values of other tags by Image I/O's keys; `EXIF+AdditionalTags.swift` lists the supported tags.
    public var additional: [String: TagValue] = [:]
    /// The values of Apple's maker note by tag number, except those of types that `AppleMakerNote` does not support.
    public var makerApple: [Int: TagValue] = [:]
    /// A small version of the image, as a JPEG file.
    public var thumbnail: Data?

    /// Creates an empty set of properties.
    public init() {}

    /// A calendar date and time in the camera's time zone.
    public struct Moment: Sendable, Hashable {
        public var year: Int
        public var month: Int
        public var day: Int
        public var hour: Int
        public var minute: Int
        public var second: Int
        /// The milliseconds of the second, 0 … 999.
        public var millisecond: Int?
        /// The offset from UTC in minutes, positive to the east.
        public var offsetMinutes: Int?

        /// Creates a date and time.
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

        /// Creates the local time of a date, `offsetMinutes` east of UTC.
        public init(_ date: Date, offsetMinutes: Int = 0) {
            let total = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) + Int64(offsetMinutes) * 60_000
            let days = Int((Double(total) / 86_400_000).rounded(.down))
            let rest = Int(total - Int64(days) * 86_400_000)
            let (year, month, day) = Self.civil(daysSince1970: days)
            self.init(
                year: year, month: month, day: day, hour: rest / 3_600_000, minute: rest / 60_000 % 60,
                second: rest / 1000 % 60, millisecond: rest % 1000, offsetMinutes: offsetMinutes)
        }

        /// Returns year, month and day in the proleptic Gregorian calendar.
        ///
        /// The algorithm is `civil_from_days` of Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras have 400
        /// years, and years begin in March.
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

    /// The state of the flash.
    public struct Flash: Sendable, Hashable {
        /// Whether the flash fired.
        public var fired: Bool
        /// Whether the camera decided automatically.
        public var isAutomatic: Bool

        /// Creates a flash state.
        public init(fired: Bool, isAutomatic: Bool = false) {
            self.fired = fired
            self.isAutomatic = isAutomatic
        }
    }

    /// The white balance mode.
    public enum WhiteBalance: Int, Sendable, Hashable {
        case automatic = 0
        case manual = 1
    }

    /// The color space; the raw value is the value of the tag.
    public enum ColorSpace: Int, Sendable, Hashable {
        case sRGB = 1
        case uncalibrated = 0xFFFF
    }

    /// A position on the Earth in WGS 84.
    public struct Location: Sendable, Hashable {
        /// In degrees, positive to the north.
        public var latitude: Double
        /// In degrees, positive to the east.
        public var longitude: Double
        /// In meters above sea level.
        public var altitude: Double?
        /// The UTC time of the position fix; its `offsetMinutes` is ignored.
        public var time: Moment?
        /// The direction of view in degrees, clockwise from true north.
        public var heading: Double?

        /// Creates a location.
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
