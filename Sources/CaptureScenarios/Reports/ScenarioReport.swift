package import CaptureSimulation
import Foundation

/// The report of a run of a scenario.
package struct ScenarioReport: Codable {
    /// The result of the comparison with the golden log.
    package enum Outcome: String, Codable {
        case same, different, missing, written
        /// There is no golden log, and the scenario does not need one.
        case unneeded
    }

    package var file: String
    package var name: String
    /// The number of events in the log.
    package var events: Int
    package var outcome: Outcome
    /// The first difference from the golden log, or, if the golden log is missing, a message with its path; nil
    /// otherwise. If the golden log was written, this is the first difference from the previous one.
    package var difference: String?
    /// The verdicts of the expectations.
    package var verdicts: [Verdict]
    /// The difference between a repeated run and the first run; nil if there is none.
    package var deviation: String?
    /// Other failures, such as failed actions of an app; nil if there are none.
    package var problems: [String]?
    /// Details for the reports that are written to files; nil in the JSON object on standard output.
    package var evidence: Evidence?

    /// The event log of a run, and the files and pictures that it created.
    package struct Evidence: Codable {
        /// The real duration of the run in seconds.
        package var duration: Double
        /// The virtual duration of the scenario in seconds.
        var end: Double
        package var log: [String]
        /// The golden log, or the log of another run, if the log differs from it.
        var otherLog: [String]?
        /// Photos and movies.
        var files: [HTMLReport.File] = []
        var eventPictures: [EventPicture]
        /// Small pictures of the cameras over time.
        var cameraPictures: [EventPicture] = []
        /// The work that ran in the simulated world.
        package var work: [WorkPeriod] = []
        var comparedPictures: [ComparedPicture]
    }

    /// Creates the report of a run.
    ///
    /// - Parameters:
    ///   - files: The photos and movies that the run wrote.
    ///   - otherLog: The golden log, or the log of another run, if the log differs from it.
    ///   - duration: The real duration of the run in seconds.
    package init(
        _ path: String, _ scenario: ScenarioFile, _ result: ScenarioResult, _ files: [HTMLReport.File] = [],
        otherLog: [String]? = nil, duration: Double
    ) {
        evidence = Evidence(
            duration: duration, end: scenario.scenario.end.seconds, log: result.log, otherLog: otherLog, files: files,
            eventPictures: result.eventPictures, cameraPictures: result.cameraPictures, work: result.work,
            comparedPictures: result.comparedPictures)
        (file, name, events) = (path, scenario.scenario.name, result.log.count)
        verdicts = result.verdicts
        switch result.goldenLog {
        case .unneeded: outcome = .unneeded
        case .equal: outcome = .same
        case .missing: (outcome, difference) = (.missing, "there is no golden log \(scenario.goldenURL.path)")
        case .different(let first): (outcome, difference) = (.different, "\(first)")
        case .written(let first): (outcome, difference) = (.written, first.map { "\($0)" })
        }
    }

    /// Creates the report of a failed test that used a simulated system.
    ///
    /// - Parameters:
    ///   - test: The name of the test.
    ///   - summary: The devices of the system.
    ///   - work: The work that ran in the system.
    ///   - end: The virtual time at which the system was closed, in seconds.
    ///   - problems: The warnings of the test.
    package init(
        test: String, _ summary: String, log: [String], work: [WorkPeriod], end: Double, problems: [String]
    ) {
        (file, name, events) = (summary, test, log.count)
        (outcome, verdicts, self.problems) = (.unneeded, [], ["The test failed."] + problems)
        evidence = Evidence(
            duration: 0, end: end, log: log, eventPictures: [], work: work, comparedPictures: [])
    }

    /// Creates the report of a scenario that could not be played.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; nil if its file cannot be read.
    ///   - problem: The reason why it could not be played.
    package init(_ path: String, _ scenario: ScenarioFile?, problem: String) {
        (file, name, events) = (path, scenario?.scenario.name ?? path, 0)
        (outcome, verdicts, problems) = (.unneeded, [], [problem])
        evidence = Evidence(
            duration: 0, end: scenario?.scenario.end.seconds ?? 0, log: [], eventPictures: [], comparedPictures: [])
    }

    /// Whether `failures` is not empty.
    package var hasFailed: Bool {
        deviation != nil || problems != nil || outcome == .different || outcome == .missing
            || verdicts.contains { !$0.isMet }
    }

    /// The unmet expectations and all other failures, each as lines of text.
    package var failures: [[String]] {
        var failures = verdicts.filter { !$0.isMet }.map(\.lines)
        switch outcome {
        case .same, .written, .unneeded: break
        case .different: failures.append((difference ?? "").split(separator: "\n").map(String.init))
        case .missing:
            failures.append(["\(difference ?? ""); check the event log, then write it with --update-golden"])
        }
        failures += (problems ?? []).map { [$0] }
        if let deviation { failures.append(deviation.split(separator: "\n").map(String.init)) }
        return failures
    }
}
