import CaptureSimulation
import Foundation
import MediaMeasurements

extension HTMLReport {
    /// The HTML section with the events of a scenario over time: a drawing with lanes, pictures of events, and a table.
    struct Timeline {
        private let item: Item
        /// The log of the run that the drawing shows.
        private let log: [LogEntry]
        private let events: [Event]
        /// The end of the scenario in seconds, at least 0.001.
        let end: Double
        /// The time in seconds of the first event that differs from another run; nil if there is none.
        private let differenceTime: Double?

        /// - Parameters:
        ///   - log: The log of the run; that of the item, or that of the run with which it is compared.
        ///   - differenceTime: The time in seconds of the first event that differs from another run; nil if there is none.
        init(_ item: Item, log: [String], differenceTime: Double?) {
            self.item = item
            self.log = LogEntry.parse(log)
            self.differenceTime = differenceTime
            events = self.log.map(Event.init)
            end = max(item.evidence.end, 0.001)
        }

        /// The lanes of the timeline, from top to bottom.
        private enum Lane: String, CaseIterable {
            case world = "World"
            case app = "App"
            case prompts = "Prompts"
            case interruptions = "Interruptions"
            case session = "Session"
            case devices = "Devices"
            case recordings = "Recordings"
            case photos = "Photos"
            case outputs = "Other outputs"
            case frames = "Frames"

            init(_ entry: LogEntry) {
                let text = entry.text
                if entry.isStep {
                    self = entry.isAppStep ? .app : .world
                } else if let lane = Self.prefixes.first(where: { text.hasPrefix($0.prefix) })?.lane {
                    self = lane
                } else if entry.isSample || text.hasPrefix("frame ") || text.hasPrefix("depth ") {
                    self = .frames
                } else if entry.isFailureOfApp {
                    self = .app
                } else {
                    self = .outputs
                }
            }

            /// The first words of events, of scenarios and of simulated systems, and their lanes.
            private static let prefixes: [(prefix: String, lane: Lane)] = [
                ("session was interrupted", .interruptions), ("session interruption", .interruptions),
                ("audio session interruption", .interruptions), ("interruptions:", .interruptions),
                ("notification AVCaptureSessionWasInterrupted", .interruptions),
                ("notification AVCaptureSessionInterruptionEnded", .interruptions), ("session", .session),
                ("notification AVCaptureSession", .session), ("authorization", .prompts), ("recording", .recordings),
                ("photo", .photos), ("live photo", .photos), ("a still image", .photos), ("device", .devices),
                ("subject area", .devices), ("notification AVCaptureDevice", .devices),
                ("the media services", .session), ("library", .world), ("audio session", .world),
                ("application", .world), ("notification", .world), ("orientation", .world), ("asset", .photos),
                ("file", .recordings),
            ]

            /// Whether the lane is omitted if it has no events.
            var isOptional: Bool { self != .world && self != .app && self != .session }

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
                isError = entry.isFailureOfApp || text.hasPrefix(LogEntry.warning) || text.contains("(-1")
                isStep = entry.isStep
            }

            /// The SVG element with the time and the text, which browsers show as a tooltip.
            var title: String { "<title>\(shortNumber(time)) s: \(text.xmlEscaped)</title>" }
            /// The text without the prefix `> ` of a step.
            var label: String { isStep ? String(text.dropFirst(2)) : text }
        }

        /// The pictures of the events, in the order of time.
        var pictures: String {
            let figures = item.evidence.eventPictures.map { picture in
                let time = "\(shortNumber(picture.time)) s"
                return "<li><figure><img src=\"\(HTMLReport.dataURL(picture.jpeg, "image/jpeg"))\" "
                    + "alt=\"The \(picture.source.xmlEscaped) at \(time)\"><figcaption>\(time) "
                    + "\(picture.event.xmlEscaped)</figcaption></figure></li>"
            }
            guard !figures.isEmpty else { return "" }
            return "<h4>Camera images</h4>\n<ol class=\"frames\">\n\(figures.joined(separator: "\n"))\n</ol>"
        }

