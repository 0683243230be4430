import CaptureScenarios
import Foundation

/// The results of scenarios as one HTML page without other resources: what was expected and seen, the events over time,
/// and the photos and movies.
struct HTMLReport {
    /// A scenario with what it wrote.
    struct Item {
        var report: ScenarioReport
        var log: [String]
        /// Photos and movies.
        var files: [File]
    }

    /// A photo or movie.
    struct File: Codable {
        var name: String
        var data: Data

        /// The media type; nil for a file that browsers do not show.
        var mediaType: String? {
            switch name.split(separator: ".").last?.lowercased() {
            case "jpg", "jpeg": "image/jpeg"
            case "png": "image/png"
            case "mov", "mp4": "video/mp4"
            default: nil
            }
        }
    }

    var items: [Item]
    /// Larger files are named, and not part of the page.
    private static let maximumFileSize = 4_000_000

    /// The page.
    var html: String {
        let failed = items.count(where: \.report.hasFailed)
        let summary =
            failed == 0 ? "All \(items.count) scenarios passed" : "\(failed) of \(items.count) scenarios failed"
        let links = items.enumerated().map { index, item in
            "<li>\(badge(item.report)) <a href=\"#s\(index)\">\(item.report.name.xmlEscaped)</a></li>"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(summary.xmlEscaped)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <header>
            <h1>\(summary.xmlEscaped)</h1>
            </header>
            <nav aria-label="Scenarios"><ul>
            \(links.joined(separator: "\n"))
            </ul></nav>
            <main>
            \(items.enumerated().map { section($1, index: $0) }.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    private func badge(_ report: ScenarioReport) -> String {
        report.hasFailed
            ? "<span class=\"badge bad\">✗ failed</span>" : "<span class=\"badge good\">✓ passed</span>"
    }

    private func section(_ item: Item, index: Int) -> String {
        let report = item.report
        var parts = [
            "<section id=\"s\(index)\" aria-labelledby=\"h\(index)\">",
            "<h2 id=\"h\(index)\">\(badge(report)) \(report.name.xmlEscaped)</h2>",
            "<p class=\"file\">\(report.file.xmlEscaped)</p>",
        ]
        parts += report.failures.filter { $0.first?.hasPrefix("FAILED") != true }.map { lines in
            "<div class=\"failure\"><pre>\(lines.joined(separator: "\n").xmlEscaped)</pre></div>"
        }
        if !report.verdicts.isEmpty { parts.append(table(of: report.verdicts)) }
        parts.append(timeline(item))
        parts += item.files.compactMap(figure)
        parts.append("</section>")
        return parts.joined(separator: "\n")
    }

    // MARK: Verdicts

    private func table(of verdicts: [Verdict]) -> String {
        let rows = verdicts.sorted { !$0.isMet && $1.isMet }.map { verdict in
            let result =
                verdict.isMet
                ? "<td class=\"good\">✓ met</td>" : "<td class=\"bad\">✗ not met</td>"
            let around =
                verdict.around.isEmpty ? "" : "<pre>\(verdict.around.joined(separator: "\n").xmlEscaped)</pre>"
            return "<tr>\(result)<td>\(verdict.line)</td><td>\(verdict.expected.xmlEscaped)</td>"
                + "<td>\(verdict.seen.xmlEscaped)\(around)</td></tr>"
        }
        return """
            <table>
            <caption>Expectations</caption>
            <thead><tr><th scope="col">Result</th><th scope="col">Line</th><th scope="col">Expected</th>\
            <th scope="col">Seen</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    // MARK: Timeline

    /// The lanes of the timeline, from top to bottom.
    private enum Lane: String, CaseIterable {
        case timeline = "Timeline"
        case session = "Session"
        case devices = "Devices"
        case outputs = "Outputs"
        case frames = "Frames"

        init(_ event: String) {
            if event.hasPrefix("> ") {
                self = .timeline
            } else if event.hasPrefix("session") {
                self = .session
            } else if event.hasPrefix("device") || event.hasPrefix("cannot use") {
                self = .devices
            } else if event.hasPrefix("frame ") || event.hasPrefix("sound ") {
                self = .frames
            } else {
                self = .outputs
            }
        }
    }

    /// An event of the log.
    private struct Event {
        /// In seconds.
        var time: Double
        var text: String
        var lane: Lane
        var isError: Bool

        init(_ entry: LogEntry) {
            (time, text, lane) = (Double(entry.time) / 1e6, entry.text, Lane(entry.text))
            // The line of an error has its code, as `diskFull (-11807)`.
            isError = text.contains("(-1") || text.hasPrefix("misuse")
        }

        /// The time and the text, for a pointer that rests on the event.
        var title: String { "<title>\(plainNumber(time)) s: \(text.xmlEscaped)</title>" }
    }

    private static let laneHeight = 34.0
    private static let labelWidth = 90.0
    private static let width = 1000.0

    /// Draws the events over time, and lists them in a table for screen readers.
    private func timeline(_ item: Item) -> String {
        let events = LogEntry.parse(item.log).map(Event.init)
        let rows = events.filter { $0.lane != .frames }.map { event in
            "<tr\(event.isError ? " class=\"bad\"" : "")><td>\(plainNumber(event.time)) s</td>"
                + "<td>\(event.lane.rawValue)</td><td>\(event.text.xmlEscaped)</td></tr>"
        }
        return """
            <h3>Events</h3>
            \(drawing(of: events))
            <details><summary>\(rows.count) events, without frames</summary>
            <table><thead><tr><th scope="col">Time</th><th scope="col">Lane</th><th scope="col">Event</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></details>
            """
    }

    private func drawing(of events: [Event]) -> String {
        let end = max(events.last?.time ?? 0, 0.001)
        func x(_ time: Double) -> Double { Self.labelWidth + time / end * (Self.width - Self.labelWidth - 20) }
        let height = Double(Lane.allCases.count) * Self.laneHeight + 26
        let byLane = Dictionary(grouping: events, by: \.lane)
        var shapes: [String] = []
        for (index, lane) in Lane.allCases.enumerated() {
            let y = (Double(index) + 0.5) * Self.laneHeight
            shapes.append("<text class=\"lane\" x=\"0\" y=\"\(y + 4)\">\(lane.rawValue)</text>")
            shapes.append(
                "<line class=\"axis\" x1=\"\(Self.labelWidth)\" x2=\"\(Self.width - 20)\" y1=\"\(y)\" y2=\"\(y)\"/>")
            shapes += byLane[lane, default: []].map { event in
                let x = x(event.time)
                return lane == .frames
                    ? "<rect class=\"frame\" x=\"\(plainNumber(x - 1))\" y=\"\(y - 7)\" height=\"14\" width=\"1\">"
                        + event.title + "</rect>"
                    : "<circle class=\"\(event.isError ? "bad" : "event")\" cx=\"\(plainNumber(x))\" cy=\"\(y)\" r=\"5\">"
                        + event.title + "</circle>"
            }
        }
        shapes += [0, 0.25, 0.5, 0.75, 1].map { fraction in
            "<text class=\"time\" x=\"\(plainNumber(x(end * fraction)))\" y=\"\(height - 6)\">"
                + "\(plainNumber(end * fraction)) s</text>"
        }
        return """
            <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="Events over time; the table below lists them">
            \(shapes.joined(separator: "\n"))
            </svg>
            """
    }

    // MARK: Files

    private func figure(_ file: File) -> String? {
        guard let type = file.mediaType else { return nil }
        guard file.data.count <= Self.maximumFileSize else {
            return "<p>\(file.name.xmlEscaped) has \(file.data.count) bytes and is not part of this page; "
                + "<code>--keep</code> keeps it.</p>"
        }
        let source = "data:\(type);base64,\(file.data.base64EncodedString())"
        let media =
            type == "video/mp4"
            ? "<video controls preload=\"metadata\" src=\"\(source)\" aria-label=\"The movie \(file.name.xmlEscaped)\"></video>"
            : "<img src=\"\(source)\" alt=\"The photo \(file.name.xmlEscaped)\">"
        return "<figure>\(media)<figcaption>\(file.name.xmlEscaped), \(file.data.count) bytes</figcaption></figure>"
    }

    private static let style = """
        :root { color-scheme: light dark; --text: #1c1c1e; --back: #fff; --soft: #6a6a70; --line: #d5d5da;
        --good: #1a7f37; --bad: #b3261e; --event: #0a5fb4; --panel: #f5f5f7; }
        @media (prefers-color-scheme: dark) { :root { --text: #f2f2f4; --back: #161618; --soft: #a5a5ad;
        --line: #3c3c42; --good: #5fd083; --bad: #ff8a80; --event: #7cbcff; --panel: #212124; } }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); margin: 0 auto;
        max-width: 1100px; padding: 1rem 1.5rem 4rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin: 0; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
        nav ul { list-style: none; padding: 0; columns: 2; } a { color: var(--event); }
        a:focus-visible, summary:focus-visible, video:focus-visible { outline: 3px solid var(--event); }
        section { border-top: 1px solid var(--line); padding: 1.5rem 0; }
        .file { color: var(--soft); margin: .1rem 0 .8rem; font-family: monospace; }
        .badge { font-size: .85rem; font-weight: 600; } .good { color: var(--good); } .bad { color: var(--bad); }
        table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 600; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
        td:first-child { white-space: nowrap; }
        pre { background: var(--panel); padding: .6rem .8rem; overflow-x: auto; margin: .4rem 0; font-size: 13px; }
        .failure { border-left: 4px solid var(--bad); padding-left: .8rem; }
        svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
        .axis { stroke: var(--line); } circle.event { fill: var(--event); } circle.bad { fill: var(--bad); }
        rect.frame { fill: var(--soft); } .time { text-anchor: middle; }
        figure { display: inline-block; margin: 1rem 1rem 0 0; } img, video { max-width: 240px; max-height: 320px; }
        figcaption { color: var(--soft); font-size: 13px; } summary { cursor: pointer; }
        """
}
