#if Everything || Scenarios
import CaptureScenarios
import CaptureSimulation
import Foundation

extension TestReport {
    /// Writes the page of the run, `run.html`, with the events and the work of a closed system.
    func writePage(of record: SystemRecord, to folder: URL) throws {
        let (work, end) = record.work
        let report = ScenarioReport(
            test: name, record.summary, log: record.events, work: work, end: Double(end) / 1e6, problems: warnings)
        try Data(HTMLReport([report]).html.utf8).write(to: folder.appendingPathComponent("run.html"))
    }
}
#endif
