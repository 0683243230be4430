import Foundation
import FoundationAdditions
import XCTest

final class CGFloatNSNumberTests: XCTestCase {
    func testFloatsAreCreatedFromNumbers() {
        XCTAssertEqual(CGFloat(truncating: NSNumber(value: 2.5)), 2.5)
        XCTAssertEqual(CGFloat(exactly: NSNumber(value: 3)), 3)
        XCTAssertNil(CGFloat(exactly: NSNumber(value: Int64.max)))
    }
}
