import Foundation
import MediaTypes
import XCTest

@testable import ImageIO

final class ImageIOTests: XCTestCase {
    private let properties: CFDictionary = [
        kCGImagePropertyOrientation: 6, kCGImagePropertyExifDictionary: [kCGImagePropertyExifFNumber: 1.8],
        kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFMake: "Maker"],
        kCGImagePropertyGPSDictionary: [
            kCGImagePropertyGPSLatitude: 52.5, kCGImagePropertyGPSLatitudeRef: "N",
            kCGImagePropertyGPSLongitude: 13.4, kCGImagePropertyGPSLongitudeRef: "E",
        ],
    ]

    /// Returns the data of an image file of 64 × 32 pixels with `properties`.
    private func makeFileData(_ type: String) throws -> Data {
        var pixels: CVPixelBuffer?
        CVPixelBufferCreate(nil, 64, 32, kCVPixelFormatType_32BGRA, nil, &pixels)
        let data = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(data, type, 1, nil))
        CGImageDestinationAddImage(destination, CGImage(pixelBuffer: try XCTUnwrap(pixels)), properties)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        return Data(referencing: data)
    }

    private func read(_ data: Data) throws -> [String: Any] {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(data, nil))
        return try XCTUnwrap(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    }

    private func copyImage(_ data: Data, as type: String, _ properties: CFDictionary?) throws -> Data {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(data, nil))
        let result = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(result, type, 1, nil))
        CGImageDestinationAddImageFromSource(destination, source, 0, properties)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        return Data(referencing: result)
    }

    func testMetadataOfAnImageIsChangedAndWritten() throws {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(try makeFileData("public.jpeg"), nil))
        let metadata = try XCTUnwrap(CGImageSourceCopyMetadataAtIndex(source, 0, nil))
        let changed = try XCTUnwrap(CGImageMetadataCreateMutableCopy(metadata))
        XCTAssertTrue(
            CGImageMetadataSetValueMatchingImageProperty(
                changed, kCGImagePropertyGPSDictionary, kCGImagePropertyGPSLatitude, 12.25 as CFTypeRef))
        XCTAssertTrue(
            CGImageMetadataSetValueMatchingImageProperty(
                changed, kCGImagePropertyGPSDictionary, kCGImagePropertyGPSLatitudeRef, "S" as CFTypeRef))
        XCTAssertFalse(
            CGImageMetadataSetValueMatchingImageProperty(
                changed, kCGImagePropertyGPSDictionary, kCGImagePropertyGPSLatitude, self))
        let image = try XCTUnwrap(CGImageSourceCreateImageAtIndex(source, 0, nil))
        let data = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
        CGImageDestinationAddImageAndMetadata(destination, image, changed, nil)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        let written = try read(Data(referencing: data))
        let gps = try XCTUnwrap(written[kCGImagePropertyGPSDictionary] as? [String: Any])
        XCTAssertEqual(gps[kCGImagePropertyGPSLatitude] as? Double, 12.25)
        XCTAssertEqual(gps[kCGImagePropertyGPSLatitudeRef] as? String, "S")
        XCTAssertEqual(gps[kCGImagePropertyGPSLongitudeRef] as? String, "E")
        // The original metadata is not changed.
        let tag = CGImageMetadataCopyTagMatchingImageProperty(
            metadata, kCGImagePropertyGPSDictionary, kCGImagePropertyGPSLatitudeRef)
        XCTAssertEqual(tag.flatMap(CGImageMetadataTagCopyValue) as? String, "N")
    }

    func testMetadataIsWrittenAndRead() throws {
        for type in ["public.jpeg", "public.png"] {
            let data = try makeFileData(type)
            let source = try XCTUnwrap(CGImageSourceCreateWithData(data, nil))
            XCTAssertEqual(CGImageSourceGetType(source), type)
            XCTAssertEqual(CGImageSourceGetCount(source), 1)
            XCTAssertEqual(CGImageSourceGetStatusAtIndex(source, 0), .statusComplete)
            let read = try read(data)
            XCTAssertEqual(read[kCGImagePropertyPixelWidth] as? Int, 64)
            XCTAssertEqual(read[kCGImagePropertyPixelHeight] as? Int, 32)
            XCTAssertEqual(read[kCGImagePropertyOrientation] as? Int, 6)
            let exif = read[kCGImagePropertyExifDictionary] as? [String: Any]
            XCTAssertEqual(try XCTUnwrap(exif?[kCGImagePropertyExifFNumber] as? Double), 1.8, accuracy: 1e-3)
            let gps = read[kCGImagePropertyGPSDictionary] as? [String: Any]
            XCTAssertEqual(try XCTUnwrap(gps?[kCGImagePropertyGPSLatitude] as? Double), 52.5, accuracy: 1e-3)
            XCTAssertEqual(CGImageSourceCreateImageAtIndex(source, 0, nil)?.width, 64)
        }
    }

    func testACopyKeepsItsMetadataExceptOverriddenProperties() throws {
        let data = try makeFileData("public.jpeg")
        XCTAssertEqual(try copyImage(data, as: "public.jpeg", nil), data)
        let changed = try read(
            copyImage(
                data, as: "public.jpeg",
                [kCGImagePropertyGPSDictionary: NSNull(), kCGImagePropertyOrientation: 1]))
        XCTAssertNil(changed[kCGImagePropertyGPSDictionary])
        XCTAssertEqual(changed[kCGImagePropertyOrientation] as? Int, 1)
        let tiff = changed[kCGImagePropertyTIFFDictionary] as? [String: Any]
        XCTAssertEqual(tiff?[kCGImagePropertyTIFFMake] as? String, "Maker")
        let png = try read(copyImage(data, as: "public.png", [kCGImageDestinationImageMaxPixelSize: 16]))
        XCTAssertEqual(png[kCGImagePropertyPixelWidth] as? Int, 16)
        XCTAssertEqual(png[kCGImagePropertyOrientation] as? Int, 6)
    }

    func testThumbnailsAreUpright() throws {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(makeFileData("public.jpeg"), nil))
        XCTAssertNil(CGImageSourceCreateThumbnailAtIndex(source, 0, nil))
        let thumbnail = CGImageSourceCreateThumbnailAtIndex(
            source, 0,
            [
                kCGImageSourceCreateThumbnailFromImageIfAbsent: true, kCGImageSourceThumbnailMaxPixelSize: 16,
                kCGImageSourceCreateThumbnailWithTransform: true,
            ])
        XCTAssertEqual(thumbnail?.width, 8)
        XCTAssertEqual(thumbnail?.height, 16)
    }

    func testIncompleteAndUnknownDataIsReportedByTheStatus() throws {
        let data = try makeFileData("public.png")
        let source = CGImageSourceCreateIncremental(nil)
        XCTAssertEqual(CGImageSourceGetStatus(source), .statusReadingHeader)
        CGImageSourceUpdateData(source, data.prefix(60), false)
        XCTAssertEqual(CGImageSourceGetStatusAtIndex(source, 0), .statusIncomplete)
        CGImageSourceUpdateData(source, data.prefix(60), true)
        XCTAssertEqual(CGImageSourceGetStatusAtIndex(source, 0), .statusUnexpectedEOF)
        CGImageSourceUpdateData(source, data, true)
        XCTAssertEqual(CGImageSourceGetStatusAtIndex(source, 0), .statusComplete)
        let text = try XCTUnwrap(CGImageSourceCreateWithData(Data("text".utf8), nil))
        XCTAssertEqual(CGImageSourceGetStatus(text), .statusUnknownType)
        XCTAssertNil(CGImageDestinationCreateWithData(NSMutableData(), "public.heic", 1, nil))
    }
}
