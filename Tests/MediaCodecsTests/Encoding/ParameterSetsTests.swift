import Foundation
import XCTest

@testable import MediaCodecs

final class ParameterSetsTests: XCTestCase {
    private func units(_ bytes: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        bytes.withUnsafeBytes { ByteStream.forEachUnit(in: $0) { units.append(Array($0)) } }
        return units
    }

    func testUnitsAreFoundAfterStartCodesOfBothLengths() {
        XCTAssertEqual(units([0, 0, 0, 1, 5, 6, 0, 0, 1, 7]), [[5, 6], [7]])
        XCTAssertEqual(units([0, 0, 1, 5, 1, 0, 1, 0, 0, 0, 1, 9, 0, 0]), [[5, 1, 0, 1], [9]])
        XCTAssertEqual(units([]), [])
        XCTAssertEqual(units([0, 0]), [])
        XCTAssertEqual(units([0, 0, 1]), [])
        XCTAssertEqual(units([1, 2, 3]), [])
    }

    func testMissingParameterSetsAreAnError() {
        XCTAssertThrowsError(try ParameterSets([]).avcConfiguration())
        XCTAssertThrowsError(try ParameterSets([0, 0, 1, 0x67, 66]).avcConfiguration())
        XCTAssertThrowsError(try ParameterSets([]).hevcConfiguration(bitsPerComponent: 8))
        XCTAssertThrowsError(
            try ParameterSets([0, 0, 1, 64, 1, 0, 0, 1, 66, 1, 1, 0, 0, 1, 68, 1]).hevcConfiguration(
                bitsPerComponent: 8))
    }
}
