import Foundation
import MediaMeasurements

extension HTMLReport {
    /// The HTML section with the events of a scenario over time: a drawing with lanes, pictures of events, and a table.
    struct Timeline {
        private let item: Item
        private let events: [Event]
        /// The end of the scenario in seconds, at least 0.001.
        private let end: Double

        init(_ item: Item) {
            self.item = item
            let entries = LogEntry.parse(item.evidence.log)
            events = entries.map(Event.init)
            end = max(item.evidence.end, 0.001)
        }

        /// The lanes of the timeline, from top to bottom.
        private enum Lane: String, CaseIterable {
            case world = "World"
            case app = "App"
            case session = "Session"
            case devices = "Devices"
            case outputs = "Outputs"
            case frames = "Frames"

            init(_ entry: LogEntry) {
                let text = entry.text
                if entry.isStep {
                    self = entry.isAppStep ? .app : .world
                } else if text.hasPrefix("session") {
                    self = .session
                } else if ["authorization", "library", "audio session", "application"]
                    .contains(where: text.hasPrefix)
                {
                    self = .world
                } else if text.hasPrefix("device") || text.hasPrefix("subject area") {
                    self = .devices
                } else if entry.isSample || text.hasPrefix("frame ") || text.hasPrefix("depth ") {
                    self = .frames
                } else if entry.isFailureOfApp {
                    self = .app
                } else {
                    self = .outputs
                }
            }

            /// Whether the lane is omitted if it has no events.
            var isOptional: Bool { self == .devices || self == .frames }

            /// The height in SVG user units. Lanes of steps have space for labels.
            var height: Double { self == .world || self == .app ? 64 : 34 }
        }

        /// An event of the log.
        private struct Event {
            /// The virtual time in seconds.
            var time: Double
            var text: String
            var lane: Lane
            var isError: Bool
            var isStep: Bool

            init(_ entry: LogEntry) {
                let text = entry.text
                (time, self.text, lane) = (Double(entry.time) / 1e6, text, Lane(entry))
                // Errors are logged with their codes, as in `diskFull (-11807)`.
                isError = entry.isFailureOfApp || text.contains("(-1")
                isStep = entry.isStep
            }

            /// The SVG element with the time and the text, which browsers show as a tooltip.
            var title: String { "<title>\(shortNumber(time)) s: \(text.xmlEscaped)</title>" }
            /// The text without the prefix `> ` of a step.
            var label: String { isStep ? String(text.dropFirst(2)) : text }
        }

        var html: String {
            let rows = events.filter { $0.lane != .frames }.map { event in
                "<tr\(event.isError ? " class=\"bad\"" : "")><td>\(shortNumber(event.time)) s</td>"
                    + "<td>\(event.lane.rawValue)</td><td>\(event.text.xmlEscaped)</td></tr>"
            }
            return """
                <h3>Events</h3>
                <div class="scroll" role="region" aria-label="Events over time" tabindex="0">\(drawing)</div>
                \(pictures)
                <details><summary>\(rows.count) events, without frames</summary>
                <table><caption>Events in the order of time</caption>
                <thead><tr><th scope="col">Time</th><th scope="col">Lane</th><th scope="col">Event</th></tr></thead>
                <tbody>
                \(rows.joined(separator: "\n"))
                </tbody></table></details>
                """
        }

        /// The pictures of the events, in the order of time.
        private var pictures: String {
            let figures = item.evidence.eventPictures.map { picture in
                let time = "\(shortNumber(picture.time)) s"
                return "<li><figure><img src=\"\(HTMLReport.dataURL(picture.jpeg, "image/jpeg"))\" "
                    + "alt=\"The \(picture.source.xmlEscaped) at \(time)\"><figcaption>\(time) "
                    + "\(picture.event.xmlEscaped)</figcaption></figure></li>"
            }
            guard !figures.isEmpty else { return "" }
            return "<h4>Camera images</h4>\n<ol class=\"frames\">\n\(figures.joined(separator: "\n"))\n</ol>"
        }

        // MARK: Drawing

        private static let labelWidth = 78.0
        private static let width = 1000.0
        private static let rightMargin = 24.0

        /// Returns the horizontal position of a time in seconds.
        private func x(_ time: Double) -> Double {
            Self.labelWidth + min(1, time / end) * (Self.width - Self.labelWidth - Self.rightMargin)
        }