        /// The table of the events, except for frames and sound.
        ///
        /// - Parameters:
        ///   - title: The caption.
        ///   - differenceLine: The number of the first line that differs from another run; nil if there is none.
        func table(_ title: String, differenceLine: Int?) -> String {
            let rows = zip(log, events).filter { $0.1.lane != .frames || $0.0.line == differenceLine }.map {
                entry, event in
                let classes = [event.isError ? "bad" : "", entry.line == differenceLine ? "differs" : ""]
                    .filter { !$0.isEmpty }.joined(separator: " ")
                let mark = entry.line == differenceLine ? "<strong>first difference:</strong> " : ""
                return "<tr data-time=\"\(entry.time)\"\(classes.isEmpty ? "" : " class=\"\(classes)\"")>"
                    + "<td>\(shortNumber(event.time)) s</td><td>\(event.lane.rawValue)</td>"
                    + "<td>\(mark)\(event.text.xmlEscaped)</td></tr>"
            }
            return """
                <div class="log" role="region" aria-label="\(title.xmlEscaped)" tabindex="0">
                <table><caption>\(title.xmlEscaped)</caption>
                <thead><tr><th scope="col">Time</th><th scope="col">Lane</th><th scope="col">Event</th></tr></thead>
                <tbody>
                \(rows.joined(separator: "\n"))
                </tbody></table></div>
                """
        }

        // MARK: Drawing

        private static let labelWidth = 132.0
        private static let width = 1000.0
        private static let rightMargin = 24.0

        /// Returns the horizontal position of a time in seconds.
        private func x(_ time: Double) -> Double {
            Self.labelWidth + min(1, time / end) * (Self.width - Self.labelWidth - Self.rightMargin)
        }

        /// The drawing of the lanes.
        ///
        /// - Parameters:
        ///   - work: The work to draw, with a lane for each queue.
        ///   - label: The name of the drawing.
        func drawing(work: [WorkPeriod] = [], label: String = "Events over time; the table below lists them") -> String
        {
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
            for (queue, periods) in WorkLane.lanes(of: work) {
                let y = top + 9
                let name = queue.count > 21 ? queue.prefix(20) + "…" : queue[...]
                shapes.append(
                    "<text class=\"queue\" x=\"0\" y=\"\(shortNumber(y + 4))\">\(String(name).xmlEscaped)<title>"
                        + "\(queue.xmlEscaped)</title></text><path class=\"work\" d=\"\(path(periods, y))\"/>")
                top += 20
            }
            if let time = differenceTime {
                let x = shortNumber(x(time))
                shapes.append(
                    "<line class=\"difference\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(shortNumber(top))\"><title>the first "
                        + "event that differs</title></line>")
            }
            shapes += failures(height: top) + axis(y: top + 16)
            shapes.append(
                "<line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"\(shortNumber(top))\" visibility=\"hidden\"/>")
            return """
                <svg viewBox="0 0 \(shortNumber(Self.width)) \(shortNumber(top + 24))" role="img" \
                aria-label="\(label.xmlEscaped)" data-left="\(Self.labelWidth)" \
                data-width="\(Self.width - Self.labelWidth - Self.rightMargin)">
                \(shapes.joined(separator: "\n"))
                </svg>
                """
        }

        /// The path of the work of a queue: a horizontal line for each period. Work that takes no virtual time is visible as
        /// a mark; marks at the same place are drawn once.
        private func path(_ periods: [WorkPeriod], _ y: Double) -> String {
            var commands: [String] = []
            var drawnEnd = -1.0
            for period in periods {
                let (start, stop) = (x(Double(period.start) / 1e6), x(Double(period.end) / 1e6))
                let end = max(stop, start + 0.7)
                guard end > drawnEnd + 0.3 else { continue }
                let first = max(start, drawnEnd)
                commands.append("M\(Self.tenths(first)) \(Self.tenths(y))h\(Self.tenths(max(0.3, end - first)))")
                drawnEnd = end
            }
            return commands.joined()
        }

        private static func tenths(_ value: Double) -> String { shortNumber((value * 10).rounded() / 10) }

        /// The states of a lane, except for the one at rest.
        func states(in lane: String) -> [StateHistory.Period] {
            let end = Int64((end * 1e6).rounded())
            switch Lane(rawValue: lane) {
            case .session:
                return StateHistory(.session(nil), log, end: end).periods.filter { $0.state != "stopped" }
            case .interruptions:
                return StateHistory(.session(nil), log, end: end).periods.filter { $0.state == "interrupted" }
            case .recordings: return StateHistory(.recording, log, end: end).periods.filter { $0.state != "idle" }
            case .photos: return photoPeriods(end: end)
            case .world, .app, .prompts, .devices, .outputs, .frames, nil: return []
            }
        }

        /// The names of the lanes with states.
        static let stateLanes = [Lane.session, .interruptions, .recordings, .photos].map(\.rawValue)

        /// The times during which a photo is in progress.
        private func photoPeriods(end: Int64) -> [StateHistory.Period] {
            var periods: [StateHistory.Period] = []
            var (start, count) = (Int64(0), 0)
            for entry in log {
                if entry.text.hasPrefix("photo"), entry.text.hasSuffix("will begin") {
                    if count == 0 { start = entry.time }
                    count += 1
                }
                guard count > 0, entry.text.hasPrefix("photo"), entry.text.contains("did finish") else { continue }
                count -= 1
                if count == 0 {
                    periods.append(StateHistory.Period(state: "in progress", start: start, end: entry.time))
                }
            }
            if count > 0 { periods.append(StateHistory.Period(state: "in progress", start: start, end: end)) }
            return periods
        }

        /// The states of a lane, as bars.
        private func periods(in lane: Lane, y: Double) -> [String] {
            states(in: lane.rawValue).filter { $0.end > $0.start }.map { period in
                let (start, stop) = (x(Double(period.start) / 1e6), x(Double(period.end) / 1e6))
                return "<rect class=\"state \(period.state)\" x=\"\(shortNumber(start))\" y=\"\(shortNumber(y - 9))\" "
                    + "width=\"\(shortNumber(max(1, stop - start)))\" height=\"18\" rx=\"3\"><title>\(period.state) from "
                    + "\(shortNumber(Double(period.start) / 1e6)) s until \(shortNumber(Double(period.end) / 1e6)) s"
                    + "</title></rect>"
            }
        }

        /// A shape for each event of a lane.
        private func marks(_ events: [Event], y: Double) -> [String] {
            // A path for all frames: a minute has thousands.
            let frames = Set(events.filter { $0.lane == .frames }.map { Self.tenths(x($0.time)) }).sorted()
            let path = frames.map { "M\($0) \(Self.tenths(y - 7))v14" }.joined()
            return (path.isEmpty ? [] : ["<path class=\"frame\" d=\"\(path)\"/>"])
                + events.filter { $0.lane != .frames }.map { event in
                    let x = shortNumber(x(event.time))
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
