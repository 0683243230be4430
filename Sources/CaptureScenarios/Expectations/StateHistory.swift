/// The states of an object during a run, derived from the events in the log.
package struct StateHistory {
    /// A state from one event to the next.
    package struct Period {
        package var state: String
        /// The start in microseconds since the start of the scenario.
        package var start: Int64
        /// The end in microseconds since the start of the scenario.
        package var end: Int64
    }

    /// Returns the names of the states of a kind of object: `session`, `recording` or `device`.
    static func states(of subject: String) -> [String] {
        switch subject {
        case "session": ["running", "stopped", "interrupted"]
        case "recording": ["recording", "paused", "idle"]
        default: ["connected", "disconnected"]
        }
    }

    /// The periods in order, from 0 to the end of the scenario. Periods with a duration of zero are included.
    package private(set) var periods: [Period] = []

    /// Creates the history of an object from a log.
    ///
    /// - Parameter end: The end of the scenario in microseconds.
    package init(_ subject: Scenario.Expectation.Subject, _ entries: [LogEntry], end: Int64) {
        var state: String
        switch subject {
        case .session: state = "stopped"
        case .recording, .recordingOfCamera: state = "idle"
        case .device: state = "connected"
        }
        var start: Int64 = 0
        // Overlapping interruptions are reported as one interruption, so a set without counts suffices.
        var interrupted: Set<String> = []
        var running: Set<String> = []
        // The files that are being recorded, and whether they are paused.
        var recordings: [String: Bool] = [:]
        for entry in entries where entry.time < end {
            var next = state
            switch subject {
            case .session(let name):
                guard name == nil || entry.session == name else { continue }
                if entry.matches("session did start running") { running.insert(entry.session) }
                if entry.matches("session did stop running") { running.remove(entry.session) }
                if entry.matches("session was interrupted") { interrupted.insert(entry.session) }
                if entry.matches("session interruption ended") { interrupted.remove(entry.session) }
                // The state of several sessions is `running` if at least one of them runs.
                let isRunning = !running.subtracting(interrupted).isEmpty
                next = isRunning ? "running" : interrupted.isEmpty ? "stopped" : "interrupted"
            case .recording, .recordingOfCamera:
                guard let name = entry.recordingName(among: recordings.keys), Self.state(of: subject, dependsOn: name)
                else { continue }
                if entry.matches("recording did start") || entry.matches("recording did resume") {
                    recordings[name] = false
                }
                if entry.matches("recording did pause") { recordings[name] = true }
                if entry.matches("recording did finish") { recordings[name] = nil }
                next = recordings.isEmpty ? "idle" : recordings.values.contains(false) ? "recording" : "paused"
            case .device(let id):
                if entry.matches("device connected \(id)") { next = "connected" }
                if entry.matches("device disconnected \(id)") { next = "disconnected" }
            }
            guard next != state else { continue }
            periods.append(Period(state: state, start: start, end: entry.time))
            (state, start) = (next, entry.time)
        }
        periods.append(Period(state: state, start: start, end: max(start, end)))
    }

    /// Returns whether the state of an object depends on the recording of a file.
    private static func state(of subject: Scenario.Expectation.Subject, dependsOn name: String) -> Bool {
        guard case .recordingOfCamera(_, let files) = subject else { return true }
        return files.contains(name)
    }

    /// Returns the period that contains a time in microseconds; at the time of an event, the period after the event.
    func period(at time: Int64) -> Period? { periods.last { $0.start <= time } ?? periods.first }

    /// Returns the periods that overlap an interval for more than an instant. If the interval is empty, returns the
    /// period at its start.
    func periods(from: Int64, until: Int64) -> [Period] {
        guard from < until else { return period(at: from).map { [$0] } ?? [] }
        return periods.filter { $0.start < until && $0.end > from }
    }
}
