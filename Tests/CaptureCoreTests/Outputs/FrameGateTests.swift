import MediaTypes
import XCTest

@testable import CaptureCore

final class FrameGateTests: XCTestCase {
    private let frame = CMTime(value: 1, timescale: 30)

    private func admitted(_ times: [Int64], every interval: CMTime) -> [Int64] {
        var gate = FrameGate()
        return times.filter { gate.admits(CMTime(value: $0, timescale: 3000), duration: frame, interval: interval) }
    }

    func testAllComeWithoutALimit() {
        XCTAssertEqual(admitted([0, 1, 2], every: .invalid), [0, 1, 2])
        XCTAssertEqual(admitted([0, 1, 2], every: .zero), [0, 1, 2])
    }

    func testThePaceIsKeptOverJitter() {
        // Frames come every 100 ticks, up to 20 early or late; every second one is wanted.
        let times: [Int64] = (0..<40).map { 100 * $0 + [0, 15, -20, 10][Int($0 % 4)] }
        let found = admitted(times, every: CMTime(value: 200, timescale: 3000))
        XCTAssertEqual(found.count, 20)
        XCTAssertTrue(zip(found, found.dropFirst()).allSatisfy { (150...250).contains($1 - $0) }, "\(found)")
    }

    func testARateBetweenIsMetOnAverage() {
        let found = admitted((0..<300).map { 100 * $0 }, every: CMTime(value: 1, timescale: 20))
        XCTAssertEqual(found.count, 200)
    }

    func testAfterAGapThePaceBeginsAnew() {
        let found = admitted([0, 100, 200, 5000, 5100, 5200, 5300], every: CMTime(value: 300, timescale: 3000))
        XCTAssertEqual(found, [0, 5000, 5300])
    }

    func testAJumpBackDoesNotShutTheGate() {
        let found = admitted([9000, 0, 100, 300], every: CMTime(value: 300, timescale: 3000))
        XCTAssertEqual(found, [9000, 0, 300])
    }
}
