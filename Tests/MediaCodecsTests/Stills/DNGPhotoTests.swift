import Foundation
import MediaTypes
import PixelKernels
import XCTest

@testable import MediaCodecs

/// Tests DNG files.
final class DNGPhotoTests: XCTestCase {
    private static let identity = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]

    private func photo(_ layout: DNGPhoto.Layout = .mosaic([0, 1, 1, 2])) throws -> DNGPhoto {
        let (width, height) = (16, 8)
        let count = width * height * layout.sampleCount
        let samples = Data((0..<count).flatMap { [UInt8($0 & 0xFF), UInt8(($0 >> 8) + 2)] })
        var photo = DNGPhoto(
            width: width, height: height, layout: layout, samples: samples, blackLevel: 512, whiteLevel: 16383,
            calibrations: [
                DNGPhoto.Calibration(illuminant: .a, colorMatrix: Self.identity, forwardMatrix: Self.identity),
                DNGPhoto.Calibration(
                    illuminant: .d65, colorMatrix: [0.5, -0.25, 0, 0, 1, 0, 0, 0, 1], forwardMatrix: Self.identity),
            ],
            neutral: [0.5, 1, 0.75], cameraModel: "Obscura test")
        photo.noise = Array(repeating: DNGPhoto.Noise(scale: 0.001, offset: 0.00001), count: 3)
        photo.exif.make = "Obscura"
        photo.exif.orientation = .right
        photo.exif.iso = 100
        photo.exif.location = EXIF.Location(latitude: 47.5, longitude: -8.25)
        photo.exif.contentIdentifier = "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1"
        photo.preview = try JPEGCodec().encode(
            MediaFixture.makeBuffer(32, 16, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
        return photo
    }

    func testAFileHasTheMetadataThePreviewAndTheSamples() throws {
        let photo = try photo()
        let data = try photo.fileData()
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertEqual(file.format, .dng)
        XCTAssertEqual(try file.size().width, 16)
        XCTAssertEqual(try file.size().height, 8)
        XCTAssertTrue(file.hasImageData)
        XCTAssertEqual(file.metadata, photo.exif)
        XCTAssertEqual(try file.decoded().pixels.width, 32)
        let root = try XCTUnwrap(TIFFDirectory(file: data))
        XCTAssertEqual(root.integers(.compression), [7])
        // sRGB (Adobe DNG specification 1.4, PreviewColorSpace).
        XCTAssertEqual(root.integers(.previewColorSpace), [2])
        XCTAssertEqual(root.image, photo.preview)
        XCTAssertEqual(root.integers(.dngVersion), [1, 4, 0, 0])
        XCTAssertEqual(root[.asShotNeutral]?.count, 3)
        let raw = try XCTUnwrap(root.subdirectories[TIFFDirectory.Tag.subdirectories.rawValue]?.first)
        XCTAssertEqual(raw.image, photo.samples)
        XCTAssertEqual(raw.integers(.photometricInterpretation), [32803])
        XCTAssertEqual(raw.integers(.cfaPattern), [0, 1, 1, 2])
        XCTAssertEqual(raw.integers(.blackLevel), [512, 512, 512, 512])
        XCTAssertEqual(raw.integers(.whiteLevel), [16383])
    }

    func testALinearFileHasThreeSamplesForEachPixel() throws {
        let photo = try photo(.linear)
        let root = try XCTUnwrap(TIFFDirectory(file: photo.fileData()))
        let raw = try XCTUnwrap(root.subdirectories[TIFFDirectory.Tag.subdirectories.rawValue]?.first)
        XCTAssertEqual(raw.image, photo.samples)
        XCTAssertEqual(raw.integers(.photometricInterpretation), [34892])
        XCTAssertEqual(raw.integers(.bitsPerSample), [16, 16, 16])
        XCTAssertNil(raw[.cfaPattern])
    }

    func testAWrongNumberOfSamplesIsAnError() throws {
        var photo = try photo()
        photo.samples.removeLast(2)
        XCTAssertThrowsError(try photo.fileData()) { XCTAssertEqual(($0 as? ImageError)?.code, .invalidInput) }
    }

    func testABigEndianFileIsRead() throws {
        // One directory of a DNG file: DNGVersion, and ImageWidth and ImageLength as SHORT.
        func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: tag.bigEndian) { Array($0) } + withUnsafeBytes(of: type.bigEndian) { Array($0) }
                + withUnsafeBytes(of: count.bigEndian) { Array($0) } + value
        }
        let directory =
            [0, 4] + entry(256, 3, 1, [0x12, 0x34, 0, 0]) + entry(257, 3, 1, [0, 9, 0, 0])
            + entry(271, 2, 4, Array("Ada\0".utf8)) + entry(50706, 1, 4, [1, 4, 0, 0]) + [0, 0, 0, 0]
        let data = Data(Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + directory)
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertEqual(try file.size().width, 0x1234)
        XCTAssertEqual(try file.size().height, 9)
        XCTAssertEqual(file.metadata.make, "Ada")
        XCTAssertFalse(file.hasImageData)
        XCTAssertThrowsError(try file.decoded())
    }

    func testOtherTIFFFilesAreNotPhotos() throws {
        var directory = TIFFDirectory()
        directory.set(.imageWidth, longs: [16])
        directory.set(.imageHeight, longs: [16])
        XCTAssertNil(PhotoFile(directory.fileData()))
        XCTAssertNil(PhotoFile(Data("II*\0".utf8)))
    }

    func testACutOffFileIsReadAsFarAsItGoes() throws {
        let data = try photo().fileData()
        for count in stride(from: 0, to: data.count, by: 7) {
            guard let file = PhotoFile(data.prefix(count)) else { continue }
            XCTAssertFalse(file.hasImageData, "\(count)")
        }
    }

    func testADirectoryThatContainsItselfIsReadOnce() throws {
        var data = try photo().fileData()
        // The offset of the directory of EXIF becomes that of the first directory.
        let entry = try XCTUnwrap(data.range(of: Data([0x69, 0x87, 4, 0, 1, 0, 0, 0])))
        data.replaceSubrange(entry.upperBound..<entry.upperBound + 4, with: [8, 0, 0, 0])
        XCTAssertNotNil(PhotoFile(data))
    }
}
