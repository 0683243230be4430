import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import MediaCodecs

/// Tests JPEG files with auxiliary images.
final class JPEGPhotoTests: XCTestCase {
    private func image() throws -> Data {
        try JPEGCodec().encode(MediaFixture.makeBuffer(64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
    }

    private func photo(_ type: String = "disparity") throws -> JPEGPhoto {
        let gray = try XCTUnwrap(
            CVPixelBuffer(width: 31, height: 25, pixelFormat: kCVPixelFormatType_OneComponent8))
        gray.withPlane(0) { plane in
            for row in 0..<25 { memset(plane.baseAddress + row * plane.bytesPerRow, Int32(row * 10), 31) }
        }
        var writer = XMPWriter(namespaces: [("apdi", "http://ns.apple.com/pixeldatainfo/1.0/")])
        writer.add("apdi:AuxiliaryImageType", type)
        var photo = try JPEGPhoto(image())
        var exif = EXIF()
        exif.make = "Obscura"
        try photo.setEXIF(exif)
        try photo.add(gray, xmp: Data(writer.text.utf8))
        return photo
    }

    func testTheMapFollowsTheImageAndIsDecoded() throws {
        let data = try photo().fileData
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertEqual(file.metadata.make, "Obscura")
        XCTAssertEqual(try file.decoded().pixels.width, 64)
        let map = try XCTUnwrap(file.auxiliaryImage(.depth))
        XCTAssertEqual([map.pixels.width, map.pixels.height], [31, 25])
        XCTAssertEqual(map.properties, ["apdi:AuxiliaryImageType": "disparity"])
        map.pixels.withPlane(0) { plane in
            for row in [2, 12, 22] {
                let code = plane.baseAddress.load(fromByteOffset: row * plane.bytesPerRow + 15, as: UInt8.self)
                XCTAssertEqual(Int(code), row * 10, accuracy: 5)
            }
        }
        XCTAssertNil(try file.auxiliaryImage(.hairMatte))
        XCTAssertEqual(JPEGSegments.otherImages(of: data).count, 1)
    }

    func testTheColorProfileIsBesideTheOtherMetadata() throws {
        var photo = try photo()
        XCTAssertFalse(try XCTUnwrap(PhotoFile(photo.fileData)).isDisplayP3)
        let plain = photo.fileData
        try photo.setColorProfile(ICCProfile.displayP3)
        let file = try XCTUnwrap(PhotoFile(photo.fileData))
        XCTAssertTrue(file.isDisplayP3)
        XCTAssertEqual(JPEGSegments(readable: photo.fileData)?.colorProfile, ICCProfile.displayP3)
        XCTAssertEqual(file.metadata.make, "Obscura")
        XCTAssertNotNil(try file.auxiliaryImage(.depth))
        XCTAssertThrowsError(try photo.setColorProfile(Data(count: 65520)))
        try photo.setColorProfile(nil)
        XCTAssertEqual(photo.fileData, plain)
    }

    func testTheEXIFBlockOrTheMapCanBeReplaced() throws {
        var photo = try photo()
        let data = photo.fileData
        var exif = EXIF()
        exif.make = String(repeating: "long ", count: 100)
        try photo.setEXIF(exif)
        XCTAssertNotNil(try PhotoFile(photo.fileData)?.auxiliaryImage(.depth))
        exif.make = "Obscura"
        try photo.setEXIF(exif)
        XCTAssertEqual(photo.fileData, data)
        photo.removeAuxiliaryImages()
        try photo.setEXIF(nil)
        XCTAssertEqual(photo.fileData, try image())
    }

    func testAnotherProgramFindsTheImages() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("depth.jpg")
        try photo().fileData.write(to: url)
        let result = try ExternalTool.run(
            "exiftool", ["-s3", "-NumberOfImages", "-MPImage2:MPImageLength", "-warning", "-error", url.path])
        if result.status == 127 { throw MissingRequirement("the program exiftool, which CI/setup installs") }
        let map = try XCTUnwrap(JPEGSegments.otherImages(of: Data(contentsOf: url)).first)
        XCTAssertEqual(result.text.split(separator: "\n").map(String.init), ["2", "\(map.count)"], result.errors)
    }

    func testADamagedIndexOrACutOffFileHasNoMaps() throws {
        let data = try photo().fileData
        for count in stride(from: 0, to: data.count, by: 13) {
            XCTAssertEqual(JPEGSegments.otherImages(of: data.prefix(count)).count, 0, "\(count)")
        }
        let index = try XCTUnwrap(data.range(of: Data("MPF\0".utf8)))
        for offset in 0..<80 {
            var damaged = data
            damaged[index.upperBound + offset] ^= 0xFF
            _ = JPEGSegments.otherImages(of: damaged)
        }
    }
}
