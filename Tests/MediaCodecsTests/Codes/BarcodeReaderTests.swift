import XCTest

@testable import MediaCodecs

final class BarcodeReaderTests: XCTestCase {
    /// Returns an image of bars on white, three pixels per module.
    private func image(of bars: String, width: Int = 400, height: Int = 120) -> [UInt8] {
        var gray = [UInt8](repeating: 255, count: width * height)
        for (module, bar) in bars.enumerated() where bar == "1" {
            for row in 20..<height - 20 {
                for column in 0..<3 { gray[row * width + 50 + module * 3 + column] = 0 }
            }
        }
        return gray
    }

    func testABarcodeIsReadWithItsPosition() throws {
        let reader = try XCTUnwrap(BarcodeReader())
        let code = EAN13("4012345678901")
        let found = reader.read(image(of: code.bars), width: 400, height: 120)
        XCTAssertEqual(found.map(\.kind), [.ean13])
        XCTAssertEqual(found.first?.text, "4012345678901")
        let corners = try XCTUnwrap(found.first?.corners)
        XCTAssertEqual(corners.count, 4)
        XCTAssertEqual(corners[0].x, 50, accuracy: 4)
        XCTAssertEqual(corners[2].x, 50 + 95 * 3, accuracy: 4)
        XCTAssertGreaterThanOrEqual(corners[0].y, 19)
        XCTAssertLessThanOrEqual(corners[2].y, 101)
        XCTAssertEqual(reader.read(image(of: code.bars), width: 400, height: 120), found, "the second result differs")
    }

    func testAnImageWithoutCodesHasNoResults() throws {
        let reader = try XCTUnwrap(BarcodeReader())
        XCTAssertEqual(reader.read([UInt8](repeating: 128, count: 64 * 64), width: 64, height: 64), [])
        XCTAssertEqual(reader.read([], width: 0, height: 0), [])
        XCTAssertEqual(reader.read([0], width: 1, height: 1), [])
    }
}

/// The modules of an EAN-13 code (ISO/IEC 15420, 4.3).
private struct EAN13 {
    let bars: String

    private static let odd = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    private static let parities = [
        "OOOOOO", "OOEOEE", "OOEEOE", "OOEEEO", "OEOOEE", "OEEOOE", "OEEEOO", "OEOEOE", "OEOEEO", "OEEOEO",
    ]

    init(_ digits: String) {
        let numbers = digits.compactMap(\.wholeNumberValue)
        var bars = "101"
        for (number, parity) in zip(numbers[1...6], Self.parities[numbers[0]]) {
            let odd = Self.odd[number]
            bars += parity == "O" ? odd : String(Self.inverted(odd).reversed())
        }
        bars += "01010"
        for number in numbers[7...12] { bars += Self.inverted(Self.odd[number]) }
        self.bars = bars + "101"
    }

    private static func inverted(_ modules: String) -> String { String(modules.map { $0 == "0" ? "1" : "0" }) }
}
