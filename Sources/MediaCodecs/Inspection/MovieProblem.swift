/// A defect of a movie file.
package struct MovieProblem: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The severity of a problem.
    package enum Severity: String, Sendable, Hashable, Codable {
        /// Players fail, present something else than intended, or media is missing.
        case error
        /// Unusual, but players present all media as intended.
        case warning
    }

    /// The severity.
    package var severity: Severity
    /// The file offset of the problem; nil if it concerns the whole file.
    package var offset: Int64?
    /// A description in one sentence.
    package var message: String

    /// Creates a problem.
    package init(_ severity: Severity, at offset: Int64? = nil, _ message: String) {
        self.severity = severity
        self.offset = offset
        self.message = message
    }

    package var description: String {
        offset.map { "\(severity.rawValue) at byte \($0): \(message)" } ?? "\(severity.rawValue): \(message)"
    }
}

/// The problems of a movie: at most 500 of each severity, so that many warnings do not hide an error.
package struct MovieProblemList {
    /// The maximum number of problems of one severity.
    private static let limit = 500

    private var problems: [MovieProblem] = []
    /// The number of all problems by severity, including those that are not in the list.
    private var counts: [MovieProblem.Severity: Int] = [:]

    package init() {}

    /// Whether there is an error.
    package var hasErrors: Bool { counts[.error] != nil }

    /// The problems, and for each severity with more than the maximum a problem with the number of the others.
    package var all: [MovieProblem] {
        var all = problems
        for (severity, name) in [(MovieProblem.Severity.error, "errors"), (.warning, "warnings")] {
            let omittedCount = (counts[severity] ?? 0) - Self.limit
            if omittedCount > 0 { all.append(MovieProblem(severity, "there are \(omittedCount) more \(name)")) }
        }
        return all
    }

    package mutating func append(_ problem: MovieProblem) {
        let count = counts[problem.severity, default: 0]
        counts[problem.severity] = count + 1
        if count < Self.limit { problems.append(problem) }
    }
}
