import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

final class SynchronizerStateTests: XCTestCase {
    /// A synchronizer that receives a sequence of samples.
    ///
    /// The name of a sample is the letter of its output, followed by its time in milliseconds. Output a, with the index
    /// 0, is the leader.
    private struct Scenario {
        var state: SynchronizerState<String>
        /// The indices of the outputs that are not live.
        var inactiveOutputs: Set<Int> = []
        /// The names of the samples of each group.
        var reported: [String] = []

        init(_ count: Int) { state = SynchronizerState(outputCount: count) }

        mutating func add(_ output: Int, _ milliseconds: Int64, duration: Int64 = 33) {
            let name = "abc".map(String.init)[output] + "\(milliseconds)"
            record(
                state.add(
                    name, from: output, at: .milliseconds(milliseconds), lasting: .milliseconds(duration),
                    isLive: isLive))
        }

        /// Reports that an output delivers no more samples up to a time in milliseconds.
        mutating func skip(output: Int, upTo milliseconds: Int64) {
            record(state.skip(output, .milliseconds(milliseconds), isLive: isLive))
        }

        /// Records the groups that are complete after a change of `inactiveOutputs`.
        mutating func recordCompleteGroups() { record(state.groups(isLive)) }

        private var isLive: (Int) -> Bool {
            let inactiveOutputs = inactiveOutputs
            return { !inactiveOutputs.contains($0) }
        }

        mutating func record(_ groups: [[Int: String]]) {
            reported += groups.map { group in group.sorted { $0.key < $1.key }.map(\.value).joined(separator: "+") }
        }
    }

    func testTheLeaderWaitsForTheOthers() {
        var scenario = Scenario(3)
        scenario.add(0, 0)
        scenario.add(1, 0)
        XCTAssertEqual(scenario.reported, [])
        scenario.add(2, 0)
        XCTAssertEqual(scenario.reported, ["a0+b0+c0"])
        scenario.add(2, 33)
        scenario.add(1, 33)
        scenario.add(0, 33)
        XCTAssertEqual(scenario.reported, ["a0+b0+c0", "a33+b33+c33"])
    }

    func testALaterSampleEndsTheWaitForAnEarlierOne() {
        var scenario = Scenario(2)
        scenario.add(0, 0)
        scenario.add(0, 33)
        scenario.add(1, 33)
        XCTAssertEqual(scenario.reported, ["a0", "a33+b33"])
    }

    func testASkippedSampleDoesNotDelayGroups() {
        var scenario = Scenario(3)
        scenario.add(0, 0)
        scenario.skip(output: 1, upTo: 0)
        XCTAssertEqual(scenario.reported, [])
        scenario.add(2, 0)
        XCTAssertEqual(scenario.reported, ["a0+c0"])
        scenario.add(0, 33)
        scenario.add(2, 33)
        XCTAssertEqual(scenario.reported, ["a0+c0"], "a skipped time does not affect the next one")
        scenario.add(1, 33)
        XCTAssertEqual(scenario.reported, ["a0+c0", "a33+b33+c33"])
    }

    func testTheLeaderWaitsUntilTheOthersHaveReachedItsTime() {
        var scenario = Scenario(2)
        scenario.add(0, 0)
        scenario.add(1, 0)
        scenario.add(1, 20)
        scenario.add(0, 33)
        XCTAssertEqual(scenario.reported, ["a0+b0"], "b33 can still arrive")
        scenario.add(1, 33)
        XCTAssertEqual(scenario.reported, ["a0+b0", "b20", "a33+b33"])
    }

    func testTheNearestSampleIsGroupedWithTheLeader() {
        var scenario = Scenario(2)
        scenario.add(0, 0)
        scenario.add(1, 1)
        scenario.add(1, 32)
        scenario.add(0, 33)
        XCTAssertEqual(scenario.reported, ["a0+b1"])
        scenario.add(1, 36)
        XCTAssertEqual(scenario.reported, ["a0+b1", "a33+b32"])
        scenario.add(0, 66)
        scenario.add(1, 69)
        XCTAssertEqual(scenario.reported, ["a0+b1", "a33+b32", "b36", "a66+b69"])
    }

