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

    /// A PNG file of 2 × 1 pixels: half transparent red and opaque blue.
    private static let translucentFile = Data(
        base64Encoded: """
            iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR42mP4z8DQwMDw/z8ADX4D
            fpfxiD8AAAAASUVORK5CYII=
            """, options: .ignoreUnknownCharacters)

    private func image(of data: Data) throws -> CGImage {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(data, nil))
        return try XCTUnwrap(CGImageSourceCreateImageAtIndex(source, 0, nil))
    }

    /// Returns the bytes of the first pixels of an image: blue, green, red and alpha.
    private func pixels(_ image: CGImage, count: Int) throws -> [UInt8] {
        [UInt8](try XCTUnwrap(image.dataProvider?.data).prefix(4 * count))
    }

    /// Returns a file of 64 × 32 pixels without an alpha channel, in which a chunk makes black transparent.
    private func makeFileWithTransparentColor() throws -> Data {
        var data = try makeFileData("public.png")
        // The length, the type, the color with two bytes per component, and the CRC.
        let chunk = [0, 0, 0, 6] + [UInt8]("tRNS".utf8) + [0, 0, 0, 0, 0, 0] + [110, 166, 7, 145]
        // After the signature of 8 bytes and the header chunk of 25 bytes.
        data.insert(contentsOf: chunk, at: 8 + 25)
        return data
    }

    func testAlphaOfPNGFilesIsReadAndWritten() throws {
        let data = try XCTUnwrap(Self.translucentFile)
        let image = try image(of: data)
        XCTAssertEqual(image.alphaInfo, .premultipliedFirst)
        let expected: [UInt8] = [0, 0, 128, 128, 255, 0, 0, 255]
        XCTAssertEqual(try pixels(image, count: 2), expected)
        let written = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(written, "public.png", 1, nil))
        CGImageDestinationAddImage(destination, image, nil)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        let file = Data(referencing: written)
        XCTAssertEqual(try read(file)[kCGImagePropertyHasAlpha] as? Bool, true)
        XCTAssertEqual(try pixels(self.image(of: file), count: 2), expected)
        let scaled = try copyImage(data, as: "public.png", [kCGImageDestinationImageMaxPixelSize: 1])
        XCTAssertEqual(try read(scaled)[kCGImagePropertyHasAlpha] as? Bool, true)
        let thumbnail = CGImageSourceCreateThumbnailAtIndex(
            try XCTUnwrap(CGImageSourceCreateWithData(data, nil)), 0,
            [kCGImageSourceCreateThumbnailFromImageAlways: true])
        XCTAssertEqual(thumbnail?.alphaInfo, .premultipliedFirst)
        XCTAssertEqual(try self.image(of: makeFileData("public.png")).alphaInfo, .noneSkipFirst)
    }

    func testATransparentColorIsAlpha() throws {
        let data = try makeFileWithTransparentColor()
        XCTAssertEqual(try read(data)[kCGImagePropertyHasAlpha] as? Bool, true)
        let image = try image(of: data)
        XCTAssertEqual(image.alphaInfo, .premultipliedFirst)
        XCTAssertEqual(try pixels(image, count: 1), [0, 0, 0, 0])
    }

    func testAJPEGFileShowsTransparentPixelsOnABackground() throws {
        let data = try makeFileWithTransparentColor()
        let white = try pixels(image(of: copyImage(data, as: "public.jpeg", nil)), count: 1)
        XCTAssertTrue(white.allSatisfy { $0 > 250 }, "\(white)")
        let color = CGColor(srgbRed: 0, green: 0, blue: 1, alpha: 1)
        let blue = try pixels(
            image(of: copyImage(data, as: "public.jpeg", [kCGImageDestinationBackgroundColor: color])), count: 1)
        XCTAssertGreaterThan(blue[0], 240)
        XCTAssertLessThan(blue[2], 16)
    }

    func testOptionsAreMergedWithTheDictionariesOfMetadata() throws {
        let metadata = CGImageMetadataCreateMutable()
        CGImageMetadataSetValueMatchingImageProperty(
            metadata, kCGImagePropertyExifDictionary, kCGImagePropertyExifFNumber, 1.75 as CFTypeRef)
        let data = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
        CGImageDestinationAddImageAndMetadata(
            destination, try image(of: makeFileData("public.png")), metadata,
            [kCGImagePropertyExifDictionary: [kCGImagePropertyExifUserComment: "comment"]])
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        let exif = try read(Data(referencing: data))[kCGImagePropertyExifDictionary] as? [String: Any]
        XCTAssertEqual(exif?[kCGImagePropertyExifUserComment] as? String, "comment")
        XCTAssertEqual(exif?[kCGImagePropertyExifFNumber] as? Double, 1.75)
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
