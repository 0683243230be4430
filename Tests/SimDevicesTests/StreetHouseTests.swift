import XCTest

@testable import SimDevices

final class StreetHouseTests: XCTestCase {
    func testShopNamesHaveTheirNumberOfLettersAndCanBeWritten() {
        for letters in 5...9 {
            let names = (0..<UInt64(4)).map { StreetHouse.shopName(letters: letters, look: $0) }
            XCTAssertEqual(Set(names).count, 4)
            for name in names {
                XCTAssertEqual(name.count, letters, name)
                for letter in name where letter != " " {
                    let canvas = SceneCanvas(width: 40, height: 40, scale: 20, originX: 10, originY: 30)
                    canvas.write(String(letter), x: 0, y: 0, height: 1, SceneCanvas.Color(0xffffff))
                    let coverage = UnsafeBufferPointer(start: canvas.raw.coverage, count: canvas.width * canvas.height)
                    XCTAssertTrue(coverage.contains { $0 > 0 }, "\(letter) is blank")
                }
            }
        }
    }
}
