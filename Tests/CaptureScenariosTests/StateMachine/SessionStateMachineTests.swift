import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import CaptureScenarios

/// Random stories of calls and events, each in a world of its own, against a small model of the session.
///
/// `OBSCURA_STORIES=5000` plays so many; `OBSCURA_STORY_SEED=17` begins with that seed, which is the name of a story too.
final class SessionStateMachineTests: XCTestCase {
    private var profiles: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Scenarios")
    }

    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    func testRandomStoriesKeepToTheModel() throws {
        let count = Self.setting("OBSCURA_STORIES", 500)
        let first = Self.setting("OBSCURA_STORY_SEED", 1)
        let profiles = profiles
        let failures = Lock<[(seed: Int, report: String)]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            guard failures.withLock({ $0.count < 3 }) else { return }
            let seed = first + index
            do {
                let story = StoryGenerator.story(seed: UInt64(seed))
                guard let problem = try StoryChecker.problems(in: story, profiles: profiles).first else { return }
                let short = try story.shrunk { try !StoryChecker.problems(in: $0, profiles: profiles).isEmpty }
                let left = try StoryChecker.problems(in: short, profiles: profiles).first ?? problem
                let report =
                    "seed \(seed): \(left)\nas a file in Fixtures/Scenarios, for obscura replay:\n\(short.yaml ?? "")"
                failures.withLock { $0.append((seed, report)) }
            } catch {
                failures.withLock { $0.append((seed, "seed \(seed): \(error)")) }
            }
        }
        for failure in failures.withLock({ $0 }).sorted(by: { $0.seed < $1.seed }) { XCTFail(failure.report) }
    }

    func testAStoryReadsBackFromItsFile() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            let story = StoryGenerator.story(seed: seed)
            var back = try Scenario(yaml: XCTUnwrap(story.yaml), file: "story.yaml")
            for index in back.timeline.indices { back.timeline[index].line = index + 1 }
            XCTAssertEqual(back, story)
        }
    }

    func testTheSameSeedIsTheSameStory() {
        XCTAssertEqual(StoryGenerator.story(seed: 7), StoryGenerator.story(seed: 7))
        XCTAssertNotEqual(StoryGenerator.story(seed: 7).timeline, StoryGenerator.story(seed: 8).timeline)
    }

    func testAFailingStoryIsShrunkToTheStepsThatMatter() {
        let story = StoryGenerator.story(seed: 3, stepCount: 60)
        let needed = [story.timeline[11], story.timeline[40]]
        let short = story.shrunk { candidate in needed.allSatisfy(candidate.timeline.contains) }
        XCTAssertEqual(short.timeline, needed)
        XCTAssertEqual(short.session.outputs.count, 1)
        XCTAssertEqual(short.devices.authorization, [:])
    }

    func testTheModelFindsASessionThatDoesNotDoAsItShould() throws {
        var story = StoryGenerator.story(seed: 5)
        story.devices.authorization = [:]
        story.timeline = [Scenario.Step(time: .zero, action: .start, line: 1)]
        XCTAssertEqual(try StoryChecker.problems(in: story, profiles: profiles), [])
        let problems = try StoryChecker.problems(in: story, profiles: profiles) {
            $0.perform(.interrupt(.notAvailableInBackground))
        }
        XCTAssertEqual(problems.first, "isRunning: true, not false, after start at 0.0 s")
    }
}
