import Foundation
import MediaTypes
import XCTest

@testable import MediaAssets

final class MatteTests: XCTestCase {
    /// A matte of 3x2 pixels with the values 0 to 5.
    private func dictionary() -> [AnyHashable: Any] {
        [
            kCGImageAuxiliaryDataInfoData: Data([0, 1, 2, 3, 4, 5]),
            kCGImageAuxiliaryDataInfoDataDescription: ["Width": 3, "Height": 2, "BytesPerRow": 3],
        ]
    }

    private func values(_ dictionary: [AnyHashable: Any]?) -> [UInt8] {
        Array(dictionary?[kCGImageAuxiliaryDataInfoData] as? Data ?? Data())
    }

    func testAMatteIsReadRotatedAndWritten() throws {
        let matte = try AVPortraitEffectsMatte(fromDictionaryRepresentation: dictionary())
        XCTAssertEqual(matte.pixelFormatType, kCVPixelFormatType_OneComponent8)
        var type: NSString?
        XCTAssertEqual(values(matte.dictionaryRepresentation(forAuxiliaryDataType: &type)), [0, 1, 2, 3, 4, 5])
        XCTAssertEqual(type?.description, kCGImageAuxiliaryDataTypePortraitEffectsMatte)
        let expected: [CGImagePropertyOrientation: [UInt8]] = [
            .up: [0, 1, 2, 3, 4, 5], .down: [5, 4, 3, 2, 1, 0], .right: [3, 0, 4, 1, 5, 2], .left: [2, 5, 1, 4, 0, 3],
            .upMirrored: [2, 1, 0, 5, 4, 3],
        ]
        for (orientation, pixels) in expected {
            let rotated = matte.applyingExifOrientation(orientation)
            XCTAssertEqual(
                values(rotated.dictionaryRepresentation(forAuxiliaryDataType: nil)), pixels, "\(orientation)")
        }
    }

    func testASegmentationMatteKeepsItsType() throws {
        let type = kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte
        let matte = try AVSemanticSegmentationMatte(
            fromImageSourceAuxiliaryDataType: type, dictionaryRepresentation: dictionary())
        XCTAssertEqual(matte.matteType, .hair)
        var written: NSString?
        _ = matte.applyingExifOrientation(.left).dictionaryRepresentation(forAuxiliaryDataType: &written)
        XCTAssertEqual(written?.description, type)
        XCTAssertThrowsError(
            try AVSemanticSegmentationMatte(
                fromImageSourceAuxiliaryDataType: "x", dictionaryRepresentation: dictionary()))
        let colors = try XCTUnwrap(CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA))
        XCTAssertThrowsError(try matte.replacingSemanticSegmentationMatte(with: colors))
    }

    func testAnIncompleteMatteIsRejected() throws {
        var short = dictionary()
        short[kCGImageAuxiliaryDataInfoData] = Data([0, 1, 2, 3, 4])
        for wrong in [[:], short] {
            XCTAssertThrowsError(try AVPortraitEffectsMatte(fromDictionaryRepresentation: wrong)) { error in
                XCTAssertEqual((error as? AVError)?.code, .malformedDepth)
            }
        }
    }
}