    func testSamplesBetweenTwoSamplesOfTheLeaderFormTheirOwnGroups() {
        var scenario = Scenario(2)
        for time: Int64 in [0, 10, 20, 30] { scenario.add(1, time) }
        scenario.add(0, 0)
        XCTAssertEqual(scenario.reported, ["a0+b0"])
        scenario.add(1, 40)
        scenario.add(0, 33)
        XCTAssertEqual(scenario.reported, ["a0+b0", "b10", "b20", "a33+b30"])
        scenario.record(scenario.state.flush())
        XCTAssertEqual(scenario.reported, ["a0+b0", "b10", "b20", "a33+b30", "b40"])
    }

    func testTheLeaderDoesNotWaitWhileTheLastSampleOfASlowerOutputLasts() {
        var scenario = Scenario(2)
        scenario.add(1, 0, duration: 100)
        for time: Int64 in [0, 33, 66] { scenario.add(0, time) }
        XCTAssertEqual(scenario.reported, ["a0+b0", "a33", "a66"])
        scenario.add(0, 99)
        XCTAssertEqual(scenario.reported, ["a0+b0", "a33", "a66"], "a sample may arrive around that time")
        scenario.add(1, 100, duration: 100)
        XCTAssertEqual(scenario.reported, ["a0+b0", "a33", "a66", "a99+b100"])
    }

    func testInactiveOutputsDoNotDelayGroups() {
        var scenario = Scenario(2)
        scenario.inactiveOutputs = [1]
        scenario.add(0, 0)
        XCTAssertEqual(scenario.reported, ["a0"])
        scenario.inactiveOutputs = [0]
        scenario.add(1, 5)
        XCTAssertEqual(scenario.reported, ["a0", "b5"])
    }

    func testAtMostEightSamplesWaitAndStalledOutputsDoNotDelayGroups() {
        XCTAssertEqual(SynchronizerState<String>.limit, 8)
        var scenario = Scenario(2)
        for index in 0..<8 { scenario.add(0, Int64(index) * 33) }
        XCTAssertEqual(scenario.reported, [])
        // With the ninth sample of the leader the other output has stalled. All samples of the leader are reported.
        for index in 8..<10 { scenario.add(0, Int64(index) * 33) }
        XCTAssertEqual(scenario.reported, (0..<10).map { "a\($0 * 33)" })
        scenario.add(1, 330)
        scenario.add(0, 330)
        scenario.add(0, 363)
        XCTAssertEqual(
            Array(scenario.reported.dropFirst(10)), ["a330+b330"], "groups wait for it again after it recovers")
        // Without a sample of the leader, only the samples beyond the eight that wait are reported: 2 of 10.
        var withoutLeader = Scenario(2)
        for index in 0..<10 { withoutLeader.add(1, Int64(index) * 33) }
        XCTAssertEqual(withoutLeader.reported, ["b0", "b33"])
    }

    func testOutputsThatEndDoNotDelayGroups() {
        var scenario = Scenario(2)
        scenario.add(0, 0)
        XCTAssertEqual(scenario.reported, [])
        scenario.inactiveOutputs = [1]
        scenario.recordCompleteGroups()
        XCTAssertEqual(scenario.reported, ["a0"])
    }

    func testTimesNeverDecrease() {
        var scenario = Scenario(3)
        for index in 0..<50 {
            scenario.add(1, Int64(index) * 20)
            if index % 2 == 0 { scenario.add(0, Int64(index / 2) * 33) }
            if index % 3 == 0 { scenario.add(2, Int64(index / 3) * 50) }
        }
        scenario.record(scenario.state.flush())
        for letter in "abc" {
            let times = scenario.reported.flatMap { $0.split(separator: "+") }.filter { $0.first == letter }
                .compactMap { Int($0.dropFirst()) }
            XCTAssertEqual(times, times.sorted())
            XCTAssertEqual(Set(times).count, times.count)
        }
        XCTAssertEqual(scenario.reported.flatMap { $0.split(separator: "+") }.count, 50 + 25 + 17)
    }
}
