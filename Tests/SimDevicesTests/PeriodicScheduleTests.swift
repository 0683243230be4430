import XCTest

@testable import SimDevices

final class PeriodicScheduleTests: XCTestCase {
    func testTimesDoNotDrift() {
        let ntsc = PeriodicSchedule(first: 7, firstIndex: 0, value: 1001, timescale: 30000)
        XCTAssertEqual(ntsc.time(of: 0), 7)
        XCTAssertEqual(ntsc.time(of: 1), 7 + 33_366_667)
        // 30,000 × 86,400 frames last exactly 1001 × 86,400 s.
        XCTAssertEqual(ntsc.time(of: 30000 * 86400), 7 + 1001 * 86400 * 1_000_000_000)
        XCTAssertEqual(ntsc.lastIndex(atOrBefore: ntsc.time(of: 100_000), from: 3), 100_000)
        XCTAssertEqual(ntsc.lastIndex(atOrBefore: ntsc.time(of: 100_000) - 1, from: 3), 99_999)
        XCTAssertEqual(ntsc.lastIndex(atOrBefore: 0, from: 3), 3)
    }
}
