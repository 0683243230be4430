package import Foundation
import MediaMeasurements

/// The results of scenarios as one HTML page without external resources: verdicts, a timeline of the events with pictures,
/// states and work at a time that the reader selects, the differences of logs and pictures, and the photos and movies.
package struct HTMLReport {
    /// The report of a scenario, and its log, pictures and files.
    struct Item {
        var report: ScenarioReport
        var evidence: ScenarioReport.Evidence
    }

    /// A photo or movie.
    package struct File: Codable {
        package var name: String
        package var data: Data

        /// Reads the photos and movies of a folder.
        package static func media(in folder: URL) throws -> [File] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap { name in
                var file = File(name: name, data: Data())
                guard file.mediaType != nil else { return nil }
                file.data = try Data(contentsOf: folder.appendingPathComponent(name))
                return file
            }
        }

        /// The media type; nil for a file that browsers do not display.
        var mediaType: String? {
            switch name.split(separator: ".").last?.lowercased() {
            case "jpg", "jpeg": "image/jpeg"
            case "png": "image/png"
            case "mov", "mp4": "video/mp4"
            default: nil
            }
        }
    }

    private var items: [Item]
    /// The maximum size of an embedded file in bytes. The page only mentions larger files.
    private static let maximumFileSize = 4_000_000

    /// Creates the page of reports. Reports without evidence are omitted.
    package init(_ reports: [ScenarioReport]) {
        items = reports.compactMap { report in report.evidence.map { Item(report: report, evidence: $0) } }
    }

    /// The page.
    package var html: String {
        let failed = items.count(where: \.report.hasFailed)
        let scenarios = "\(items.count) \(items.count == 1 ? "scenario" : "scenarios")"
        let summary =
            failed > 0
            ? "\(failed) of \(scenarios) failed" : items.count > 1 ? "All \(scenarios) passed" : "\(scenarios) passed"
        // Failed scenarios come first.
        let order =
            items.indices.filter { items[$0].report.hasFailed } + items.indices.filter { !items[$0].report.hasFailed }
        let links = order.map { index in
            "<li>\(badge(items[index].report)) <a href=\"#s\(index)\">\(items[index].report.name.xmlEscaped)</a></li>"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src '\(Self.scriptHash)'; img-src data:; media-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(summary.xmlEscaped)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <a class="skip" href="#results">Skip to the results</a>
            <header>
            <h1>\(summary.xmlEscaped)</h1>
            \(bar(failed: failed))
            </header>
            <nav aria-label="Scenarios"><ul>
            \(links.joined(separator: "\n"))
            </ul></nav>
            <main id="results" tabindex="-1">
            \(order.map { section(items[$0], index: $0) }.joined(separator: "\n"))
            </main>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    /// Returns a bar with the percentage of scenarios that passed.
    private func bar(failed: Int) -> String {
        guard !items.isEmpty else { return "" }
        let percentage = shortNumber(100 * Double(items.count - failed) / Double(items.count))
        return "<div class=\"pass-rate\" aria-hidden=\"true\"><div style=\"width: \(percentage)%\"></div></div>"
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
            "<p class=\"file\">\(report.file.xmlEscaped), \(report.events) events, "
                + "played in \(shortNumber((item.evidence.duration * 100).rounded() / 100)) s</p>",
        ]
        parts += report.failures.filter { $0.first?.hasPrefix("FAILED") != true }.compactMap(\.first).map {
            "<p class=\"failure\">\($0.trimmingCharacters(in: [":"]).xmlEscaped)</p>"
        }
        if !report.verdicts.isEmpty { parts.append(table(of: report.verdicts, index)) }
        parts += item.evidence.comparedPictures.map(comparison)
        if let other = item.evidence.otherLog {
            parts.append(LogDifferenceTable(expected: other, seen: item.evidence.log).html)
        }
        if !item.evidence.log.isEmpty { parts.append(Run(item, index: index).html) }
        let figures = item.evidence.files.compactMap(figure)
        if !figures.isEmpty {
            parts.append("<h3>Files</h3>\n<div class=\"files\">\(figures.joined(separator: "\n"))</div>")
        }
        parts.append("</section>")
        return parts.joined(separator: "\n")
    }

    // MARK: Verdicts

    private func table(of verdicts: [Verdict], _ index: Int) -> String {
        let rows = verdicts.sorted { !$0.isMet && $1.isMet }.map { verdict in
            let result =
                verdict.isMet
                ? "<td class=\"good\">✓ met</td>" : "<td class=\"bad\">✗ not met</td>"
            let around =
                verdict.logExcerpt.isEmpty
                ? "" : Self.lines(verdict.logExcerpt, label: "Events around the failure of line \(verdict.line)")
            return "<tr>\(result)<td>\(verdict.line)</td><td>\(verdict.expected.xmlEscaped)</td>"
                + "<td>\(verdict.seen.xmlEscaped)\(around)</td></tr>"
        }
        let met = verdicts.count(where: \.isMet)
        let table = """
            <div class="scroll" role="region" aria-labelledby="e\(index)" tabindex="0"><table class="verdicts">
            <caption id="e\(index)">Expectations: \(met) of \(verdicts.count) met</caption>
            <thead><tr><th scope="col">Result</th><th scope="col">Line</th><th scope="col">Expected</th>\
            <th scope="col">Seen</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            """
        return table
    }

    /// Returns a block with lines of a log, which can be scrolled horizontally with the keyboard.
    static func lines(_ lines: [String], label: String) -> String {
        "<pre tabindex=\"0\" role=\"region\" aria-label=\"\(label.xmlEscaped)\">"
            + lines.joined(separator: "\n").xmlEscaped + "</pre>"
    }

    // MARK: Pictures and files

    /// Returns the expected picture, the picture of the run, and their difference.
    private func comparison(_ picture: ComparedPicture) -> String {
        func figure(_ data: Data?, _ type: String, _ name: String, _ text: String) -> String {
            guard let data else { return "" }
            return "<figure><img src=\"\(Self.dataURL(data, type))\" alt=\"\(text): \(picture.name.xmlEscaped)\">"
                + "<figcaption>\(name)</figcaption></figure>"
        }
        return """
            <h3>Line \(picture.line): \(picture.name.xmlEscaped)</h3>
            <div class="files">
            \(figure(picture.expected, "image/jpeg", "Expected", "The expected picture"))
            \(figure(picture.seen, "image/jpeg", "Seen", "The picture that was seen"))
            \(figure(picture.difference, "image/png", "Difference in red", "The difference of both"))
            </div>
            """
    }

    /// Returns data as a URL with the scheme `data`.
    static func dataURL(_ data: Data, _ type: String) -> String { "data:\(type);base64,\(data.base64EncodedString())" }

    private func figure(_ file: File) -> String? {
        guard let type = file.mediaType else { return nil }
        let name = file.name.xmlEscaped
        guard file.data.count <= Self.maximumFileSize else {
            return
                "<p>\(name) has \(file.data.count) bytes and is not part of this page.</p>"
        }
        let source = Self.dataURL(file.data, type)
        let media =
            type == "video/mp4"
            ? "<video controls playsinline preload=\"metadata\" src=\"\(source)\" aria-label=\"The movie \(name)\"></video>"
            : "<img src=\"\(source)\" alt=\"The photo \(name)\">"
        return "<figure>\(media)<figcaption>\(name), \(file.data.count) bytes</figcaption></figure>"
    }
}
