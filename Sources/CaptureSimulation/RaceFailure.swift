/// An order of work in which a test fails, reduced to the decisions that the failure depends on.
public struct RaceFailure: Error, CustomStringConvertible {
    /// A decision about the order of two pieces of work that were ready at the same time.
    public struct Decision: Sendable, CustomStringConvertible {
        /// The step and the position of the work that ran.
        public let deviation: SimulatedSystem.Deviation
        /// The virtual time in seconds.
        public let time: Double
        /// The work that ran first in the run that failed: its kind, its queue, and the line that submitted it.
        public let first: String
        /// The work that runs first in the regular order.
        public let second: String

        public var description: String {
            "at \(time) s, it fails if \(first) runs before \(second), and passes if it runs after it"
        }
    }

    /// A description of the failure: the error that the test threw, its misuse, or a failed assertion.
    public let reason: String
    /// The order that repeats the failure.
    public let interleaving: SimulatedSystem.Interleaving
    /// The decisions, in the order of time. If any one of them changes, the test passes. Empty if the test fails in a
    /// regular order, or by an assertion, which cannot be repeated without another failure.
    public let decisions: [Decision]
    /// The number of runs until the failure was found.
    public let runCount: Int

    /// The reason, the decisions, and how to repeat the failure.
    public var description: String {
        var lines = ["\(reason) (found in run \(runCount))"]
        lines += decisions.map { "- \($0)" }
        switch interleaving {
        case .submissionOrder: lines.append("The test fails in the order of submission.")
        case .deviating(let order, let deviations):
            let list = deviations.map { ".init(step: \($0.step), position: \($0.position))" }.joined(separator: ", ")
            lines.append("Repeat it with SimulatedSystem(interleaving: .deviating(from: .\(order), [\(list)])).")
        case .seeded, .priorities, .delaying:
            lines.append("Repeat it with SimulatedSystem(interleaving: .\(interleaving)).")
        }
        return lines.joined(separator: "\n")
    }
}
