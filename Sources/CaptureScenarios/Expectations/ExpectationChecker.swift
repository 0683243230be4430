import AssetTypes
import Foundation
import MediaMeasurements
import MediaTypes

/// Checks the expectations of a scenario against the results of a run.
struct ExpectationChecker {
    /// The event log.
    let log: [String]
    /// The parsed lines of the log.
    let entries: [LogEntry]
    /// The end of the scenario in microseconds.
    let end: Int64
    /// The folder with the files that the run wrote.
    let folder: URL
    /// The folder of golden pictures.
    let goldenFolder: URL
    /// The IDs of the devices.
    let deviceIDs: [String]
    /// The contents of the photo library at the end.
    let library: LibraryContents

    /// Returns the verdict of an expectation; nil for the golden log, which the caller compares.
    func verdict(of expectation: Scenario.Expectation) -> Verdict? {
        let window = expectation.window
        if let id = unknownDevice(in: expectation.kind) {
            return verdict(
                expectation, "events of the device \(id)",
                "there is no such device; \(suggestion(for: id, among: deviceIDs))", isMet: false, at: nil)
        }
        switch expectation.kind {
        case .events(let events): return orderedEventsVerdict(events, in: window, expectation)
        case .never(let text):
            let found = entries.first { $0.matches(text) && window.contains($0.time) }
            return verdict(
                expectation, expectation.summary,
                found.map { "\"\($0.text)\" at \(seconds($0.time))" } ?? "it did not occur", isMet: found == nil,
                at: found?.time, line: found?.line)
        case .count(let text, let bounds):
            let found = entries.filter { $0.matches(text) && window.contains($0.time) }
            return verdict(
                expectation, expectation.summary, "it occurred \(found.count) times",
                isMet: bounds.contains(Double(found.count)), at: found.last?.time, line: found.last?.line)
        case .error(let code, let source): return errorVerdict(code, of: source, in: window, expectation)
        case .state(let subject, let state, let lasting):
            return stateVerdict(subject, state, lasting: lasting, in: window, expectation)
        case .movie(let movie): return fileVerdict(expectation, movie.results(in: folder), movie.name)
        case .picture(let picture):
            return fileVerdict(expectation, picture.results(in: folder, goldenFolder: goldenFolder), picture.name)
        case .library(let expected):
            let (seen, isMet) = expected.result(in: library)
            return verdict(expectation, expectation.summary, seen, isMet: isMet, at: isMet ? nil : end)
        case .goldenLog: return nil
        }
    }

    /// Returns a verdict with the lines of the log around an event.
    ///
    /// - Parameters:
    ///   - time: The time of the event in microseconds; nil for a verdict without a time.
    ///   - line: The line of the event in the log; nil selects the first event after `time`.
    func verdict(
        _ expectation: Scenario.Expectation, _ expected: String, _ seen: String, isMet: Bool, at time: Int64?,
        line: Int? = nil
    ) -> Verdict {
        Verdict(
            file: expectation.file, line: expectation.line, isMet: isMet, expected: expected, seen: seen,
            time: time.map { Double($0) / 1e6 }, logExcerpt: isMet ? [] : logExcerpt(around: time, line))
    }

    /// Returns the line of an event with the three lines before and after it. Other frames, depth maps and audio
    /// buffers are omitted.
    ///
    /// - Parameter line: The line of the event in the log; nil selects the first event after `time`.
    private func logExcerpt(around time: Int64?, _ line: Int?) -> [String] {
        guard let time else { return [] }
        let events = entries.filter { !$0.isSample || $0.line == line }
        let middle =
            line.flatMap { line in events.firstIndex { $0.line == line } }
            ?? events.firstIndex { $0.time > time } ?? events.count
        return events[max(0, middle - 3)..<min(events.count, middle + 4)].map(\.description)
    }

    // MARK: Events

    /// Returns the ID of a device that an expectation about events names and that does not exist; nil otherwise.
    ///
    /// Without this check, `never` would always be met for a misspelled ID.
    private func unknownDevice(in kind: Scenario.Expectation.Kind) -> String? {
        let texts: [String]
        switch kind {
        case .events(let events): texts = events.map(\.text)
        case .never(let text), .count(let text, _): texts = [text]
        default: return nil
        }
        for text in texts {
            let name = EventName.name(of: text) ?? ""
            let detail = text.dropFirst(name.count).split(separator: " ").first.map(String.init)
            // If an event of a frame names no camera, its first detail is the counter or the size, without a period.
            let isCamera = name.hasPrefix("frame") && detail?.contains(".") ?? false
            if let id = detail, name.hasPrefix("device ") || isCamera, !deviceIDs.contains(id) { return id }
        }
        return nil
    }

