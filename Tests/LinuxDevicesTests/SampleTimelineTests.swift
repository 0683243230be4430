import XCTest

@testable import LinuxDevices

final class SampleTimelineTests: XCTestCase {
    func testTimesAdvanceEvenlyDespiteJitter() {
        var timeline = SampleTimeline(sampleRate: 48_000)
        var times: [Int64] = []
        for index in 0..<200 {
            let jitter = Int64([0, 3_000_000, -2_000_000, 1_000_000][index % 4])
            timeline.report(available: 480, nanoseconds: Int64(index + 1) * 10_000_000 + jitter)
            times.append(timeline.advance(by: 480).nanoseconds)
        }
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        XCTAssertTrue(steps.allSatisfy { abs($0 - 10_000_000) < 200_000 }, "\(steps)")
    }

    func testTimesFollowAClockThatDiffersFromTheNominalRate() throws {
        var timeline = SampleTimeline(sampleRate: 48_000)
        var last: Int64 = 0
        // 200 ppm slow for 100 s is a difference of 20 ms.
        for index in 1...10_000 {
            timeline.report(available: 480, nanoseconds: Int64(index) * 10_002_000)
            last = timeline.advance(by: 480).nanoseconds
        }
        XCTAssertEqual(Double(last), 9999.0 * 10_002_000, accuracy: 200_000)
    }

    func testTimesFollowAJumpOfTheClockImmediatelyAndStillIncrease() {
        var timeline = SampleTimeline(sampleRate: 1000)
        timeline.report(available: 10, nanoseconds: 10_000_000)
        XCTAssertEqual(timeline.advance(by: 10).nanoseconds, 0)
        timeline.report(available: 10, nanoseconds: 1_000_000_000)
        XCTAssertEqual(timeline.advance(by: 10).nanoseconds, 990_000_000)
        timeline.report(available: 10, nanoseconds: 20_000_000)
        XCTAssertEqual(timeline.advance(by: 10).nanoseconds, 990_000_001)
    }

    func testARestartCountsLostFramesExactly() {
        var timeline = SampleTimeline(sampleRate: 1000)
        timeline.report(available: 10, nanoseconds: 10_000_000)
        _ = timeline.advance(by: 10)
        timeline.report(available: 5, nanoseconds: 15_000_000)
        XCTAssertEqual(timeline.restart(at: 100_000_000), 90)
        let next = timeline.advance(by: 10)
        XCTAssertEqual(next.position, 100)
        XCTAssertEqual(next.nanoseconds, 100_000_000)
    }

    func testARestartBeforeAnyReportLosesNothing() {
        var timeline = SampleTimeline(sampleRate: 1000)
        XCTAssertEqual(timeline.restart(at: 5), 0)
    }
}
