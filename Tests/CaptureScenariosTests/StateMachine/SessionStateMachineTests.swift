import Foundation
import XCTest

@testable import CaptureScenarios

/// Plays random scenarios in simulated systems and compares the session with `SessionModel`.
///
/// `OBSCURA_RANDOM_SCENARIOS=5000` sets the number of scenarios, `OBSCURA_RANDOM_SCENARIO_SEED=17` the first seed.
final class SessionStateMachineTests: XCTestCase {
    /// The folder to which the profile paths of scenarios are relative.
    private var profiles: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Scenarios")
    }

    private static func setting(_ name: String, default: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? `default`
    }

    func testRandomScenariosMatchTheModel() throws {
        let count = Self.setting("OBSCURA_RANDOM_SCENARIOS", default: 250)
        let first = Self.setting("OBSCURA_RANDOM_SCENARIO_SEED", default: 1)
        var failureCount = 0
        for seed in first..<first + count where failureCount < 3 {
            do {
                let scenario = RandomScenarioGenerator.scenario(seed: UInt64(seed))
                guard let problem = try ScenarioChecker.problems(in: scenario, profiles: profiles).first else {
                    continue
                }
                let reduced = try scenario.reduced { try !ScenarioChecker.problems(in: $0, profiles: profiles).isEmpty }
                let remaining = try ScenarioChecker.problems(in: reduced, profiles: profiles).first ?? problem
                failureCount += 1
                XCTFail(
                    "seed \(seed): \(remaining)\nas a file in Fixtures/Scenarios for obscura replay:\n\(reduced.yaml)")
            } catch {
                failureCount += 1
                XCTFail("seed \(seed): \(error)")
            }
        }
    }

    func testAScenarioIsUnchangedAfterWritingAndReading() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            let scenario = RandomScenarioGenerator.scenario(seed: seed)
            var reread = try Scenario(yaml: scenario.yaml, file: "scenario.yaml")
            for index in reread.timeline.indices { reread.timeline[index].line = index + 1 }
            XCTAssertEqual(reread, scenario)
        }
    }

    func testTheSameSeedYieldsTheSameScenario() {
        XCTAssertEqual(RandomScenarioGenerator.scenario(seed: 7), RandomScenarioGenerator.scenario(seed: 7))
        XCTAssertNotEqual(
            RandomScenarioGenerator.scenario(seed: 7).timeline, RandomScenarioGenerator.scenario(seed: 8).timeline)
    }

    func testAFailingScenarioIsReducedToTheRelevantSteps() {
        let scenario = RandomScenarioGenerator.scenario(seed: 3, stepCount: 60)
        let relevant = [scenario.timeline[11], scenario.timeline[40]]
        let reduced = scenario.reduced { candidate in relevant.allSatisfy(candidate.timeline.contains) }
        XCTAssertEqual(reduced.timeline, relevant)
        XCTAssertEqual(reduced.session.outputs.count, 1)
        XCTAssertEqual(reduced.devices.authorization, [:])
    }

    func testADifferenceFromTheModelIsReported() throws {
        var scenario = RandomScenarioGenerator.scenario(seed: 5)
        scenario.devices.authorization = [:]
        scenario.timeline = [Scenario.Step(time: .zero, action: .start, line: 1)]
        XCTAssertEqual(try ScenarioChecker.problems(in: scenario, profiles: profiles), [])
        let problems = try ScenarioChecker.problems(in: scenario, profiles: profiles) {
            $0.perform(.interrupt(.notAvailableInBackground))
        }
        XCTAssertEqual(problems.first, "isRunning: true, not false, after start at 0.0 s")
    }
}
