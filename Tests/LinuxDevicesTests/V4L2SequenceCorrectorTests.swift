import XCTest

@testable import LinuxDevices

final class V4L2SequenceCorrectorTests: XCTestCase {
    func testSequenceNumbersStartAtZero() {
        var corrector = V4L2SequenceCorrector()
        XCTAssertEqual(corrector.correct(driverSequence: 7, nanoseconds: 100, arrival: 110).sequenceNumber, 0)
        XCTAssertEqual(corrector.correct(driverSequence: 8, nanoseconds: 200, arrival: 210).sequenceNumber, 1)
    }

    func testAGapReportsEachLostFrameWithAnInterpolatedTime() {
        var corrector = V4L2SequenceCorrector()
        _ = corrector.correct(driverSequence: 0, nanoseconds: 1000, arrival: 1000)
        let frame = corrector.correct(driverSequence: 3, nanoseconds: 4000, arrival: 4000)
        XCTAssertEqual(
            frame,
            .init(
                lost: [
                    .init(sequenceNumber: 1, nanoseconds: 2000), .init(sequenceNumber: 2, nanoseconds: 3000),
                ], lostCount: 2, sequenceNumber: 3, nanoseconds: 4000))
    }

    func testTheDriversSequenceNumberWrapsAround() {
        var corrector = V4L2SequenceCorrector()
        _ = corrector.correct(driverSequence: .max, nanoseconds: 1, arrival: 1)
        let frame = corrector.correct(driverSequence: 1, nanoseconds: 2, arrival: 2)
        XCTAssertEqual(frame.lostCount, 1)
        XCTAssertEqual(frame.sequenceNumber, 2)
    }

    func testADriverWithoutSequenceNumbersLosesNoFrame() {
        var corrector = V4L2SequenceCorrector()
        let numbers = (0..<5).map { index in
            corrector.correct(driverSequence: 0, nanoseconds: Int64(index) * 10, arrival: Int64(index) * 10)
                .sequenceNumber
        }
        XCTAssertEqual(numbers, [0, 1, 2, 3, 4])
    }

    func testABackwardJumpOfTheSequenceNumberLosesNoFrame() {
        var corrector = V4L2SequenceCorrector()
        _ = corrector.correct(driverSequence: 500, nanoseconds: 1, arrival: 1)
        let frame = corrector.correct(driverSequence: 2, nanoseconds: 2, arrival: 2)
        XCTAssertEqual(frame.lostCount, 0)
        XCTAssertEqual(frame.sequenceNumber, 1)
    }

    func testALargeGapListsTheFirst64LostFramesAndCountsAll() {
        var corrector = V4L2SequenceCorrector()
        _ = corrector.correct(driverSequence: 0, nanoseconds: 0, arrival: 0)
        let frame = corrector.correct(driverSequence: 1001, nanoseconds: 1_000_000, arrival: 1_000_000)
        XCTAssertEqual(frame.lostCount, 1000)
        XCTAssertEqual(frame.lost.count, 64)
        XCTAssertEqual(frame.sequenceNumber, 1001)
    }

    func testTimestampsAlwaysIncrease() {
        var corrector = V4L2SequenceCorrector()
        XCTAssertEqual(corrector.correct(driverSequence: 0, nanoseconds: 1000, arrival: 1500).nanoseconds, 1000)
        XCTAssertEqual(corrector.correct(driverSequence: 1, nanoseconds: 900, arrival: 1600).nanoseconds, 1600)
        XCTAssertEqual(corrector.correct(driverSequence: 2, nanoseconds: 1600, arrival: 1600).nanoseconds, 1601)
        XCTAssertEqual(corrector.correct(driverSequence: 3, nanoseconds: nil, arrival: 1700).nanoseconds, 1700)
    }

    func testAnImplausibleTimestampIsReplaced() {
        var corrector = V4L2SequenceCorrector()
        let arrival: Int64 = 100_000_000_000
        XCTAssertEqual(corrector.correct(driverSequence: 0, nanoseconds: 1, arrival: arrival).nanoseconds, arrival)
        XCTAssertEqual(
            corrector.correct(driverSequence: 1, nanoseconds: arrival * 2, arrival: arrival + 10).nanoseconds,
            arrival + 10)
    }
}
