/// The results of scenarios in the XML format of JUnit, which CI servers read.
package struct JUnitReport {
    /// The result of one scenario.
    private struct Case {
        /// The path of the scenario file.
        var file: String
        /// The title of the scenario.
        var name: String
        /// The real time that it took, in seconds.
        var duration: Double
        /// What is wrong, in lines of text; empty if nothing is.
        var failures: [[String]]
    }

    private var cases: [Case]

    /// Creates the results of reports.
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
            let head =
                "<testcase classname=\"\(item.file.xmlEscaped)\" name=\"\(item.name.xmlEscaped)\" "
                + "time=\"\(shortNumber(item.duration))\""
            guard !item.failures.isEmpty else {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            // A test case has one failure; it lists all that is wrong.
            let message = item.failures.map { $0.first ?? "" }.joined(separator: "; ")
            let text = item.failures.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
            lines.append("<failure message=\"\(message.xmlEscaped)\">\(text.xmlEscaped)</failure>")
            lines.append("</testcase>")
        }
        return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }
}
