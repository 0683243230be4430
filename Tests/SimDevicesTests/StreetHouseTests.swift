import XCTest

@testable import SimDevices

final class StreetHouseTests: XCTestCase {
    func testShopNamesHaveTheirNumberOfLetters() {
        for letters in 5...9 {
            let names = (0..<UInt64(4)).map { StreetHouse.shopName(letterCount: letters, choice: $0) }
            XCTAssertEqual(Set(names).count, 4)
            for name in names {
                XCTAssertEqual(name.count, letters, name)
            }
        }
    }
}
