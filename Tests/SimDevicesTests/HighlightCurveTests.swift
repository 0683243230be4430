import XCTest

@testable import SimDevices

final class HighlightCurveTests: XCTestCase {
    func testTheCodeOfWhiteDependsOnTheHeadroom() {
        XCTAssertEqual(HighlightCurve.whiteCode(headroom: 4), 216)
        for headroom in [1.5, 2, 4, 8, 16] {
            let code = HighlightCurve.whiteCode(headroom: headroom)
            let lights = HighlightCurve.binLights(headroom: headroom)
            // A bin of the luma histogram has four codes, and its light is that of their middle. The bin with the code
            // of white can be below or at white, so its neighbors are checked.
            XCTAssertEqual(lights[min(code / 4 + 1, 63)], 1, "headroom \(headroom)")
            XCTAssertLessThan(lights[code / 4 - 1], 1, "headroom \(headroom)")
        }
    }
}
