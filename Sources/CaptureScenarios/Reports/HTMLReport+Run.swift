import CaptureSimulation
import Foundation

/// The lanes of queues, threads and tasks.
enum WorkLane {
    /// The largest number of lanes. Those with the least work are omitted.
    private static let maximumCount = 24

    /// Returns the work by queue, in the order in which the queues were first used; each in the order of time.
    static func lanes(of work: [WorkPeriod]) -> [(queue: String, periods: [WorkPeriod])] {
        let lanes = Dictionary(grouping: work, by: \.queue).mapValues { $0.sorted { $0.start < $1.start } }
        let largest = lanes.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(maximumCount)
        return largest.map { (queue: $0.key, periods: $0.value) }.sorted {
            ($0.periods.first?.start ?? 0, $0.queue) < ($1.periods.first?.start ?? 0, $1.queue)
        }
    }
}

extension HTMLReport {
    /// The part of the page that shows a run at a time that the reader selects: the drawing with a cursor, the pictures
    /// of the cameras, the states and the work at that time, and the log. Without scripts, it shows the whole run.
    struct Run {
        private let item: Item
        /// The position on the page, for IDs.
        private let index: Int

        init(_ item: Item, index: Int) { (self.item, self.index) = (item, index) }

        var html: String {
            let log = item.evidence.log
            let other = item.evidence.otherLog
            let difference = other.flatMap { LogDifference(expected: $0, actual: log) }
            let line = difference?.line
            /// The time of a line of a log; that of the last line if the log is shorter.
            func time(_ log: [String]) -> Double? {
                line.flatMap { LogEntry.parse(Array(log.prefix($0))).last }.map { Double($0.time) / 1e6 }
            }
            let timeline = Timeline(item, log: log, differenceTime: time(log))
            var drawings = region(timeline.drawing(work: item.evidence.work), "Events over time")
            var tables = timeline.table(other == nil ? "Log" : "Log of this run", differenceLine: line)
            if let other {
                let otherTimeline = Timeline(item, log: other, differenceTime: time(other))
                drawings +=
                    "\n<h4>The other run</h4>\n"
                    + region(
                        otherTimeline.drawing(label: "Events of the other run; the table below lists them"),
                        "Events of the other run over time")
                tables += "\n" + otherTimeline.table("Log of the other run", differenceLine: line)
            }
            let end = Int64((timeline.end * 1e6).rounded())
            let button =
                difference == nil ? "" : "<button type=\"button\" data-go=\"difference\">First difference</button>"
            return """
                <h3>Events</h3>
                <div class="run">
                <div class="controls" role="group" aria-label="Time of the run" hidden>
                <button type="button" data-go="previous" aria-label="Previous event">◀</button>
                <input type="range" min="0" max="\(end)" step="1" value="0" aria-label="Time" id="time\(index)">
                <button type="button" data-go="next" aria-label="Next event">▶</button>
                <output for="time\(index)">0 s</output>
                \(button)
                </div>
                \(drawings)
                <div class="now" hidden><div class="views"></div><div class="states" aria-live="off"></div></div>
                <div class="logs">
                \(tables)
                </div>
                <script type="application/json">\(data(timeline, difference: time(log)))</script>
                </div>
                \(timeline.pictures)
                """
        }

        private func region(_ content: String, _ label: String) -> String {
            "<div class=\"scroll\" role=\"region\" aria-label=\"\(label)\" tabindex=\"0\">\(content)</div>"
        }

        // MARK: Data of the script

        /// What the script shows at a time. Times are in microseconds.
        private struct Content: Encodable {
            struct View: Encodable {
                var name: String
                var times: [Int64]
                /// JPEG files in Base64.
                var pictures: [String]
            }

            struct State: Encodable {
                var lane: String
                /// Start, end and name of each state.
                var periods: [Period]
            }

            struct Period: Encodable {
                var start: Int64
                var end: Int64
                var name: String
            }

            struct Work: Encodable {
                var queue: String
                var names: [Int]
                var starts: [Int64]
                var durations: [Int64]
            }

            var end: Int64
            var difference: Int64?
            var views: [View]
            var states: [State]
            var names: [String]
            var work: [Work]
        }

        private func data(_ timeline: Timeline, difference: Double?) -> String {
            func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e6).rounded()) }
            let pictures =
                item.evidence.cameraPictures.isEmpty ? item.evidence.eventPictures : item.evidence.cameraPictures
            let views = Dictionary(grouping: pictures, by: \.source).sorted { $0.key < $1.key }.map {
                source, pictures in
                Content.View(
                    name: source, times: pictures.map { microseconds($0.time) },
                    pictures: pictures.map { $0.jpeg.base64EncodedString() })
            }
            let states = Timeline.stateLanes.map { lane in
                Content.State(
                    lane: lane,
                    periods: timeline.states(in: lane).map {
                        Content.Period(start: $0.start, end: $0.end, name: $0.state)
                    })
            }
            var indices: [String: Int] = [:]
            var names: [String] = []
            let work = WorkLane.lanes(of: item.evidence.work).map { queue, periods in
                Content.Work(
                    queue: queue,
                    names: periods.map { period in
                        let name = period.name + (period.wait.map { ", waits for \($0)" } ?? "")
                        if let index = indices[name] { return index }
                        indices[name] = names.count
                        names.append(name)
                        return names.count - 1
                    }, starts: periods.map(\.start), durations: periods.map { $0.end - $0.start })
            }
            let content = Content(
                end: microseconds(timeline.end), difference: difference.map(microseconds), views: views, states: states,
                names: names, work: work)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            // Strings and numbers that are finite can always be encoded.
            guard let json = try? encoder.encode(content) else { return "{}" }
            // The text of a script element ends at the first end tag.
            return String(decoding: json, as: UTF8.self).replacingOccurrences(of: "<", with: "\\u003c")
        }
    }
}
