import XCTest

@testable import Capture

final class DeliveryQueueTests: XCTestCase {
    func testAnItemIsDeliveredWhenTheClientIsFree() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(state.decide(1, discardsLate: true), .deliver)
        XCTAssertEqual(state.decide(2, discardsLate: true), .drop)
        XCTAssertNil(state.finish())
        XCTAssertEqual(state.decide(3, discardsLate: true), .deliver)
    }

    func testKeptItemsComeInOrder() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(state.decide(1, discardsLate: false), .deliver)
        XCTAssertEqual(state.decide(2, discardsLate: false), .wait)
        XCTAssertEqual(state.decide(3, discardsLate: false), .wait)
        XCTAssertEqual(state.finish(), 2)
        XCTAssertEqual(state.decide(4, discardsLate: true), .drop)
        XCTAssertEqual(state.finish(), 3)
        XCTAssertNil(state.finish())
    }
}
