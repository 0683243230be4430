/// What a run of a scenario has shown.
public struct ScenarioResult: Sendable, Hashable {
    /// How the event log compares with the golden log.
    public enum GoldenLog: Sendable, Hashable {
        /// The scenario has expectations and no golden log.
        case unneeded
        case equal
        case missing
        case different(LogDifference)
        /// The log was written as the golden log; with the difference from the one before, if there was one.
        case written(LogDifference?)
    }

    /// The event log.
    public var log: [String]
    /// The comparison with the golden log.
    public var goldenLog: GoldenLog
    /// The verdict of each expectation, in the order of the file. Without an expectation about it, the golden log has no
    /// verdict.
    public var verdicts: [Verdict]
    /// Small pictures of events in the order of time; empty unless the run was asked for them.
    public var eventPictures: [EventPicture] = []
    /// The pictures that do not meet an expectation.
    public var comparedPictures: [ComparedPicture] = []

    /// Whether all expectations are met, and the log is that of the golden log if there is one.
    public var isMet: Bool {
        switch goldenLog {
        case .unneeded, .equal, .written: verdicts.allSatisfy(\.isMet)
        case .missing, .different: false
        }
    }
}
