import Foundation
import MediaTypes
import XCTest

final class RepeatableMathTests: XCTestCase {
    func testTheFunctionsMatchFoundation() {
        var x = -20.0
        while x < 20 {
            XCTAssertEqual(RepeatableMath.exp2(x) / Foundation.exp2(x), 1, accuracy: 1e-12)
            XCTAssertEqual(RepeatableMath.log2(Foundation.exp2(x)), x, accuracy: 1e-11)
            if abs(x) <= 3.2 { XCTAssertEqual(RepeatableMath.cos(x), Foundation.cos(x), accuracy: 1e-12) }
            x += 0.37
        }
    }

    func testOutOfRangeArgumentsHaveFiniteResults() {
        XCTAssertEqual(RepeatableMath.log2(0), -1024)
        XCTAssertEqual(RepeatableMath.log2(-1), -1024)
        XCTAssertEqual(RepeatableMath.log2(.infinity), 1024)
        XCTAssertTrue(RepeatableMath.exp2(1e9).isFinite)
        XCTAssertEqual(RepeatableMath.exp2(-1e9), RepeatableMath.exp2(-1000))
    }
}
