import Foundation

/// A date as stored in movies, in the format of ISO 8601.
///
/// Only the year is required; month, day, time and time zone can be missing. Separators are optional.
struct MetadataDate {
    private static let asciiDigits = UInt8(ascii: "0")...UInt8(ascii: "9")

    let date: Date

    /// Parses a date; nil if the text is not a date. A date without a time zone is in UTC.
    init?(_ text: String) {
        let characters = Array(text.utf8)
        var numbers: [Int] = []
        var index = 0
        /// Reads a number with an exact digit count, after an optional separator.
        func number(_ count: Int, after separators: String) -> Int? {
            var start = index
            if start < characters.count, separators.utf8.contains(characters[start]) { start += 1 }
            let digits = characters[start...].prefix(count)
            guard digits.count == count, digits.allSatisfy(Self.asciiDigits.contains) else { return nil }
            index = start + count
            return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        for (count, separators) in [(4, ""), (2, "-"), (2, "-"), (2, "T "), (2, ":"), (2, ":")] {
            guard let value = number(count, after: separators) else { break }
            numbers.append(value)
        }
        guard !numbers.isEmpty else { return nil }
        var fraction = 0.0
        if index < characters.count, numbers.count == 6, characters[index] == UInt8(ascii: ".") {
            let digits = characters[(index + 1)...].prefix(while: Self.asciiDigits.contains)
            fraction = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
            index += 1 + digits.count
        }
        var offsetSeconds = 0
        if index < characters.count, let sign = [UInt8(ascii: "+"): 1, UInt8(ascii: "-"): -1][characters[index]] {
            index += 1
            guard let hours = number(2, after: "") else { return nil }
            offsetSeconds = sign * (hours * 60 + (number(2, after: ":") ?? 0)) * 60
        } else if index < characters.count, characters[index] == UInt8(ascii: "Z") {
            index += 1
        }
        guard index == characters.count else { return nil }
        // A second can be 60 because of leap seconds.
        let limits = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...60]
        guard zip(numbers, limits).allSatisfy({ $1.contains($0) }) else { return nil }
        numbers += [0, 1, 1, 0, 0, 0][numbers.count...]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
        // The calendar converts a day that the month does not have to a day of the next month.
        guard let midnight = calendar.date(from: day), calendar.component(.day, from: midnight) == numbers[2] else {
            return nil
        }
        let seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5] - offsetSeconds
        date = midnight.addingTimeInterval(fraction + Double(seconds))
    }
}
