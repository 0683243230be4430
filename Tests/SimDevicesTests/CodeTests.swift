import XCTest

@testable import SimDevices

/// Compares the encoders of QR codes and linear barcodes with the examples of their standards and with an independent
/// reader.
final class CodeTests: XCTestCase {
    func testErrorCorrectionMatchesTheStandardsExample() {
        // ISO/IEC 18004:2015, annex I: "01234567" as version 1-M.
        let data: [UInt8] = [
            0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11,
        ]
        XCTAssertEqual(
            ReedSolomon.correction(of: data, count: 10),
            [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55])
    }

    func testFormatInformationMatchesTheStandardsExample() throws {
        // Annex C: level M with mask 101 is 100000011001110.
        let code = try QRCode("format", level: .m, mask: 5)
        let beside = [0, 1, 2, 3, 4, 5, 7].map { code.modules[8][$0] } + [code.modules[8][8]]
        let above = [7, 5, 4, 3, 2, 1, 0].map { code.modules[$0][8] }
        XCTAssertEqual((beside + above).map { $0 ? "1" : "0" }.joined(), "100000011001110")
    }

    func testEveryVersionLevelAndMaskIsReadable() throws {
        var images: [ZBar.GrayImage] = []
        var texts: [String] = []
        for level in QRCode.Level.allCases {
            for version in QRCode.versions {
                // The maximum number of bytes.
                let byteCapacity = QRCode.dataCount(version, level) - (version < 10 ? 2 : 3)
                let text = String(
                    (0..<byteCapacity).map { Character(UnicodeScalar(UInt8(97 + ($0 * 7 + version) % 26))) })
                for mask in 0..<8 {
                    let code = try QRCode(text, level: level, mask: mask)
                    XCTAssertEqual(code.version, version)
                    images.append(ZBar.GrayImage(code.symbol, module: 4))
                    texts.append("QR-Code:\(text)")
                }
            }
        }
        for (found, text) in zip(try ZBar.read(images), texts) { XCTAssertEqual(found, [text]) }
    }

    func testTheMaskWithTheLowestPenaltyIsUsed() throws {
        for text in ["OBSCURA", "https://example.org/a-longer-address", "0000000000000000000000000000000000"] {
            let penalties = try (0..<8).map { QRPenalty.of(try QRCode(text, mask: $0).modules) }
            let code = try QRCode(text)
            XCTAssertEqual(code.mask, penalties.firstIndex(of: penalties.min() ?? 0))
        }
        // Calculated by hand: 8 rows and 8 columns of eight light modules (3 + 3 points each), 49 blocks of 2x2 modules
        // (3 points each), and 100 points for the proportion of dark modules.
        var light = [[Bool]](repeating: [Bool](repeating: false, count: 8), count: 8)
        XCTAssertEqual(QRPenalty.of(light), 16 * 6 + 49 * 3 + 100)
        light[0] = [true, false, true, true, true, false, true, false]
        XCTAssertGreaterThan(QRPenalty.of(light), 40)
    }

    func testNonASCIITextIsReadable() throws {
        let text = "Käse 3 € 日本"
        let image = ZBar.GrayImage(try QRCode(text, level: .q).symbol, module: 4)
        XCTAssertEqual(try ZBar.readText(image), text + "\n")
    }

    func testTheMaximumByteCountOfNonASCIITextIsReported() throws {
        let longest = String(repeating: "é", count: 106)
        XCTAssertEqual(try QRCode(longest).version, 10)
        XCTAssertThrowsError(try QRCode(longest + "é")) { error in
            XCTAssertEqual((error as? CodeError)?.remedy, "write at most 212")
        }
    }

    func testLinearCodesAreReadable() throws {
        var images: [ZBar.GrayImage] = []
        var texts: [String] = []
        // One for each first digit, and for each kind of zero suppression.
        for first in 0..<10 {
            let digits = "\(first)01234567890"
            let symbol = try RetailCode.ean13(digits)
            images.append(ZBar.GrayImage(symbol, module: 2))
            texts.append("EAN-13:\(symbol.caption)")
            let suppressed = try RetailCode.upcE("12345\(first)")
            images.append(ZBar.GrayImage(suppressed, module: 2))
            texts.append("UPC-E:\(suppressed.caption)")
        }
        for text in [
            "A", "Obscura", "12", "123", "1234", "12345", "123456", "AB12345678CD", "ab123456", "A1B2C3D4E5",
            "123456abc7890", "tab\there", "~!@#%^&*()_+", "(01)04012345678901",
        ] {
            images.append(ZBar.GrayImage(try Code128.symbol(text), module: 2))
            texts.append("CODE-128:\(text)")
        }
        for (found, text) in zip(try ZBar.read(images), texts) { XCTAssertEqual(found, [text]) }
    }

    func testPairsOfDigitsShortenACode128() throws {
        // Start, four pairs, check: 11 modules each; the stop character has 13.
        XCTAssertEqual(try Code128.symbol("12345678").columnCount, 6 * 11 + 13)
        XCTAssertEqual(try Code128.symbol("abcdefgh").columnCount, 10 * 11 + 13)
    }

    func testInvalidTextsAreRejected() {
        func problem(_ body: () throws -> CodeSymbol) -> String {
            do {
                _ = try body()
                return ""
            } catch {
                return (error as? CodeError).map { "\($0.problem); \($0.remedy)" } ?? "\(error)"
            }
        }
        XCTAssertEqual(
            problem { try RetailCode.ean13("4012345678902") },
            "the check digit of \"4012345678902\" is 1, not 2; end it with 1")
        XCTAssertEqual(
            problem { try RetailCode.ean13("40123") },
            "\"40123\" has 5 digits; an EAN-13 has 13, of which the last is optional")
        XCTAssertEqual(
            problem { try RetailCode.ean13("4x") }, "\"4x\" contains characters other than digits; use 0 to 9 only")
        XCTAssertEqual(
            problem { try RetailCode.upcE("1123456") }, "\"1123456\" begins with 1; a UPC-E's number system is 0")
        XCTAssertEqual(
            problem { try RetailCode.upcE("01234560") },
            "the check digit of \"01234560\" is 5, not 0; end it with 5")
        XCTAssertEqual(
            problem { try Code128.symbol("é") }, "\"é\" is not plain ASCII; a QR code takes any text")
        XCTAssertEqual(
            problem { try QRCode(String(repeating: "x", count: 300), level: .m).symbol },
            "300 bytes do not fit into a QR code of level M; write at most 213")
        XCTAssertEqual(problem { try QRCode("").symbol }, "the text is empty; write some text")
    }
}
