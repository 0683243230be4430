import Foundation
import MediaTypes

extension CaptureLog {
    /// The categories that are logged, each from a level upward.
    public struct Filter: Sendable, Hashable, CustomStringConvertible {
        /// A text that is not a filter.
        public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
            /// The wrong part and the valid names.
            public let message: String

            public var description: String { message }
        }

        /// Three bits for each category in the order of declaration, the lowest for `debug`.
        var mask: UInt64

        init(mask: UInt64) { self.mask = mask }

        /// Logs nothing.
        public static let off = Filter(mask: 0)
        /// Logs all categories from a level upward.
        public static func all(from level: Level = .info) -> Filter {
            Category.allCases.reduce(into: .off) { $0.set($1, from: level) }
        }

        /// Parses a filter: categories or `all`, separated by commas, each with an optional level after a colon, such
        /// as `session:debug,v4l2`. The level is `info` if there is none. Later parts replace earlier ones.
        public init(_ text: String) throws(ParseError) {
            let (filter, errors) = Self.parse(text)
            if let error = errors.first { throw error }
            self = filter
        }

        /// Parses a filter and collects the errors of wrong parts, which have no effect.
        static func parse(_ text: String) -> (filter: Filter, errors: [ParseError]) {
            var filter = Filter.off
            var errors: [ParseError] = []
            let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            for part in parts where !part.isEmpty {
                let pair = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                do throws(ParseError) {
                    let level = try pair.count > 1 ? level(pair[1]) : .info
                    for category in try categories(pair[0]) { filter.set(category, from: level) }
                } catch {
                    errors.append(error)
                }
            }
            return (filter, errors)
        }

        /// Logs a category from a level upward; nil for not at all.
        public mutating func set(_ category: Category, from level: Level?) {
            for each in Level.allCases { mask &= ~Self.bit(category, each) }
            guard let level else { return }
            for each in Level.allCases where each >= level { mask |= Self.bit(category, each) }
        }

        /// Whether entries of a category and level are logged.
        public func contains(_ category: Category, _ level: Level) -> Bool { mask & Self.bit(category, level) != 0 }

        /// The text from which the filter can be parsed; empty for none.
        public var description: String {
            Category.allCases.compactMap { category in
                Level.allCases.first { contains(category, $0) }.map { "\(category.rawValue):\($0.name)" }
            }.joined(separator: ",")
        }

        @inline(__always)
        static func bit(_ category: Category, _ level: Level) -> UInt64 {
            1 << (UInt64(category.index) * 3 + UInt64(level.rawValue - 1))
        }

        private static func categories(_ name: String) throws(ParseError) -> [Category] {
            if name == "all" { return Category.allCases }
            if let category = Category(rawValue: name) { return [category] }
            let names = Category.allCases.map(\.rawValue)
            throw ParseError(
                message: "\"\(name)\" is not a category of the log: \(suggestion(for: name, among: names)); "
                    + "\"all\" selects all of them")
        }

        private static func level(_ name: String) throws(ParseError) -> Level {
            if let level = Level.allCases.first(where: { $0.name == name }) { return level }
            throw ParseError(
                message: "\"\(name)\" is not a level of the log: "
                    + suggestion(for: name, among: Level.allCases.map(\.name)))
        }
    }

    /// The value of `OBSCURA_LOG`; empty if it is not set.
    static var environmentValue: String { ProcessInfo.processInfo.environment["OBSCURA_LOG"] ?? "" }
}

extension CaptureLog.Category {
    /// The position in the order of declaration.
    fileprivate var index: Int {
        switch self {
        case .session: 0
        case .device: 1
        case .v4l2: 2
        case .alsa: 3
        case .recording: 4
        case .photo: 5
        case .output: 6
        case .library: 7
        }
    }
}
