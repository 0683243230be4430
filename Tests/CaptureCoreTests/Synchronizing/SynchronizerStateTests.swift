import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

final class SynchronizerStateTests: XCTestCase {
    /// A run of samples: each is the output's letter with its time in milliseconds.
    private struct Run {
        var state: SynchronizerState<String>
        var dead: Set<Int> = []
        var told: [String] = []

        init(_ count: Int) { state = SynchronizerState(outputCount: count) }

        mutating func take(_ output: Int, _ milliseconds: Int64, lasting: Int64 = 33) {
            let name = "abc".map(String.init)[output] + "\(milliseconds)"
            let dead = dead
            note(
                state.take(
                    name, from: output, at: .milliseconds(milliseconds), lasting: .milliseconds(lasting),
                    isLive: { !dead.contains($0) }))
        }

        mutating func note(_ groups: [[Int: String]]) {
            told += groups.map { group in group.sorted { $0.key < $1.key }.map(\.value).joined(separator: "+") }
        }
    }

    func testTheLeaderWaitsForTheOthers() {
        var run = Run(3)
        run.take(0, 0)
        run.take(1, 0)
        XCTAssertEqual(run.told, [])
        run.take(2, 0)
        XCTAssertEqual(run.told, ["a0+b0+c0"])
        run.take(2, 33)
        run.take(1, 33)
        run.take(0, 33)
        XCTAssertEqual(run.told, ["a0+b0+c0", "a33+b33+c33"])
    }

    func testASampleThatIsLaterShowsThatThereWasNone() {
        var run = Run(2)
        run.take(0, 0)
        run.take(0, 33)
        run.take(1, 33)
        XCTAssertEqual(run.told, ["a0", "a33+b33"])
    }

    func testNobodyWaitsForASampleThatIsSaidToBeMissing() {
        var run = Run(3)
        run.take(0, 0)
        run.note(run.state.pass(1, .milliseconds(0)) { _ in true })
        XCTAssertEqual(run.told, [])
        run.take(2, 0)
        XCTAssertEqual(run.told, ["a0+c0"])
        run.take(0, 33)
        run.take(2, 33)
        XCTAssertEqual(run.told, ["a0+c0"], "what is said of one moment is not said of the next")
        run.take(1, 33)
        XCTAssertEqual(run.told, ["a0+c0", "a33+b33+c33"])
    }

    func testTheLeaderWaitsUntilTheOthersHaveReachedItsTime() {
        var run = Run(2)
        run.take(0, 0)
        run.take(1, 0)
        run.take(1, 20)
        run.take(0, 33)
        XCTAssertEqual(run.told, ["a0+b0"], "b33 can still come")
        run.take(1, 33)
        XCTAssertEqual(run.told, ["a0+b0", "b20", "a33+b33"])
    }

    func testTheNearestSampleGoesWithTheLeader() {
        var run = Run(2)
        run.take(0, 0)
        run.take(1, 1)
        run.take(1, 32)
        run.take(0, 33)
        XCTAssertEqual(run.told, ["a0+b1"])
        run.take(1, 36)
        XCTAssertEqual(run.told, ["a0+b1", "a33+b32"])
        run.take(0, 66)
        run.take(1, 69)
        XCTAssertEqual(run.told, ["a0+b1", "a33+b32", "b36", "a66+b69"])
    }

    func testWhatLiesBetweenTwoLeadersIsToldByItself() {
        var run = Run(2)
        for time: Int64 in [0, 10, 20, 30] { run.take(1, time) }
        run.take(0, 0)
        XCTAssertEqual(run.told, ["a0+b0"])
        run.take(1, 40)
        run.take(0, 33)
        XCTAssertEqual(run.told, ["a0+b0", "b10", "b20", "a33+b30"])
        run.note(run.state.flush())
        XCTAssertEqual(run.told, ["a0+b0", "b10", "b20", "a33+b30", "b40"])
    }

    func testNobodyWaitsWhileTheLastSampleOfASlowerOutputLasts() {
        var run = Run(2)
        run.take(1, 0, lasting: 100)
        for time: Int64 in [0, 33, 66] { run.take(0, time) }
        XCTAssertEqual(run.told, ["a0+b0", "a33", "a66"])
        run.take(0, 99)
        XCTAssertEqual(run.told, ["a0+b0", "a33", "a66"], "one may come about that time")
        run.take(1, 100, lasting: 100)
        XCTAssertEqual(run.told, ["a0+b0", "a33", "a66", "a99+b100"])
    }

    func testNobodyWaitsForAnOutputThatCanHaveNothing() {
        var run = Run(2)
        run.dead = [1]
        run.take(0, 0)
        XCTAssertEqual(run.told, ["a0"])
        run.dead = [0]
        run.take(1, 5)
        XCTAssertEqual(run.told, ["a0", "b5"])
    }

    func testTheWaitIsBoundedAndAnOutputThatHasStalledIsWaitedForNoMore() {
        var run = Run(2)
        for index in 0..<8 { run.take(0, Int64(index) * 33) }
        XCTAssertEqual(run.told, [])
        for index in 8..<10 { run.take(0, Int64(index) * 33) }
        XCTAssertEqual(run.told, (0..<10).map { "a\($0 * 33)" })
        run.take(1, 330)
        run.take(0, 330)
        run.take(0, 363)
        XCTAssertEqual(Array(run.told.dropFirst(10)), ["a330+b330"], "once it is back it is waited for")
        var other = Run(2)
        for index in 0..<10 { other.take(1, Int64(index) * 33) }
        XCTAssertEqual(other.told, ["b0", "b33"])
    }

    func testAnOutputThatEndsIsWaitedForNoMore() {
        var run = Run(2)
        run.take(0, 0)
        XCTAssertEqual(run.told, [])
        run.note(run.state.groups { $0 == 0 })
        XCTAssertEqual(run.told, ["a0"])
    }

    func testTimesNeverGoBack() {
        var run = Run(3)
        for index in 0..<50 {
            run.take(1, Int64(index) * 20)
            if index % 2 == 0 { run.take(0, Int64(index / 2) * 33) }
            if index % 3 == 0 { run.take(2, Int64(index / 3) * 50) }
        }
        run.note(run.state.flush())
        for letter in "abc" {
            let times = run.told.flatMap { $0.split(separator: "+") }.filter { $0.first == letter }
                .compactMap { Int($0.dropFirst()) }
            XCTAssertEqual(times, times.sorted())
            XCTAssertEqual(Set(times).count, times.count)
        }
        XCTAssertEqual(run.told.flatMap { $0.split(separator: "+") }.count, 50 + 25 + 17)
    }
}
