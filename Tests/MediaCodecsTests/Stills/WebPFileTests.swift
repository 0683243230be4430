import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import MediaCodecs

/// Reads WebP images that FFmpeg compresses with libwebp.
final class WebPFileTests: XCTestCase {
    /// Returns a file that FFmpeg writes.
    ///
    /// - Parameter source: A filter that creates the image.
    private func image(_ source: String, _ options: [String]) throws -> Data {
        let file = try MediaFixture.folder(self).appendingPathComponent("\(UUID().uuidString).webp")
        let result = try ExternalTool.run(
            "ffmpeg", ["-y", "-v", "error", "-f", "lavfi", "-i", source] + options + [file.path])
        XCTAssertEqual(result.status, 0, result.errors)
        return try Data(contentsOf: file)
    }

    /// Returns blue, green, red and alpha of a pixel.
    private func pixel(_ image: PhotoFile.Image, _ x: Int, _ y: Int) throws -> [Int] {
        CVPixelBufferLockBaseAddress(image.pixels, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(image.pixels, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(image.pixels))
        let start = base + y * CVPixelBufferGetBytesPerRow(image.pixels) + x * 4
        return UnsafeRawBufferPointer(start: start, count: 4).map { Int($0) }
    }

    /// Inserts chunks into a file without an extended header.
    private func extended(_ file: Data, width: Int, height: Int, flags: UInt8, _ chunks: [(String, Data)]) -> Data {
        func number(_ value: Int, _ count: Int) -> Data { Data((0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }) }
        func chunk(_ type: String, _ payload: Data) -> Data {
            Data(type.utf8) + number(payload.count, 4) + payload + Data(count: payload.count % 2)
        }
        let header = chunk("VP8X", Data([flags, 0, 0, 0]) + number(width - 1, 3) + number(height - 1, 3))
        let body = Data("WEBP".utf8) + header + file.dropFirst(12) + chunks.map { chunk($0.0, $0.1) }.joined()
        return Data("RIFF".utf8) + number(body.count, 4) + body
    }

    func testALossyImageHasTheColorsOfItsMatrix() throws {
        // The larger size would have the matrix of BT.709 as untagged video.
        for size in ["64x48", "640x720"] {
            for (color, expected) in [("red", [0, 0, 255]), ("lime", [0, 255, 0]), ("blue", [255, 0, 0])] {
                let data = try image("color=\(color):s=\(size)", ["-frames:v", "1", "-quality", "95"])
                let file = try XCTUnwrap(PhotoFile(data))
                XCTAssertEqual(file.format, .webP)
                XCTAssertTrue(file.hasImageData)
                XCTAssertFalse(file.hasAlpha)
                let decoded = try file.decoded()
                XCTAssertFalse(decoded.hasAlpha)
                XCTAssertEqual("\(try file.size().width)x\(try file.size().height)", size)
                for (value, wanted) in zip(try pixel(decoded, 20, 30), expected + [255]) {
                    XCTAssertEqual(value, wanted, accuracy: 4, "\(color) \(size)")
                }
            }
        }
    }

    func testALosslessImageIsExactAndKeepsItsAlpha() throws {
        let data = try image(
            "color=0xC86432:s=31x17,format=argb,colorchannelmixer=aa=0.5", ["-frames:v", "1", "-lossless", "1"])
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertTrue(file.hasAlpha)
        XCTAssertEqual(try file.size().width, 31)
        XCTAssertEqual(try file.size().height, 17)
        let decoded = try file.decoded()
        XCTAssertTrue(decoded.hasAlpha)
        let values = try pixel(decoded, 30, 16)
        // The colors are multiplied by the alpha.
        for (value, wanted) in zip(values, [0x32 / 2, 0x64 / 2, 0xC8 / 2, 128]) {
            XCTAssertEqual(value, wanted, accuracy: 1)
        }
    }

    func testALossyImageKeepsItsAlpha() throws {
        let data = try image(
            "color=white:s=64x64,format=yuva420p,geq=lum=235:cb=128:cr=128:a='if(lt(X,32),0,255)'",
            ["-frames:v", "1", "-c:v", "libwebp", "-lossless", "0"])
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertTrue(file.hasAlpha)
        let decoded = try file.decoded()
        XCTAssertEqual(try pixel(decoded, 8, 32), [0, 0, 0, 0])
        for value in try pixel(decoded, 56, 32) { XCTAssertEqual(value, 255, accuracy: 3) }
    }

    func testOrientationDatesAndXMPAreRead() throws {
        let still = try image("color=red:s=32x16", ["-frames:v", "1", "-quality", "90"])
        var metadata = EXIF()
        metadata.orientation = .right
        metadata.make = "Maker"
        let block = try metadata.encoded()
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Model="Model"/></rdf:RDF></x:xmpmeta>
            """
        // The standard stores the block without the signature of JPEG files; some programs store it too.
        for exif in [block, Data(block.dropFirst(6))] {
            let data = extended(
                still, width: 32, height: 16, flags: 0x0C, [("EXIF", exif), ("XMP ", Data(xmp.utf8))])
            let file = try XCTUnwrap(PhotoFile(data))
            XCTAssertEqual(file.metadata.orientation, .right)
            XCTAssertEqual(file.metadata.make, "Maker")
            XCTAssertEqual(file.metadata.model, "Model")
            XCTAssertEqual(try pixel(file.decoded(), 4, 4)[2], 255, accuracy: 4)
        }
    }

    func testAnAnimationShowsItsFirstFrame() throws {
        let data = try image(
            "testsrc2=s=80x60:r=5:d=1", ["-c:v", "libwebp_anim", "-lossless", "1"])
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertEqual(try file.size().width, 80)
        XCTAssertEqual(try file.size().height, 60)
        let first = try image("testsrc2=s=80x60:r=5:d=1", ["-frames:v", "1", "-lossless", "1"])
        let decoded = try file.decoded()
        let expected = try XCTUnwrap(PhotoFile(first)).decoded()
        for (x, y) in [(0, 0), (40, 30), (79, 59)] {
            XCTAssertEqual(try pixel(decoded, x, y), try pixel(expected, x, y), "\(x), \(y)")
        }
    }

    func testAFrameOfAnAnimationStandsAtItsPlaceOnTheCanvas() throws {
        let still = try image("color=red:s=8x6", ["-frames:v", "1", "-lossless", "1"])
        // x and y are stored in units of two pixels: 4, 2.
        let frame = Data([2, 0, 0, 1, 0, 0, 7, 0, 0, 5, 0, 0, 100, 0, 0, 0]) + still.dropFirst(12)
        let empty = Data("RIFF\u{4}\0\0\0WEBP".utf8)
        func file(width: Int) -> PhotoFile? {
            PhotoFile(
                extended(empty, width: width, height: 10, flags: 0x02, [("ANIM", Data(count: 6)), ("ANMF", frame)]))
        }
        let decoded = try XCTUnwrap(file(width: 20)).decoded()
        XCTAssertTrue(decoded.hasAlpha)
        XCTAssertEqual(try pixel(decoded, 3, 2), [0, 0, 0, 0])
        for (x, y) in [(4, 2), (11, 7)] {
            // FFmpeg converts its color to Y'CbCr and back.
            for (value, wanted) in zip(try pixel(decoded, x, y), [0, 0, 255, 255]) {
                XCTAssertEqual(value, wanted, accuracy: 2, "\(x), \(y)")
            }
        }
        XCTAssertEqual(try pixel(decoded, 12, 7), [0, 0, 0, 0])
        XCTAssertThrowsError(try XCTUnwrap(file(width: 11)).decoded()) { error in
            XCTAssertEqual((error as? ImageError)?.code, .damaged)
        }
    }

    func testAHeaderWithoutPixelsIsDamaged() throws {
        // A key frame of RFC 6386 with a height of 0.
        let frame: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x10, 0, 0, 0]
        let data = Data("RIFF\u{16}\0\0\0WEBPVP8 \u{A}\0\0\0".utf8) + frame
        XCTAssertEqual(data.count, 30)
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertThrowsError(try file.size()) { XCTAssertEqual(($0 as? ImageError)?.code, .damaged) }
        XCTAssertThrowsError(try file.decoded()) { XCTAssertEqual(($0 as? ImageError)?.code, .damaged) }
    }

    func testAnOpaqueLosslessImageHasNoAlpha() throws {
        let data = try image("color=0xC86432:s=31x17", ["-frames:v", "1", "-lossless", "1"])
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertEqual(try file.decoded().hasAlpha, file.hasAlpha)
        for (value, wanted) in zip(try pixel(file.decoded(), 15, 8), [0x32, 0x64, 0xC8, 255]) {
            XCTAssertEqual(value, wanted, accuracy: 2)
        }
    }

    func testDamagedFilesAreErrors() throws {
        let data = try image("testsrc2=s=64x48:d=1", ["-frames:v", "1"])
        for count in [12, 16, 20, 25, 29, 30, data.count / 2, data.count - 1] {
            guard let file = PhotoFile(data.prefix(count)) else { continue }
            XCTAssertTrue(count >= 30 || !file.hasImageData, "\(count) bytes")
            _ = try? file.decoded()
        }
        // Each changed byte of the headers results in an image or an error.
        for index in 0..<48 {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var changed = data
                changed[index] = value
                _ = try? PhotoFile(changed)?.decoded()
            }
        }
    }
}
