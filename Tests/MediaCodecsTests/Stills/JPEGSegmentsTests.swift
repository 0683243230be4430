import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import XCTest

final class JPEGSegmentsTests: XCTestCase {
    private func jpeg() throws -> Data {
        let pixels = try MediaFixture.makeBuffer(32, 16, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        return try JPEGCodec().encode(pixels)
    }

    func testAnEXIFBlockIsInsertedReplacedAndRemovedWithoutChangingTheImage() throws {
        let original = try jpeg()
        var segments = try JPEGSegments(original)
        XCTAssertNil(try segments.exif())
        XCTAssertEqual(segments.data, original)
        var exif = EXIF()
        exif.iso = 100
        try segments.setEXIF(exif)
        let withEXIF = segments.data
        XCTAssertEqual(try JPEGSegments(withEXIF).exif(), exif)
        XCTAssertEqual(withEXIF.suffix(original.count - 20), original.suffix(original.count - 20))
        XCTAssertEqual(try JPEGCodec().header(of: withEXIF), try JPEGCodec().header(of: original))
        exif.iso = 200
        try segments.setEXIF(exif)
        XCTAssertEqual(try JPEGSegments(segments.data).exif()?.iso, 200)
        XCTAssertEqual(segments.data.count, withEXIF.count)
        try segments.setEXIF(nil)
        XCTAssertEqual(segments.data, original)
    }

    func testTheBlockReplacesAJFIFHeaderWithoutInformation() throws {
        var segments = try JPEGSegments(jpeg())
        try segments.setEXIF(EXIF())
        XCTAssertEqual([UInt8](segments.data.prefix(4)), [0xFF, 0xD8, 0xFF, 0xE1])
        XCTAssertNil(segments.data.range(of: Data("JFIF".utf8)))
    }

    func testTheBlockFollowsAJFIFHeaderWithADensity() throws {
        var original = try jpeg()
        original[13] = 1  // dots per inch
        var segments = try JPEGSegments(original)
        try segments.setEXIF(EXIF())
        XCTAssertEqual([UInt8](segments.data.prefix(4)), [0xFF, 0xD8, 0xFF, 0xE0])
        XCTAssertEqual([UInt8](segments.data[20..<22]), [0xFF, 0xE1])
        try segments.setEXIF(nil)
        XCTAssertEqual(segments.data, original)
    }

    func testTruncationBeforeTheImageDataIsDetected() throws {
        let data = try jpeg()
        let scan = try XCTUnwrap(data.range(of: Data([0xFF, 0xDA]))).lowerBound
        for count in 0..<scan {
            XCTAssertThrowsError(try JPEGSegments(data.prefix(count))) { error in
                XCTAssertEqual((error as? ImageError)?.code, .damaged)
            }
        }
    }
}
