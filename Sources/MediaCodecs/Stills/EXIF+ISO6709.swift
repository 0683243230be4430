import Foundation

extension EXIF.Location {
    /// Parses a location according to ISO 6709, Annex H: `+48.8577+002.2950+035.000/`, in degrees, in degrees and
    /// minutes, or in degrees, minutes and seconds; nil if the text has another format.
    package init?(iso6709 text: String) {
        let numbers = Self.signedNumbers(text.prefix { $0 != "/" })
        guard numbers.count >= 2, let latitude = Self.angle(numbers[0], degreeDigits: 2), abs(latitude) <= 90,
            let longitude = Self.angle(numbers[1], degreeDigits: 3), abs(longitude) <= 180
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        if numbers.count > 2 { altitude = Double(numbers[2]) }
    }

    /// Splits a text before each sign. A coordinate reference system after the altitude has no sign and is ignored.
    private static func signedNumbers(_ text: Substring) -> [Substring] {
        var numbers: [Substring] = []
        var rest = text
        while let sign = rest.first, sign == "+" || sign == "-" {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber || $0 == "." }
            numbers.append(rest[..<digits.endIndex])
            rest = rest[digits.endIndex...]
        }
        return numbers
    }

    /// Returns a signed angle in degrees; nil if the number of digits before the point is not that of degrees, degrees
    /// and minutes, or degrees, minutes and seconds.
    ///
    /// - Parameter degreeDigits: The number of digits of the degrees: 2 for a latitude, 3 for a longitude.
    private static func angle(_ text: Substring, degreeDigits: Int) -> Double? {
        let digits = text.dropFirst()
        guard let value = Double(digits) else { return nil }
        let degrees: Double
        switch digits.prefix(while: { $0 != "." }).count - degreeDigits {
        case 0:
            degrees = value
        case 2:
            let whole = (value / 100).rounded(.down)
            degrees = whole + (value - whole * 100) / 60
        case 4:
            let (whole, minutes) = ((value / 10000).rounded(.down), (value / 100).rounded(.down))
            degrees = whole + (minutes - whole * 100) / 60 + (value - minutes * 100) / 3600
        default:
            return nil
        }
        return text.first == "-" ? -degrees : degrees
    }
}
