import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import MediaCodecs

/// Writes HEIF files, and reads them with libheif and with this package.
final class HEIFPhotoTests: XCTestCase {
    private static let (red, green, blue, white) = ([0, 0, 255], [0, 255, 0], [255, 0, 0], [255, 255, 255])

    /// An image of four colors: red, green, then blue and white below them. Values are blue, green and red.
    private func quarters(width: Int = 64, height: Int = 48) throws -> CVPixelBuffer {
        try image(width: width, height: height) { column, row in
            row * 2 < height
                ? column * 2 < width ? Self.red : Self.green : column * 2 < width ? Self.blue : Self.white
        }
    }

    private func image(width: Int, height: Int, _ color: (Int, Int) -> [Int]) throws -> CVPixelBuffer {
        let buffer = try XCTUnwrap(
            CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA))
        buffer.withPlane(0) { plane in
            for row in 0..<height {
                for column in 0..<width {
                    for (index, value) in (color(column, row) + [255]).enumerated() {
                        plane.baseAddress.storeBytes(
                            of: UInt8(value), toByteOffset: row * plane.bytesPerRow + column * 4 + index, as: UInt8.self
                        )
                    }
                }
            }
        }
        return buffer
    }

    /// Returns blue, green and red of a pixel.
    private func color(_ image: CVPixelBuffer, _ column: Int, _ row: Int) -> [Int] {
        image.withPlane(0) { plane in
            (0..<3).map {
                Int(plane.baseAddress.load(fromByteOffset: row * plane.bytesPerRow + column * 4 + $0, as: UInt8.self))
            }
        }
    }

    private func assertColor(
        _ image: CVPixelBuffer, _ column: Int, _ row: Int, _ expected: [Int], tolerance: Int = 12,
        _ message: String = "", line: UInt = #line
    ) {
        let found = color(image, column, row)
        let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 0
        XCTAssertLessThanOrEqual(
            difference, tolerance, "\(found) instead of \(expected) at \(column),\(row) \(message)", line: line)
    }

    private func decoded(_ photo: HEIFPhoto) throws -> CVPixelBuffer {
        try XCTUnwrap(PhotoFile(photo.fileData())).decoded().pixels
    }

    private func items(of file: Data) throws -> HEIFItems {
        try HEIFItems(XCTUnwrap(ByteReader([UInt8](file)).boxes().first { $0.type == "meta" }))
    }

    /// Runs a program with a file.
    private func run(_ program: String, _ options: [String] = [], _ file: Data) throws -> String {
        let url = try MediaFixture.folder(self).appendingPathComponent("\(UUID().uuidString).heic")
        try file.write(to: url)
        let result = try ExternalTool.run(program, options + [url.path])
        if result.status == 127 { throw MissingRequirement("the program \(program), which CI/setup installs") }
        XCTAssertEqual(result.status, 0, result.errors)
        return result.text
    }

    func testADecodedPhotoHasItsPixels() throws {
        let source = try image(width: 320, height: 240) { column, row in [column * 4 / 5, row, 255 - row] }
        let photo = HEIFPhoto(try HEIFPicture(encoding: source, quality: 0.95))
        let result = try decoded(photo)
        XCTAssertEqual([result.width, result.height], [320, 240])
        for (column, row) in [(3, 3), (160, 120), (316, 3), (3, 236), (316, 236)] {
            assertColor(result, column, row, color(source, column, row), tolerance: 6)
        }
        // The same pixels result in the same bytes.
        XCTAssertEqual(
            try photo.fileData(), try HEIFPhoto(HEIFPicture(encoding: source, quality: 0.95)).fileData())
        let smaller = try HEIFPhoto(HEIFPicture(encoding: source, quality: 0.2)).fileData()
        XCTAssertLessThan(smaller.count, try photo.fileData().count)
    }

    func testTheBoxesDescribeAMainStillPicture() throws {
        let photo = HEIFPhoto(try HEIFPicture(encoding: quarters(), quality: 0.9))
        let file = try photo.fileData()
        XCTAssertEqual(ByteReader([UInt8](file)).boxes().map(\.type), ["ftyp", "meta", "mdat"])
        XCTAssertEqual(HEIFFile.brands(start: file.prefix(64)), ["heic", "mif1", "heic", "miaf", "MiHB"])
        // Profile 3 of ITU-T H.265, A.3.4; the fields follow the version of the record.
        let configuration = try XCTUnwrap(photo.picture.tiles.first?.configuration)
        XCTAssertEqual(configuration[1] & 0x1F, 3)
        let items = try items(of: file)
        XCTAssertEqual(items.data(ofItem: items.primary, in: [UInt8](file)), photo.picture.tiles.first?.data)
        XCTAssertTrue(try run("exiftool", ["-ColorPrimaries", "-n", "-s3"], file).hasPrefix("1"))
    }

    /// An image with 10 bits whose luma rises by one code from column to column.
    private func tenBitRamp(_ pixelFormat: OSType, width: Int, height: Int) throws -> CVPixelBuffer {
        let buffer = try XCTUnwrap(CVPixelBuffer(width: width, height: height, pixelFormat: pixelFormat))
        for index in 0..<2 {
            buffer.withPlane(index) { plane in
                for row in 0..<plane.height {
                    let line = (plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: UInt16.self)
                    for column in 0..<plane.width * (index + 1) {
                        line[column] = UInt16(index == 0 ? 200 + column : 512) << 6
                    }
                }
            }
        }
        CVBufferSetAttachment(
            buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        return buffer
    }

    func testAnImageWithTenBitsKeepsThem() throws {
        let formats = [
            kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
        ]
        for (format, size) in zip(formats + formats, [(320, 64), (320, 64), (321, 63), (4100, 64)]) {
            let photo = HEIFPhoto(
                try HEIFPicture(encoding: tenBitRamp(format, width: size.0, height: size.1), quality: 1))
            let file = try photo.fileData()
            XCTAssertEqual(photo.picture.bitsPerComponent, 10)
            // Profile Main 10 of ITU-T H.265, A.3.3, which the brand `heic` excludes.
            XCTAssertEqual(try XCTUnwrap(photo.picture.tiles.first).configuration[1] & 0x1F, 2)
            XCTAssertEqual(HEIFFile.brands(start: file.prefix(64)), ["heix", "mif1", "heix", "miaf"])
            XCTAssertEqual(photo.picture.color?.matrix, 1)
            XCTAssertEqual(
                try run("exiftool", ["-ImagePixelDepth", "-s3"], file).split(separator: "\n").first, "10 10 10")
            let result = try decoded(photo)
            XCTAssertEqual([result.width, result.height], [size.0, size.1])
            let isFullRange = format == formats[1]
            for column in [3, 100, 311] {
                let luma = Double(200 + column)
                let gray = Int(((isFullRange ? luma / 1023 : (luma - 64) / 876) * 255).rounded())
                assertColor(result, column, 31, [gray, gray, gray], tolerance: 3, "\(size) \(format)")
            }
        }
    }

    func testHeifConvertDecodesMoreThanEightBits() throws {
        let folder = try MediaFixture.folder(self)
        let (source, target) = (folder.appendingPathComponent("t.heic"), folder.appendingPathComponent("t.png"))
        let ramp = try tenBitRamp(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, width: 320, height: 64)
        try HEIFPhoto(HEIFPicture(encoding: ramp, quality: 1)).fileData().write(to: source)
        let result = try ExternalTool.run("heif-convert", [source.path, target.path])
        if result.status == 127 { throw MissingRequirement("the program heif-convert, which CI/setup installs") }
        XCTAssertEqual(result.status, 0, result.errors)
        let raw = try ExternalTool.run(
            "ffmpeg", ["-v", "error", "-i", target.path, "-f", "rawvideo", "-pix_fmt", "gray16le", "-"])
        let row = (0..<320).map { Int(raw.output[2 * $0]) | Int(raw.output[2 * $0 + 1]) << 8 }
        // 320 codes of 10 bits are 80 codes of 8 bits.
        XCTAssertGreaterThan(Set(row.map { $0 >> 6 }).count, 200)
    }

    func testDisplayP3IsWrittenAndReadAsSRGB() throws {
        let source = try quarters()
        CVBufferSetAttachment(
            source, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_P3_D65, .shouldPropagate)
        let photo = HEIFPhoto(try HEIFPicture(encoding: source, quality: 0.95))
        let file = try photo.fileData()
        XCTAssertTrue(try XCTUnwrap(PhotoFile(file)).isDisplayP3)
        XCTAssertFalse(
            try XCTUnwrap(PhotoFile(HEIFPhoto(HEIFPicture(encoding: quarters(), quality: 0.9)).fileData())).isDisplayP3)
        XCTAssertTrue(try run("exiftool", ["-ColorPrimaries", "-n", "-s3"], file).hasPrefix("12"))
        XCTAssertEqual(try run("exiftool", ["-ProfileDescription", "-s3"], file), "Display P3\n")
        // Saturated red of P3 is outside of sRGB and is clipped; white is white.
        let result = try decoded(photo)
        assertColor(result, 48, 40, Self.white)
        assertColor(result, 16, 8, Self.red)
        let gray = try image(width: 64, height: 48) { _, _ in [60, 120, 180] }
        CVBufferSetAttachment(
            gray, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_P3_D65, .shouldPropagate)
        // Computed from IEC 61966-2-1 and the primaries of SMPTE RP 431-2.
        let converted = try decoded(HEIFPhoto(HEIFPicture(encoding: gray, quality: 1)))
        assertColor(converted, 20, 20, [45, 117, 190], tolerance: 3)
    }

    func testEachOrientationShowsTheImageUpright() throws {
        let source = try quarters()
        let picture = try HEIFPicture(encoding: source, quality: 0.9)
        for orientation in (1...8).compactMap({ CGImagePropertyOrientation(rawValue: $0) }) {
            var photo = HEIFPhoto(picture)
            photo.orientation = orientation
            let transform = PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
            let size = transform.naturalSize(width: 64, height: 48)
            let expected = try XCTUnwrap(
                CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_32BGRA))
            try PixelConverter().convert(source, to: expected, transform)
            let result = try decoded(photo)
            XCTAssertEqual([result.width, result.height], [size.width, size.height], "\(orientation)")
            for (column, row) in [(8, 8), (size.width - 8, 8), (8, size.height - 8)] {
                assertColor(result, column, row, color(expected, column, row), "\(orientation)")
            }
        }
    }

    func testALargePhotoIsAGridOfTiles() throws {
        for (width, height) in [(4100, 64), (48, 4098)] {
            let source = try quarters(width: width, height: height)
            let picture = try HEIFPicture(encoding: source, quality: 0.9)
            XCTAssertEqual(picture.tiles.count, 3)
            let photo = HEIFPhoto(picture)
            let file = try XCTUnwrap(PhotoFile(photo.fileData()))
            XCTAssertEqual([try file.size().width, try file.size().height], [width, height])
            let result = try decoded(photo)
            XCTAssertEqual([result.width, result.height], [width, height])
            for column in [8, width / 2 - 8, width / 2 + 8, width - 3] {
                for row in [8, height / 2 - 8, height / 2 + 8, height - 3] {
                    assertColor(result, column, row, color(source, column, row), "\(width)x\(height)")
                }
            }
        }
    }

    func testOtherProgramsFindThumbnailDepthMatteAndMetadata() throws {
        let gray = try XCTUnwrap(
            CVPixelBuffer(width: 33, height: 25, pixelFormat: kCVPixelFormatType_OneComponent8))
        gray.withPlane(0) { plane in
            for row in 0..<25 {
                memset(plane.baseAddress + row * plane.bytesPerRow, Int32(row * 10), 33)
            }
        }
        var photo = HEIFPhoto(try HEIFPicture(encoding: quarters(), quality: 0.9))
        photo.thumbnail = try HEIFPicture(encoding: quarters(width: 32, height: 24), quality: 0.7)
        let depth = try HEIFPicture(encoding: gray, quality: 1)
        XCTAssertNil(depth.color)
        photo.auxiliaryImages = [
            HEIFPhoto.AuxiliaryImage(kind: .depth, picture: depth, xmp: Data("<x:xmpmeta/>".utf8)),
            HEIFPhoto.AuxiliaryImage(kind: .portraitEffectsMatte, picture: depth, xmp: nil),
        ]
        var exif = EXIF()
        exif.make = "Obscura"
        exif.orientation = .right
        photo.exif = exif
        photo.orientation = .right
        let file = try photo.fileData()
        let information = try run("heif-info", [], file)
        XCTAssertTrue(information.contains("image: 48x64"), information)
        XCTAssertTrue(information.contains("thumbnail: 24x32"), information)
        XCTAssertTrue(information.contains("depth channel: yes"), information)
        XCTAssertEqual(try run("exiftool", ["-Make", "-s3"], file), "Obscura\n")
        XCTAssertEqual(try run("exiftool", ["-Orientation", "-n", "-s3"], file), "6\n")
        let read = try XCTUnwrap(PhotoFile(file))
        let small = try XCTUnwrap(read.decodedThumbnail()).pixels
        XCTAssertEqual([small.width, small.height], [24, 32])
        assertColor(small, 20, 4, Self.red, tolerance: 24)
        XCTAssertNil(try XCTUnwrap(PhotoFile(HEIFPhoto(photo.picture).fileData())).decodedThumbnail())
        XCTAssertEqual(read.metadata.make, "Obscura")
        XCTAssertFalse(read.hasAlpha)
        // The packet of the depth map does not describe the photo.
        let items = try items(of: file)
        XCTAssertNil(items.metadata(type: "mime", contentType: "application/rdf+xml"))
    }

    func testOddAndSmallSizesAreAGridWithOneTile() throws {
        for (width, height) in [(63, 48), (64, 47), (8, 8), (101, 67)] {
            let source = try quarters(width: width, height: height)
            let picture = try HEIFPicture(encoding: source, quality: 0.9)
            XCTAssertTrue(picture.isGrid)
            XCTAssertEqual(picture.tiles.count, 1)
            let file = try HEIFPhoto(picture).fileData()
            XCTAssertEqual(try XCTUnwrap(PhotoFile(file)).size().width, width)
            let result = try decoded(HEIFPhoto(picture))
            XCTAssertEqual([result.width, result.height], [width, height])
            for (column, row) in [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)] {
                assertColor(result, column, row, color(source, column, row), tolerance: 24, "\(width)x\(height)")
            }
        }
    }

    func testAuxiliaryImagesAreDecodedByTheirKind() throws {
        let gray = try XCTUnwrap(
            CVPixelBuffer(width: 32, height: 24, pixelFormat: kCVPixelFormatType_OneComponent8))
        gray.withPlane(0) { plane in
            for row in 0..<24 { memset(plane.baseAddress + row * plane.bytesPerRow, Int32(row * 10), 32) }
        }
        let map = try HEIFPicture(encoding: gray, quality: 1)
        var writer = XMPWriter(namespaces: [("depthData", "http://ns.apple.com/depthData/1.0/")])
        writer.add("depthData:Accuracy", "a < b & c")
        writer.add("depthData:Quality", "high")
        var photo = HEIFPhoto(try HEIFPicture(encoding: quarters(), quality: 0.9))
        photo.auxiliaryImages = HEIFPhoto.AuxiliaryImage.Kind.allCases.map {
            HEIFPhoto.AuxiliaryImage(kind: $0, picture: map, xmp: $0 == .depth ? Data(writer.text.utf8) : nil)
        }
        photo.orientation = .right
        let file = try XCTUnwrap(PhotoFile(photo.fileData()))
        for kind in HEIFPhoto.AuxiliaryImage.Kind.allCases {
            let image = try XCTUnwrap(file.auxiliaryImage(kind), "\(kind)")
            // The images are upright.
            XCTAssertEqual([image.pixels.width, image.pixels.height], [24, 32])
            let expected: [String: String] =
                kind == .depth ? ["depthData:Accuracy": "a < b & c", "depthData:Quality": "high"] : [:]
            XCTAssertEqual(image.properties, expected)
            image.pixels.withPlane(0) { plane in
                let code = plane.baseAddress.load(fromByteOffset: 3 * plane.bytesPerRow + 3, as: UInt8.self)
                // The third column from the left is the row 20 before the rotation.
                XCTAssertEqual(Int(code), 200, accuracy: 6)
            }
        }
        let plain = try XCTUnwrap(PhotoFile(HEIFPhoto(photo.picture).fileData()))
        XCTAssertNil(try plain.auxiliaryImage(.depth))
    }
}
