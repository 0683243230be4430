import MediaTypes
import XCTest

final class CGColorSpaceTests: XCTestCase {
    func testColorSpacesHaveModels() {
        XCTAssertEqual(CGColorSpaceCreateDeviceRGB().model, .rgb)
        XCTAssertEqual(CGColorSpaceCreateDeviceRGB().numberOfComponents, 3)
        XCTAssertEqual(CGColorSpaceCreateDeviceGray().numberOfComponents, 1)
        XCTAssertEqual(CGColorSpace(name: CGColorSpace.displayP3)?.model, .rgb)
        XCTAssertNil(CGColorSpace(name: "unknown"))
    }

    func testAColorHasTheComponentsOfItsSpace() {
        let gray = CGColor(colorSpace: CGColorSpaceCreateDeviceGray(), components: [0.5, 0.25])
        XCTAssertEqual(gray, CGColor(gray: 0.5, alpha: 0.25))
        XCTAssertEqual(gray?.colorSpace?.model, .monochrome)
        let color = CGColor(colorSpace: CGColorSpaceCreateDeviceRGB(), components: [1, 0.5, 0, 1])
        XCTAssertEqual(color, CGColor(red: 1, green: 0.5, blue: 0, alpha: 1))
        XCTAssertEqual(color?.colorSpace?.name, CGColorSpace.sRGB)
    }
}
