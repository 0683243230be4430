import ArgumentParser
import Foundation

/// A year, month, day or time on the command line, in UTC.
struct DateArgument {
    let start: Date
    /// The first time that is too late: the start of the next year, month or day, or the next second.
    let end: Date

    /// Parses an argument.
    ///
    /// - Throws: `ValidationError` with the valid forms.
    init(argument: String) throws {
        let invalid = ValidationError(
            "a date is a year, month, day or time in UTC: 2024, 2024-05, 2024-05-17 or 2024-05-17T18:30:00Z")
        if let time = try? Date(argument, strategy: .iso8601) {
            start = time
            end = time + 1
            return
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...3).contains(numbers.count), numbers.count == parts.count, parts[0].count == 4,
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { throw invalid }
        let components = DateComponents(
            year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
        let unit: Calendar.Component = [.year, .month, .day][numbers.count - 1]
        guard components.isValidDate(in: calendar), let start = calendar.date(from: components),
            let end = calendar.date(byAdding: unit, value: 1, to: start)
        else { throw invalid }
        self.start = start
        self.end = end
    }
}
