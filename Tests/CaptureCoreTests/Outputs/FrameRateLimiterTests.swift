import MediaTypes
import XCTest

@testable import CaptureCore

final class FrameRateLimiterTests: XCTestCase {
    private let frameDuration = CMTime(value: 1, timescale: 30)

    /// Returns the times of the accepted frames. All times are in units of 1/3000 s.
    private func accepted(_ times: [Int64], every interval: CMTime) -> [Int64] {
        var limiter = FrameRateLimiter()
        return times.filter {
            limiter.accepts(CMTime(value: $0, timescale: 3000), duration: frameDuration, interval: interval)
        }
    }

    func testAllFramesAreAcceptedWithoutALimit() {
        XCTAssertEqual(accepted([0, 1, 2], every: .invalid), [0, 1, 2])
        XCTAssertEqual(accepted([0, 1, 2], every: .zero), [0, 1, 2])
    }

    func testJitterDoesNotChangeTheAverageRate() {
        // A frame every 100 units of 1/3000 s, up to 20 early or late. Every second one is accepted.
        let times: [Int64] = (0..<40).map { 100 * $0 + [0, 15, -20, 10][Int($0 % 4)] }
        let acceptedTimes = accepted(times, every: CMTime(value: 200, timescale: 3000))
        XCTAssertEqual(acceptedTimes.count, 20)
        XCTAssertTrue(
            zip(acceptedTimes, acceptedTimes.dropFirst()).allSatisfy { (150...250).contains($1 - $0) },
            "\(acceptedTimes)")
    }

    func testARateThatDoesNotDivideTheFrameRateIsMetOnAverage() {
        // 300 frames at 30 frames per second, limited to 20.
        let acceptedTimes = accepted((0..<300).map { 100 * $0 }, every: CMTime(value: 1, timescale: 20))
        XCTAssertEqual(acceptedTimes.count, 200)
    }

    func testTheScheduleRestartsAfterAGap() {
        let acceptedTimes = accepted([0, 100, 200, 5000, 5100, 5200, 5300], every: CMTime(value: 300, timescale: 3000))
        XCTAssertEqual(acceptedTimes, [0, 5000, 5300])
    }

    func testTheScheduleRestartsAfterABackwardJump() {
        let acceptedTimes = accepted([9000, 0, 100, 300], every: CMTime(value: 300, timescale: 3000))
        XCTAssertEqual(acceptedTimes, [9000, 0, 300])
    }
}
