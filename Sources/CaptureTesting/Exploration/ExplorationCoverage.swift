#if Everything || Scenarios
/// The pairs of a state of the app and an event that explored scenarios contained.
public struct ExplorationCoverage: Sendable, CustomStringConvertible {
    /// The number of times that an event occurred in a state, by state and event.
    private(set) var counts: [String: [String: Int]] = [:]
    /// The events that can occur.
    private(set) var events: Set<String> = []
    /// The events that were possible in a state.
    private(set) var possible: [String: Set<String>] = [:]
    /// The state that followed when an event occurred in a state the last time, by state and event.
    private var successors: [String: [String: String]] = [:]

    /// The number of pairs that occurred.
    public var coveredCount: Int { counts.values.reduce(0) { $0 + $1.count } }

    /// The pairs that were possible and did not occur, sorted by state and event.
    public var uncovered: [(state: String, event: String)] {
        possible.keys.sorted().flatMap { state in
            (possible[state] ?? []).subtracting((counts[state] ?? [:]).keys).sorted().map { (state, $0) }
        }
    }

    /// The number of times that an event occurred in a state.
    func count(_ state: String, _ event: String) -> Int { counts[state]?[event] ?? 0 }

    /// Returns the preference of an event in a state, from 1 to 24: 12 for an event that has not occurred in the state and
    /// less for others, and up to 12 for the share of the possible events that have not occurred in the state that
    /// followed the last time.
    func preference(_ state: String, _ event: String) -> Int {
        let novelty =
            switch count(state, event) {
            case 0: 12
            case 1: 6
            case 2...3: 3
            default: 1
            }
        guard let next = successors[state]?[event], next != state, let possible = possible[next]?.count, possible > 0
        else { return novelty }
        return novelty + 12 * (possible - (counts[next]?.count ?? 0)) / possible
    }

    /// Adds the state that followed an event.
    mutating func addSuccessor(_ next: String, of state: String, after event: String) {
        successors[state, default: [:]][event] = next
    }

    /// Adds events that could occur in a state.
    mutating func addPossible(_ events: [String], in state: String) {
        self.events.formUnion(events)
        possible[state, default: []].formUnion(events)
    }

    /// Adds an event that occurred in a state.
    mutating func add(_ state: String, _ event: String) {
        counts[state, default: [:]][event, default: 0] += 1
        possible[state, default: []].insert(event)
        events.insert(event)
    }

    /// A table with a row for each event and a column for each state: how often the pair occurred, `-` if it was
    /// possible and did not occur, and nothing if it was not possible.
    public var description: String {
        let states = possible.keys.sorted()
        let names = events.sorted()
        let width = names.map(\.count).max() ?? 0
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var lines = states.enumerated().map { "  \($0 + 1)  \($1)" }
        lines.insert(
            "\(coveredCount) pairs of a state and an event occurred, \(uncovered.count) did not. The states are:", at: 0
        )
        let columnWidth = max(4, String(states.count).count + 1)
        lines.append(padded("", width) + " " + states.indices.map { padded("\($0 + 1)", columnWidth) }.joined())
        for name in names {
            let cells = states.map { state -> String in
                let count = count(state, name)
                if count > 0 { return "\(count)" }
                return possible[state]?.contains(name) == true ? "-" : ""
            }
            lines.append(padded(name, width) + " " + cells.map { padded($0, columnWidth) }.joined())
        }
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }
}
#endif
