import XCTest

@testable import Capture

final class DeliveryQueueTests: XCTestCase {
    /// A decision as a word.
    private func word(_ decision: DeliveryState<Int>.Decision) -> String {
        switch decision {
        case .deliver(let item): "deliver \(item)"
        case .wait: "wait"
        case .drop(let item): "drop \(item)"
        }
    }

    func testAnItemIsDeliveredWhenTheClientIsFree() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(word(state.decide(1, discardsLate: true)), "deliver 1")
        XCTAssertEqual(word(state.decide(2, discardsLate: true)), "drop 2")
        XCTAssertNil(state.finish())
        XCTAssertEqual(word(state.decide(3, discardsLate: true)), "deliver 3")
    }

    func testKeptItemsComeInOrder() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(word(state.decide(1, discardsLate: false)), "deliver 1")
        XCTAssertEqual(word(state.decide(2, discardsLate: false)), "wait")
        XCTAssertEqual(word(state.decide(3, discardsLate: false)), "wait")
        XCTAssertEqual(state.finish(), 2)
        XCTAssertEqual(word(state.decide(4, discardsLate: true)), "drop 4")
        XCTAssertEqual(state.finish(), 3)
        XCTAssertNil(state.finish())
    }
}
