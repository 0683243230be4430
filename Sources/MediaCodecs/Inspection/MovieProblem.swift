/// Something in a movie file that is not as it should be.
package struct MovieProblem: Sendable, Hashable, Codable, CustomStringConvertible {
    package enum Severity: String, Sendable, Hashable, Codable {
        /// Players may stumble over it, or a part is missing.
        case error
        /// Odd, but it plays.
        case warning
    }

    package var severity: Severity
    /// Where in the file, in bytes; nil for the whole.
    package var offset: Int64?
    /// One sentence.
    package var message: String

    package init(_ severity: Severity, at offset: Int64? = nil, _ message: String) {
        self.severity = severity
        self.offset = offset
        self.message = message
    }

    package var description: String {
        offset.map { "\(severity.rawValue) at byte \($0): \(message)" } ?? "\(severity.rawValue): \(message)"
    }
}