    private func orderedEventsVerdict(
        _ events: [Scenario.Expectation.Event], in window: Scenario.TimeWindow, _ expectation: Scenario.Expectation
    ) -> Verdict {
        let expected = expectation.summary
        var next = 0
        var times: [Int64] = []
        for (index, event) in events.enumerated() {
            func fits(_ entry: LogEntry) -> Bool {
                entry.matches(event.text) && event.window.contains(entry.time) && window.contains(entry.time)
            }
            if let found = entries[next...].firstIndex(where: fits) {
                next = found + 1
                times.append(entries[found].time)
                continue
            }
            let others = entries.filter { $0.matches(event.text) }
            let last = index > 0 ? entries[next - 1] : nil
            var seen: String
            if let earlier = entries[..<next].last(where: fits), let last {
                seen =
                    "\"\(event.text)\" occurred at \(seconds(earlier.time)), but not after \"\(last.text)\" at "
                    + seconds(last.time)
            } else if others.isEmpty {
                seen = "\"\(event.text)\" never occurred" + similar(event.text)
            } else {
                let list = others.prefix(5).map { seconds($0.time) }.joined(separator: ", ")
                seen = "\"\(event.text)\" occurred at \(list)" + (others.count > 5 ? " and later" : "")
            }
            if let last, others.isEmpty { seen += ", after \"\(last.text)\" at \(seconds(last.time))" }
            let expectedTime = event.window.at ?? event.window.until ?? window.at ?? window.until
            let time = others.first?.time ?? expectedTime ?? last?.time ?? end
            return verdict(expectation, expected, seen, isMet: false, at: time, line: others.first?.line)
        }
        return verdict(
            expectation, expected, "at " + times.map(seconds).joined(separator: ", "), isMet: true, at: times.last)
    }

    /// Describes an event with the same name and other details, such as the end of a recording with another error.
    private func similar(_ text: String) -> String {
        guard let name = EventName.name(of: text), name != text, let other = entries.first(where: { $0.matches(name) })
        else { return "" }
        return "; there is \"\(other.text)\" at \(seconds(other.time))"
    }

    // MARK: Errors

    private func errorVerdict(
        _ code: AVError.Code?, of source: String?, in window: Scenario.TimeWindow, _ expectation: Scenario.Expectation
    ) -> Verdict {
        let eventNames =
            switch source {
            case "session": ["session runtime error"]
            case "photo": ["photo failed", "photo did finish"]
            case let name?: ["recording did finish \(name)"]
            case nil:
                [
                    "session runtime error", "photo failed", "photo did finish", "recording did finish", "cannot use",
                    "cannot lock", "cannot set",
                ]
            }
        let reports = entries.filter { entry in eventNames.contains { entry.matches($0) } }
        func fits(_ entry: LogEntry) -> Bool {
            guard window.contains(entry.time) else { return false }
            guard let code else { return entry.text.hasSuffix("without an error") }
            return entry.text.contains("(\(code.rawValue))")
        }
        let found = reports.first(where: fits)
        let expected = expectation.summary
        let seen: String
        if let found {
            seen = "\"\(found.text)\" at \(seconds(found.time))"
        } else if reports.isEmpty {
            seen =
                source == nil
                ? "no error was reported"
                : "nothing was reported \(Scenario.Expectation.summary(ofSource: source))"
        } else {
            seen = reports.prefix(3).map { "\"\($0.text)\" at \(seconds($0.time))" }.joined(separator: ", ")
        }
        let shown = found ?? reports.first
        return verdict(
            expectation, expected, seen, isMet: found != nil, at: shown?.time ?? window.at ?? window.from ?? end,
            line: shown?.line)
    }

    // MARK: States

    private func stateVerdict(
        _ subject: Scenario.Expectation.Subject, _ state: String, lasting: Bounds?,
        in window: Scenario.TimeWindow, _ expectation: Scenario.Expectation
    ) -> Verdict {
        if case .device(let id) = subject, !deviceIDs.contains(id) {
            return verdict(
                expectation, expectation.summary, "there is no such device; \(suggestion(for: id, among: deviceIDs))",
                isMet: false, at: nil)
        }
        if case .session(let name?) = subject {
            let names = entries.filter(\.isOfSession).map(\.session).reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            guard names.contains(name) else {
                let others = names.isEmpty ? "no session has events" : suggestion(for: name, among: names)
                return verdict(
                    expectation, expectation.summary, "the log has no such session; \(others)", isMet: false, at: nil)
            }
        }
        let history = StateHistory(subject, entries, end: end)
        if let lasting {
            let (from, until) = (window.from ?? 0, window.until ?? end)
            let total = history.periods(from: from, until: until).filter { $0.state == state }
                .reduce(0) { $0 + min($1.end, until) - max($1.start, from) }
            let duration = Double(max(0, total)) / 1e6
            return verdict(
                expectation, expectation.summary,
                "it was \(state) for \(number(duration)) s", isMet: lasting.contains(duration, tolerance: 0.001),
                at: history.periods.first { $0.state == state }?.start ?? until)
        }
        let (from, until) = window.at.map { ($0, $0) } ?? (window.from ?? 0, window.until ?? end)
        let periods = history.periods(from: from, until: until)
        let wrong = periods.first { $0.state != state }
        let seen =
            wrong.map { period in
                "it was \(period.state) from \(seconds(period.start)) "
                    + (period.end >= end ? "until the end" : "until \(seconds(period.end))")
            } ?? "it was \(state)"
        return verdict(
            expectation, expectation.summary, seen, isMet: wrong == nil,
            at: wrong.map { max($0.start, from) } ?? from)
    }

    // MARK: Files

    private func fileVerdict(
        _ expectation: Scenario.Expectation, _ results: [PropertyResult], _ file: String?
    ) -> Verdict {
        let wrong = results.filter { !$0.isMet }
        let entry = file.flatMap { file in
            entries.last {
                !$0.matches("file") && " \($0.text) ".contains(" \(file) ") && !$0.isStep
            }
        }
        return verdict(
            expectation, "\(expectation.subjectOfFile ?? ""): " + results.map(\.expected).joined(separator: ", "),
            (wrong.isEmpty ? results : wrong).map(\.seen).joined(separator: ", "), isMet: wrong.isEmpty,
            at: entry?.time, line: entry?.line)
    }
}
