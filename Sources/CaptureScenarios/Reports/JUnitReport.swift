import MediaMeasurements

/// The results of scenarios in the XML format of JUnit, which CI servers read.
package struct JUnitReport {
    /// The result of one scenario.
    private struct Case {
        /// The path of the scenario file.
        var file: String
        /// The title of the scenario.
        var name: String
        /// The real duration of the run in seconds.
        var duration: Double
        /// The failures as lines of text; empty if the scenario passed.
        var failures: [[String]]
    }

    private var cases: [Case]

    /// Creates a test case for each report.
    package init(_ reports: [ScenarioReport]) {
        cases = reports.map { report in
            Case(
                file: report.file, name: report.name, duration: report.evidence?.duration ?? 0,
                failures: report.failures)
        }
    }

    /// The report as XML.
    package var xml: String {
        let failed = cases.count { !$0.failures.isEmpty }
        let time = cases.reduce(0) { $0 + $1.duration }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites tests=\"\(cases.count)\" failures=\"\(failed)\" time=\"\(shortNumber(time))\">",
            "<testsuite name=\"obscura replay\" tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"0\" "
                + "skipped=\"0\" time=\"\(shortNumber(time))\">",
        ]
        for item in cases {
            let startTag =
                "<testcase classname=\"\(item.file.xmlEscaped)\" name=\"\(item.name.xmlEscaped)\" "
                + "time=\"\(shortNumber(item.duration))\""
            guard !item.failures.isEmpty else {
                lines.append(startTag + "/>")
                continue
            }
            lines.append(startTag + ">")
            // A test case has at most one `failure` element, so it contains all failures.
            let message = item.failures.map { $0.first ?? "" }.joined(separator: "; ")
            let text = item.failures.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
            lines.append("<failure message=\"\(message.xmlEscaped)\">\(text.xmlEscaped)</failure>")
            lines.append("</testcase>")
        }
        return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }
}
