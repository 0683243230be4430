import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

final class SynchronizerStateTests: XCTestCase {
    /// A sequence of samples: each is named by its output's letter and its time in milliseconds.
    private struct Run {
        var state: SynchronizerState<String>
        var dead: Set<Int> = []
        var reported: [String] = []

        init(_ count: Int) { state = SynchronizerState(outputCount: count) }

        mutating func receive(_ output: Int, _ milliseconds: Int64, lasting: Int64 = 33) {
            let name = "abc".map(String.init)[output] + "\(milliseconds)"
            let dead = dead
            record(
                state.receive(
                    name, from: output, at: .milliseconds(milliseconds), lasting: .milliseconds(lasting),
                    isLive: { !dead.contains($0) }))
        }

        mutating func record(_ groups: [[Int: String]]) {
            reported += groups.map { group in group.sorted { $0.key < $1.key }.map(\.value).joined(separator: "+") }
        }
    }

    func testTheLeaderWaitsForTheOthers() {
        var run = Run(3)
        run.receive(0, 0)
        run.receive(1, 0)
        XCTAssertEqual(run.reported, [])
        run.receive(2, 0)
        XCTAssertEqual(run.reported, ["a0+b0+c0"])
        run.receive(2, 33)
        run.receive(1, 33)
        run.receive(0, 33)
        XCTAssertEqual(run.reported, ["a0+b0+c0", "a33+b33+c33"])
    }

    func testALaterSampleShowsThatThereIsNone() {
        var run = Run(2)
        run.receive(0, 0)
        run.receive(0, 33)
        run.receive(1, 33)
        XCTAssertEqual(run.reported, ["a0", "a33+b33"])
    }

    func testASkippedSampleDoesNotDelayGroups() {
        var run = Run(3)
        run.receive(0, 0)
        run.record(run.state.skip(1, .milliseconds(0)) { _ in true })
        XCTAssertEqual(run.reported, [])
        run.receive(2, 0)
        XCTAssertEqual(run.reported, ["a0+c0"])
        run.receive(0, 33)
        run.receive(2, 33)
        XCTAssertEqual(run.reported, ["a0+c0"], "a skipped time does not affect the next one")
        run.receive(1, 33)
        XCTAssertEqual(run.reported, ["a0+c0", "a33+b33+c33"])
    }

    func testTheLeaderWaitsUntilTheOthersHaveReachedItsTime() {
        var run = Run(2)
        run.receive(0, 0)
        run.receive(1, 0)
        run.receive(1, 20)
        run.receive(0, 33)
        XCTAssertEqual(run.reported, ["a0+b0"], "b33 can still arrive")
        run.receive(1, 33)
        XCTAssertEqual(run.reported, ["a0+b0", "b20", "a33+b33"])
    }

    func testTheNearestSampleIsGroupedWithTheLeader() {
        var run = Run(2)
        run.receive(0, 0)
        run.receive(1, 1)
        run.receive(1, 32)
        run.receive(0, 33)
        XCTAssertEqual(run.reported, ["a0+b1"])
        run.receive(1, 36)
        XCTAssertEqual(run.reported, ["a0+b1", "a33+b32"])
        run.receive(0, 66)
        run.receive(1, 69)
        XCTAssertEqual(run.reported, ["a0+b1", "a33+b32", "b36", "a66+b69"])
    }

    func testSamplesBetweenTwoLeadersFormTheirOwnGroups() {
        var run = Run(2)
        for time: Int64 in [0, 10, 20, 30] { run.receive(1, time) }
        run.receive(0, 0)
        XCTAssertEqual(run.reported, ["a0+b0"])
        run.receive(1, 40)
        run.receive(0, 33)
        XCTAssertEqual(run.reported, ["a0+b0", "b10", "b20", "a33+b30"])
        run.record(run.state.flush())
        XCTAssertEqual(run.reported, ["a0+b0", "b10", "b20", "a33+b30", "b40"])
    }

    func testThereIsNoWaitWhileTheLastSampleOfASlowerOutputLasts() {
        var run = Run(2)
        run.receive(1, 0, lasting: 100)
        for time: Int64 in [0, 33, 66] { run.receive(0, time) }
        XCTAssertEqual(run.reported, ["a0+b0", "a33", "a66"])
        run.receive(0, 99)
        XCTAssertEqual(run.reported, ["a0+b0", "a33", "a66"], "a sample may arrive around that time")
        run.receive(1, 100, lasting: 100)
        XCTAssertEqual(run.reported, ["a0+b0", "a33", "a66", "a99+b100"])
    }

    func testOutputsThatAreNotLiveDoNotDelayGroups() {
        var run = Run(2)
        run.dead = [1]
        run.receive(0, 0)
        XCTAssertEqual(run.reported, ["a0"])
        run.dead = [0]
        run.receive(1, 5)
        XCTAssertEqual(run.reported, ["a0", "b5"])
    }

    func testTheWaitIsBoundedAndStalledOutputsDoNotDelayGroups() {
        var run = Run(2)
        for index in 0..<8 { run.receive(0, Int64(index) * 33) }
        XCTAssertEqual(run.reported, [])
        for index in 8..<10 { run.receive(0, Int64(index) * 33) }
        XCTAssertEqual(run.reported, (0..<10).map { "a\($0 * 33)" })
        run.receive(1, 330)
        run.receive(0, 330)
        run.receive(0, 363)
        XCTAssertEqual(Array(run.reported.dropFirst(10)), ["a330+b330"], "groups wait for it again after it recovers")
        var other = Run(2)
        for index in 0..<10 { other.receive(1, Int64(index) * 33) }
        XCTAssertEqual(other.reported, ["b0", "b33"])
    }

    func testOutputsThatEndDoNotDelayGroups() {
        var run = Run(2)
        run.receive(0, 0)
        XCTAssertEqual(run.reported, [])
        run.record(run.state.groups { $0 == 0 })
        XCTAssertEqual(run.reported, ["a0"])
    }

    func testTimesNeverDecrease() {
        var run = Run(3)
        for index in 0..<50 {
            run.receive(1, Int64(index) * 20)
            if index % 2 == 0 { run.receive(0, Int64(index / 2) * 33) }
            if index % 3 == 0 { run.receive(2, Int64(index / 3) * 50) }
        }
        run.record(run.state.flush())
        for letter in "abc" {
            let times = run.reported.flatMap { $0.split(separator: "+") }.filter { $0.first == letter }
                .compactMap { Int($0.dropFirst()) }
            XCTAssertEqual(times, times.sorted())
            XCTAssertEqual(Set(times).count, times.count)
        }
        XCTAssertEqual(run.reported.flatMap { $0.split(separator: "+") }.count, 50 + 25 + 17)
    }
}
