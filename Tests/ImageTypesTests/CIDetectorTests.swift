import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import ImageTypes

final class CIDetectorTests: XCTestCase {
    private func fixtureImage(_ name: String) throws -> CIImage {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fixtures/Media/\(name)").standardizedFileURL
        return try XCTUnwrap(CIImage(data: try Data(contentsOf: url)))
    }

    func testAQRCodeInAnImageIsReadWithItsCorners() throws {
        let detector = try XCTUnwrap(
            CIDetector(
                ofType: CIDetectorTypeQRCode, context: nil, options: [CIDetectorAccuracy: CIDetectorAccuracyHigh]))
        let image = try fixtureImage("qr-code.png")
        let features = detector.features(in: image)
        XCTAssertEqual(features.count, 1)
        let code = try XCTUnwrap(features.first as? CIQRCodeFeature)
        XCTAssertEqual(code.messageString, "https://example.org/obscura")
        XCTAssertEqual(code.type, CIFeatureTypeQRCode)
        // The code covers columns 60 ..< 185 and rows 40 ..< 165 of 320x240 pixels. The y axis of features points up.
        XCTAssertEqual(code.topLeft.x, 60, accuracy: 4)
        XCTAssertEqual(code.topLeft.y, 200, accuracy: 4)
        XCTAssertEqual(code.bottomRight.x, 185, accuracy: 4)
        XCTAssertEqual(code.bottomRight.y, 75, accuracy: 4)
        XCTAssertEqual(code.bounds.midX, 122.5, accuracy: 4)
        XCTAssertEqual(code.bounds.midY, 137.5, accuracy: 4)
        let croppedImage = image.cropped(to: CGRect(x: 40, y: 60, width: 200, height: 160))
        let featureInCrop = try XCTUnwrap(detector.features(in: croppedImage).first)
        XCTAssertEqual(featureInCrop.bounds.midX, 122.5, accuracy: 4)
        XCTAssertEqual(featureInCrop.bounds.midY, 137.5, accuracy: 4)
    }

    func testOptionsLimitTheFeatures() throws {
        let image = try fixtureImage("qr-code.png")
        let none = CIDetector(ofType: CIDetectorTypeQRCode, context: nil, options: [CIDetectorMaxFeatureCount: 0])
        XCTAssertEqual(none?.features(in: image).count, 0)
        let large = CIDetector(ofType: CIDetectorTypeQRCode, context: nil, options: [CIDetectorMinFeatureSize: 0.9])
        XCTAssertEqual(large?.features(in: image).count, 0)
        let small = CIDetector(ofType: CIDetectorTypeQRCode, context: nil, options: [CIDetectorMinFeatureSize: 0.2])
        XCTAssertEqual(small?.features(in: image).count, 1)
    }

    func testUnavailableTypesHaveNoDetector() {
        XCTAssertNil(CIDetector(ofType: CIDetectorTypeRectangle, context: nil))
        XCTAssertNil(CIDetector(ofType: CIDetectorTypeText, context: nil))
        XCTAssertEqual(
            CIDetector(ofType: CIDetectorTypeFace, context: nil) != nil, FaceDetector.unavailabilityReason == nil)
    }

    func testARealFaceIsFoundInAnyOrientation() throws {
        if let reason = FaceDetector.unavailabilityReason {
            throw XCTSkip("\(reason): run Sources/Detectors/build, and set OBSCURA_DETECTORS to its folder")
        }
        let detector = try XCTUnwrap(CIDetector(ofType: CIDetectorTypeFace, context: nil))
        let upright = try fixtureImage("face.jpg")
        // The y axis points up.
        let pointBetweenTheEyes = CGPoint(x: 223, y: 512 - 130)
        let features = detector.features(in: upright)
        XCTAssertEqual(features.count, 1)
        XCTAssertTrue(try XCTUnwrap(features.first).bounds.contains(pointBetweenTheEyes))
        // Stored so that it is upright after a rotation by 90 degrees clockwise.
        let stored = upright.oriented(.left)
        XCTAssertEqual(detector.features(in: stored).count, 0)
        let rotated = detector.features(
            in: stored, options: [CIDetectorImageOrientation: CGImagePropertyOrientation.right.rawValue])
        // Rotated counterclockwise: x is the distance from the top of the upright image, and y that from its left.
        XCTAssertTrue(try XCTUnwrap(rotated.first).bounds.contains(CGPoint(x: 130, y: 223)))
    }
}
