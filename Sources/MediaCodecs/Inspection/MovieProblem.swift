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
