import XCTest

@testable import LinuxDevices

final class V4L2FrameOrderTests: XCTestCase {
    func testSequenceNumbersStartAtZero() {
        var order = V4L2FrameOrder()
        XCTAssertEqual(order.place(driverSequence: 7, nanoseconds: 100, arrival: 110).sequenceNumber, 0)
        XCTAssertEqual(order.place(driverSequence: 8, nanoseconds: 200, arrival: 210).sequenceNumber, 1)
    }

    func testAGapReportsEachLostFrameWithAnInterpolatedTime() {
        var order = V4L2FrameOrder()
        _ = order.place(driverSequence: 0, nanoseconds: 1000, arrival: 1000)
        let placed = order.place(driverSequence: 3, nanoseconds: 4000, arrival: 4000)
        XCTAssertEqual(
            placed,
            .init(
                lost: [
                    .init(sequenceNumber: 1, nanoseconds: 2000), .init(sequenceNumber: 2, nanoseconds: 3000),
                ], lostCount: 2, sequenceNumber: 3, nanoseconds: 4000))
    }

    func testTheDriversNumberWraps() {
        var order = V4L2FrameOrder()
        _ = order.place(driverSequence: .max, nanoseconds: 1, arrival: 1)
        let placed = order.place(driverSequence: 1, nanoseconds: 2, arrival: 2)
        XCTAssertEqual(placed.lostCount, 1)
        XCTAssertEqual(placed.sequenceNumber, 2)
    }

    func testWithoutSequenceNumbersNoFrameIsLost() {
        var order = V4L2FrameOrder()
        let numbers = (0..<5).map { index in
            order.place(driverSequence: 0, nanoseconds: Int64(index) * 10, arrival: Int64(index) * 10).sequenceNumber
        }
        XCTAssertEqual(numbers, [0, 1, 2, 3, 4])
    }

    func testABackwardJumpOfTheNumberIsARestart() {
        var order = V4L2FrameOrder()
        _ = order.place(driverSequence: 500, nanoseconds: 1, arrival: 1)
        let placed = order.place(driverSequence: 2, nanoseconds: 2, arrival: 2)
        XCTAssertEqual(placed.lostCount, 0)
        XCTAssertEqual(placed.sequenceNumber, 1)
    }

    func testALargeLossIsAGapOfTheSequenceNumbers() {
        var order = V4L2FrameOrder()
        _ = order.place(driverSequence: 0, nanoseconds: 0, arrival: 0)
        let placed = order.place(driverSequence: 1001, nanoseconds: 1_000_000, arrival: 1_000_000)
        XCTAssertEqual(placed.lostCount, 1000)
        XCTAssertEqual(placed.lost.count, 64)
        XCTAssertEqual(placed.sequenceNumber, 1001)
    }

    func testTimestampsAlwaysIncrease() {
        var order = V4L2FrameOrder()
        XCTAssertEqual(order.place(driverSequence: 0, nanoseconds: 1000, arrival: 1500).nanoseconds, 1000)
        XCTAssertEqual(order.place(driverSequence: 1, nanoseconds: 900, arrival: 1600).nanoseconds, 1600)
        XCTAssertEqual(order.place(driverSequence: 2, nanoseconds: 1600, arrival: 1600).nanoseconds, 1601)
        XCTAssertEqual(order.place(driverSequence: 3, nanoseconds: nil, arrival: 1700).nanoseconds, 1700)
    }

    func testAnImplausibleTimestampIsReplaced() {
        var order = V4L2FrameOrder()
        let arrival: Int64 = 100_000_000_000
        XCTAssertEqual(order.place(driverSequence: 0, nanoseconds: 1, arrival: arrival).nanoseconds, arrival)
        XCTAssertEqual(
            order.place(driverSequence: 1, nanoseconds: arrival * 2, arrival: arrival + 10).nanoseconds, arrival + 10)
    }
}
