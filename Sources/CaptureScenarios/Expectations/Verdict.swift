/// The result of an expectation.
public struct Verdict: Sendable, Hashable, Codable {
    /// The file of the expectation.
    public var file: String
    /// The line of the expectation in its file, from 1.
    public var line: Int
    /// Whether the run met the expectation.
    public var isMet: Bool
    /// What the scenario expects, in words.
    public var expected: String
    /// What happened, in words.
    public var seen: String
    /// When it happened, or when it should have happened, in seconds; nil if it has no time.
    public var time: Double?
    /// The lines of the log around that time.
    public var around: [String]

    /// The verdict in lines of text; for an unmet expectation with what was seen.
    public var lines: [String] {
        guard !isMet else { return ["ok: \(expected)"] }
        return ["FAILED at \(file):\(line)", "  expected: \(expected)", "  seen:     \(seen)"]
            + around.enumerated().map { ($0 == 0 ? "  log:      " : "            ") + $1 }
    }
}
