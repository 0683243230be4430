import XCTest

@testable import MediaTypes

final class CMClockTests: XCTestCase {
    private func clock(_ label: String, at seconds: Int64) -> CMClock {
        CMClock(label: label) { CMTime(value: seconds, timescale: 1) }
    }

    func testTheMonotonicClockAdvancesInNanoseconds() {
        let first = CMClockGetTime(.monotonic)
        XCTAssertEqual(first.timescale, 1_000_000_000)
        XCTAssertLessThanOrEqual(first, CMClock.monotonic.time)
    }

    func testTheResolverSetsTheHostTimeClock() {
        let resolvedClock = clock("mine", at: 7)
        CMClock.setHostTimeClockResolver { resolvedClock }
        defer { CMClock.setHostTimeClockResolver { nil } }
        XCTAssertTrue(CMClockGetHostTimeClock() === resolvedClock)
        XCTAssertEqual(CMClock.hostTimeClock.time, CMTime(value: 7, timescale: 1))
        CMClock.setHostTimeClockResolver { nil }
        XCTAssertTrue(CMClock.hostTimeClock === CMClock.monotonic)
    }

    func testConversionAddsTheDifferenceOfTheClocks() {
        let (a, b) = (clock("a", at: 10), clock("b", at: 110))
        let time = CMTime(value: 1, timescale: 30)
        XCTAssertEqual(CMSyncConvertTime(time, from: a, to: b), CMTime(value: 3001, timescale: 30))
        XCTAssertEqual(a.convertTime(time, to: a), time)
        XCTAssertTrue(CMSyncMightDrift(a, b))
        XCTAssertFalse(a.mightDrift(relativeTo: a))
    }
}
