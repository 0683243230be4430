import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class MatteTests: XCTestCase {
    private func dictionary(_ bytes: [UInt8], width: Int, bytesPerRow: Int) -> [AnyHashable: Any] {
        let description: [String: Any] = [
            "Width": width, "Height": 2, "BytesPerRow": bytesPerRow,
            "PixelFormat": Int(kCVPixelFormatType_OneComponent8),
        ]
        return [
            kCGImageAuxiliaryDataInfoData: Data(bytes), kCGImageAuxiliaryDataInfoDataDescription: description,
        ]
    }

    private func bytes(_ dictionary: [AnyHashable: Any]?) -> [UInt8]? {
        (dictionary?[kCGImageAuxiliaryDataInfoData] as? Data).map(Array.init)
    }

    func testAPortraitMatteIsReadRotatedAndWritten() throws {
        let matte = try AVPortraitEffectsMatte(
            fromDictionaryRepresentation: dictionary([0, 50, 255, 9, 100, 150, 200, 9], width: 3, bytesPerRow: 4))
        XCTAssertEqual(matte.pixelFormatType, kCVPixelFormatType_OneComponent8)
        let rotated = matte.applyingExifOrientation(.right)
        XCTAssertEqual(CVPixelBufferGetWidth(rotated.mattingImage), 2)
        var type: NSString?
        XCTAssertEqual(
            bytes(rotated.dictionaryRepresentation(forAuxiliaryDataType: &type)), [100, 0, 150, 50, 200, 255])
        XCTAssertEqual(type, "kCGImageAuxiliaryDataTypePortraitEffectsMatte")
        XCTAssertTrue(
            try matte.replacingPortraitEffectsMatte(with: rotated.mattingImage).mattingImage === rotated.mattingImage)
    }

    func testASegmentationMatteHasTheTypeOfItsData() throws {
        let source = dictionary([1, 2, 3, 4], width: 2, bytesPerRow: 2)
        let matte = try AVSemanticSegmentationMatte(
            fromImageSourceAuxiliaryDataType: kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte,
            dictionaryRepresentation: source)
        XCTAssertEqual(matte.matteType, .hair)
        var type: NSString?
        let mirrored = matte.applyingExifOrientation(.upMirrored)
        XCTAssertEqual(bytes(mirrored.dictionaryRepresentation(forAuxiliaryDataType: &type)), [2, 1, 4, 3])
        XCTAssertEqual(type, "kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte")
        XCTAssertThrowsError(
            try AVSemanticSegmentationMatte(
                fromImageSourceAuxiliaryDataType: kCGImageAuxiliaryDataTypeDepth, dictionaryRepresentation: source))
    }

    func testDamagedMattesAreRejected() throws {
        let bgra = try XCTUnwrap(CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA))
        let matte = try AVPortraitEffectsMatte(
            fromDictionaryRepresentation: dictionary([1, 2, 3, 4], width: 2, bytesPerRow: 2))
        XCTAssertThrowsError(try matte.replacingPortraitEffectsMatte(with: bgra)) {
            XCTAssertEqual(($0 as? AVError)?.code, .malformedDepth)
        }
        for damaged in [
            [:], dictionary([1, 2, 3], width: 2, bytesPerRow: 2), dictionary([1, 2, 3, 4], width: 2, bytesPerRow: 1),
            dictionary([1, 2, 3, 4], width: 2, bytesPerRow: .max),
        ] {
            XCTAssertThrowsError(try AVPortraitEffectsMatte(fromDictionaryRepresentation: damaged)) {
                XCTAssertEqual(($0 as? AVError)?.code, .malformedDepth)
            }
        }
    }
}
