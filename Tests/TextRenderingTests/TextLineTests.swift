import XCTest

@testable import TextRendering

final class TextLineTests: XCTestCase {
    func testAWidthIsTheSumOfTheAdvancesAndKerning() {
        // In DejaVu Sans, H is 1540 units wide and 1493 high.
        XCTAssertEqual(TextLine("H").width, 1540.0 / 1493, accuracy: 1e-9)
        XCTAssertEqual(TextLine("HH").width, 2 * 1540.0 / 1493, accuracy: 1e-9)
        XCTAssertLessThan(TextLine("AV").width, TextLine("A").width + TextLine("V").width - 0.05)
        XCTAssertEqual(TextLine("").width, 0)
    }

    func testEachPixelHasItsCoveredArea() {
        // I is a rectangle of 202 by 1493 units.
        let mask = TextLine("I").mask(height: 20, x: 3.3, y: 30.4)
        let area = mask.coverage.reduce(0) { $0 + Double($1) / 255 }
        XCTAssertEqual(area, 20 * 20 * 202 / 1493, accuracy: 0.2)
        XCTAssertEqual([mask.top, mask.top + mask.height], [10, 31])
        // The first row is covered to 60 %, the last one to 40 %.
        let middle = mask.width / 2
        XCTAssertEqual(Double(mask.coverage[middle]) / 255, 0.6, accuracy: 0.01)
        XCTAssertEqual(Double(mask.coverage[(mask.height - 1) * mask.width + middle]) / 255, 0.4, accuracy: 0.01)
    }

    func testTheInsideOfALetterIsNotCovered() {
        let mask = TextLine("O").mask(height: 30, x: 0, y: 30)
        XCTAssertEqual(mask.coverage[mask.height / 2 * mask.width + mask.width / 2], 0)
        XCTAssertTrue(mask.coverage.contains(255))
    }

    func testAnUnknownCharacterIsABoxAndASpaceIsEmpty() {
        XCTAssertTrue(TextLine("\u{4e2d}").mask(height: 20, x: 0, y: 20).coverage.contains { $0 > 100 })
        let space = TextLine(" ")
        XCTAssertGreaterThan(space.width, 0.2)
        XCTAssertEqual(space.mask(height: 10, x: 0, y: 10).coverage, [])
    }

    func testMasksHaveTheSameBytesOnAllMachines() {
        let text = "Sphinx of black quartz, judge my vow: 0123456789 ÄÖÜß é ñ"
        for (size, expected) in [(8.0, 1_423_024_670_269_918_578 as UInt64), (57.25, 16_073_507_608_047_219_488)] {
            // FNV-1a.
            let hash = TextLine(text).mask(height: size, x: 0.37, y: 80.21).coverage
                .reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            XCTAssertEqual(hash, expected, "at \(size) pixels")
        }
    }
}
