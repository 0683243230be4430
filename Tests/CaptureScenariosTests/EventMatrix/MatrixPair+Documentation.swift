extension MatrixPair {
    /// The tables of the matrix in `docs/checks.md`.
    static var documentation: String {
        var lines = ["| State | The event happens |", "| --- | --- |"]
        lines += MatrixState.all.map { "| \($0.name) | \($0.summary) |" }
        lines += ["", "| Events | Number | Actions |", "| --- | --- | --- |"]
        for kind in MatrixEvent.Kind.allCases {
            let events = MatrixEvent.all.filter { $0.kind == kind }
            var verbs: [String] = []
            for verb in events.compactMap({ $0.name.split(separator: " ").first.map { "`\($0)`" } })
            where !verbs.contains(verb) { verbs.append(verb) }
            lines.append("| \(kind.rawValue) | \(events.count) | \(verbs.joined(separator: ", ")) |")
        }
        lines += ["", "| Event | States that are left out | Reason |", "| --- | --- | --- |"]
        for exclusion in exclusions {
            let events = exclusion.events.map { "`\($0)`" }.joined(separator: ", ")
            let others = MatrixState.all.map(\.name).filter { !exclusion.states.contains($0) }
            let states =
                others.count < exclusion.states.count
                ? "all except \(others.joined(separator: " and "))" : exclusion.states.joined(separator: ", ")
            lines.append("| \(events) | \(states) | \(exclusion.reason) |")
        }
        return lines.joined(separator: "\n")
    }
}
