package import CaptureSimulation

/// The result of a run of a scenario.
public struct ScenarioResult: Sendable, Hashable {
    /// How the event log compares with the golden log.
    public enum GoldenLog: Sendable, Hashable {
        /// There is no golden log, and the scenario does not need one.
        case unneeded
        case equal
        case missing
        case different(LogDifference)
        /// The event log was written as the golden log. The value is the difference from the previous golden log; nil
        /// if there was none.
        case written(LogDifference?)
    }

    /// The event log.
    public var log: [String]
    /// The comparison with the golden log.
    public var goldenLog: GoldenLog
    /// The verdict of each expectation, in the order of the file. The comparison with the golden log has a verdict only
    /// if an expectation requires it.
    public var verdicts: [Verdict]
    /// Small pictures of events in the order of time; empty unless they were requested.
    public var eventPictures: [EventPicture] = []
    /// Small pictures of the cameras over time; empty unless pictures of events were requested.
    package var cameraPictures: [EventPicture] = []
    /// The work that ran; empty unless pictures of events were requested.
    package var work: [WorkPeriod] = []
    /// The pictures that do not meet an expectation.
    public var comparedPictures: [ComparedPicture] = []

    /// Whether all expectations are met, and the golden log equals the event log or is not needed.
    public var isMet: Bool {
        switch goldenLog {
        case .unneeded, .equal, .written: verdicts.allSatisfy(\.isMet)
        case .missing, .different: false
        }
    }
}