        private var drawing: String {
            var shapes: [String] = []
            var top = 4.0
            let byLane = Dictionary(grouping: events, by: \.lane)
            for lane in Lane.allCases where byLane[lane] != nil || !lane.isOptional {
                let y = top + (lane.height > 40 ? lane.height - 12 : lane.height / 2)
                shapes.append("<text class=\"lane\" x=\"0\" y=\"\(shortNumber(y + 4))\">\(lane.rawValue)</text>")
                shapes.append(
                    "<line class=\"axis\" x1=\"\(Self.labelWidth)\" x2=\"\(Self.width - Self.rightMargin)\" "
                        + "y1=\"\(shortNumber(y))\" y2=\"\(shortNumber(y))\"/>")
                shapes += periods(in: lane, y: y) + marks(byLane[lane, default: []], y: y)
                if lane.height > 40 { shapes += labels(byLane[lane, default: []], y: y) }
                top += lane.height
            }
            shapes += failures(height: top) + axis(y: top + 16)
            return """
                <svg viewBox="0 0 \(shortNumber(Self.width)) \(shortNumber(top + 24))" role="img" \
                aria-label="Events over time; the table below lists them">
                \(shapes.joined(separator: "\n"))
                </svg>
                """
        }

        /// The states of the session and of the recording, as bars.
        private func periods(in lane: Lane, y: Double) -> [String] {
            let subject: Scenario.Expectation.Subject
            switch lane {
            case .session: subject = .session(nil)
            case .outputs: subject = .recording
            case .world, .app, .devices, .frames: return []
            }
            let history = StateHistory(
                subject, LogEntry.parse(item.evidence.log), end: Int64((end * 1e6).rounded()))
            return history.periods.filter { !["stopped", "idle"].contains($0.state) && $0.end > $0.start }.map {
                period in
                let (start, stop) = (x(Double(period.start) / 1e6), x(Double(period.end) / 1e6))
                return "<rect class=\"state \(period.state)\" x=\"\(shortNumber(start))\" y=\"\(shortNumber(y - 9))\" "
                    + "width=\"\(shortNumber(max(1, stop - start)))\" height=\"18\" rx=\"3\"><title>\(period.state) from "
                    + "\(shortNumber(Double(period.start) / 1e6)) s until \(shortNumber(Double(period.end) / 1e6)) s"
                    + "</title></rect>"
            }
        }

        /// A shape for each event of a lane.
        private func marks(_ events: [Event], y: Double) -> [String] {
            events.map { event in
                let x = shortNumber(x(event.time))
                if event.lane == .frames {
                    return "<rect class=\"frame\" x=\"\(x)\" y=\"\(shortNumber(y - 7))\" height=\"14\" width=\"1\">"
                        + event.title + "</rect>"
                }
                // Errors have a different shape, for readers who cannot distinguish the colors.
                return event.isError
                    ? "<path class=\"bad\" d=\"M\(x) \(shortNumber(y - 7)) l7 12 h-14 z\">\(event.title)</path>"
                    : "<circle class=\"event\" cx=\"\(x)\" cy=\"\(shortNumber(y))\" r=\"5\">\(event.title)</circle>"
            }
        }

        /// The labels of steps, in up to three rows. A label that fits in no row is omitted.
        private func labels(_ events: [Event], y: Double) -> [String] {
            var rowEnds = [0.0, 0.0, 0.0]
            var shapes: [String] = []
            for event in events {
                let text = event.label.count > 30 ? event.label.prefix(29) + "…" : event.label[...]
                let width = Double(text.count) * 5.9 + 8
                let start = min(x(event.time) - 4, Self.width - width)
                guard let row = rowEnds.firstIndex(where: { $0 <= start }) else { continue }
                rowEnds[row] = start + width
                let baseline = y - 12 - Double(row) * 14
                shapes.append(
                    "<text class=\"step\" x=\"\(shortNumber(start))\" y=\"\(shortNumber(baseline))\">"
                        + "\(String(text).xmlEscaped)</text>")
            }
            return shapes
        }

        /// Vertical lines at the times of unmet expectations.
        private func failures(height: Double) -> [String] {
            item.report.verdicts.compactMap { verdict in
                guard !verdict.isMet, let time = verdict.time, time <= end else { return nil }
                let x = shortNumber(x(time))
                return "<line class=\"unmet\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(shortNumber(height))\">"
                    + "<title>line \(verdict.line) is not met: \(verdict.expected.xmlEscaped)</title></line>"
            }
        }

        /// The times below the drawing, at intervals of 1, 2 or 5 times a power of ten. There are at most ten
        /// intervals.
        private func axis(y: Double) -> [String] {
            let power = pow(10, log10(end / 10).rounded(.down))
            let step = [1, 2, 5, 10].map { $0 * power }.first { end / $0 <= 10 } ?? end
            return stride(from: 0, through: end * 1.0001, by: step).map { time in
                "<text class=\"time\" x=\"\(shortNumber(x(time)))\" y=\"\(shortNumber(y))\">\(shortNumber(time)) s</text>"
            }
        }
    }
}
