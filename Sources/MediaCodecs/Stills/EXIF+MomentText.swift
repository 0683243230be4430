package import Foundation

extension EXIF.Moment {
    /// Creates a date and time; nil if a component is out of range. Zeros, which cameras write without a clock, are
    /// out of range.
    init?(
        validYear year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int? = nil,
        offsetMinutes: Int? = nil
    ) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second), abs(offsetMinutes ?? 0) < 24 * 60
        else { return nil }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond,
            offsetMinutes: offsetMinutes)
    }

    /// Parses a date and time: in the format of EXIF, `2026:11:22 20:15:00`, or of ISO 8601,
    /// `2026-11-22T20:15:00.25+01:00`. Seconds and the offset can be missing; a date without a time is its midnight.
    /// Nil for zeros, blanks and other texts.
    ///
    /// - Parameters:
    ///   - fraction: The digits after the decimal point of the second, if the text does not contain them.
    ///   - offset: The offset from UTC, if the text does not contain it.
    package init?(text: String, fraction: String? = nil, offset: String? = nil) {
        var rest = Substring(text.trimmingCharacters(in: Self.blanks))
        guard let year = Self.digits(&rest), Self.skip(":-/.", &rest), let month = Self.digits(&rest),
            Self.skip(":-/.", &rest), let day = Self.digits(&rest)
        else { return nil }
        var (hour, minute, second) = (0, 0, 0)
        var millisecond: Int?
        if Self.skip("Tt ", &rest) {
            rest = rest.drop { $0 == " " }
            guard let hours = Self.digits(&rest), Self.skip(":", &rest), let minutes = Self.digits(&rest) else {
                return nil
            }
            (hour, minute) = (hours, minutes)
            if Self.skip(":", &rest) {
                guard let seconds = Self.digits(&rest) else { return nil }
                second = seconds
            }
            var stored = fraction.map { Substring($0.trimmingCharacters(in: Self.blanks)) }
            if Self.skip(".,", &rest) {
                stored = rest.prefix { $0.isASCII && $0.isNumber }
                rest = rest.dropFirst(stored?.count ?? 0)
            }
            if let stored, !stored.isEmpty { millisecond = Int((stored + "00").prefix(3)) }
        }
        let zone = Self.offsetMinutes(rest) ?? offset.flatMap { Self.offsetMinutes(Substring($0)) }
        self.init(
            validYear: year, month: month, day: day, hour: hour, minute: minute, second: second,
            millisecond: millisecond, offsetMinutes: zone)
    }

    /// Parses a date and time in the format of mail (RFC 5322, 3.3), which PNG recommends:
    /// `Sun, 22 Nov 2026 20:15:00 +0100`.
    init?(mailText text: String) {
        let fields = text.split { $0 == " " || $0 == "," }.drop { Int($0) == nil }
        let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        guard fields.count >= 4, let month = months.firstIndex(of: fields[fields.startIndex + 1].prefix(3).lowercased())
        else { return nil }
        let (day, year, time) = (
            fields[fields.startIndex], fields[fields.startIndex + 2], fields[fields.startIndex + 3]
        )
        let zone = fields.dropFirst(4).first ?? ""
        self.init(text: "\(year)-\(month + 1)-\(day)T\(time)\(zone == "GMT" || zone == "UT" ? "Z" : zone)")
    }

    /// The date; nil if the components are not a valid date. Without an offset, UTC is assumed.
    package var date: Date? {
        guard let zone = TimeZone(secondsFromGMT: (offsetMinutes ?? 0) * 60) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let components = DateComponents(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else { return nil }
        return date.addingTimeInterval(Double(millisecond ?? 0) / 1000)
    }

    private static let blanks = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\0"))

    /// Removes and returns a number at the start of a text; nil if there is none.
    private static func digits(_ text: inout Substring) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text.dropFirst(digits.count)
        return Int(digits)
    }

    /// Removes one of the characters at the start of a text; false if there is none.
    private static func skip(_ characters: String, _ text: inout Substring) -> Bool {
        guard let first = text.first, characters.contains(first) else { return false }
        text.removeFirst()
        return true
    }

    /// Parses an offset, `Z`, `+01:00`, `+0100` or `+01`; nil for other texts.
    private static func offsetMinutes(_ text: Substring) -> Int? {
        let text = text.trimmingCharacters(in: blanks)
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 2 || digits.count == 4, let number = Int(digits) else { return nil }
        let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
        return sign == "-" ? -minutes : minutes
    }
}
