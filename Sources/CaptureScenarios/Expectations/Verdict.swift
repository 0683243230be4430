/// The result of checking an expectation of a scenario.
public struct Verdict: Sendable, Hashable, Codable {
    /// The file that contains the expectation.
    public var file: String
    /// The line of the expectation in its file, from 1.
    public var line: Int
    /// Whether the run met the expectation.
    public var isMet: Bool
    /// A description of what the scenario expects.
    public var expected: String
    /// A description of the actual result.
    public var seen: String
    /// The virtual time in seconds at which the result occurred or was expected; nil if there is no such time.
    public var time: Double?
    /// The lines of the log around that time, or the differences from a golden log; empty if `isMet` is true.
    public var logExcerpt: [String]

    /// The verdict as lines of text. An unmet expectation has its location, `seen` and `logExcerpt`.
    public var lines: [String] {
        guard !isMet else { return ["ok: \(expected)"] }
        return ["FAILED at \(file):\(line)", "  expected: \(expected)", "  seen:     \(seen)"]
            + logExcerpt.enumerated().map { ($0 == 0 ? "  log:      " : "            ") + $1 }
    }
}
