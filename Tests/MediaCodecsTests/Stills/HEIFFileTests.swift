import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

/// Reads HEIF images that the tests put together from images of other programs.
final class HEIFFileTests: XCTestCase {
    /// An image of one color, compressed by libheif's `heif-enc`: the contents of its configuration and its data.
    private func tile(_ color: String, in folder: URL) throws -> (configuration: Data, data: Data) {
        let (source, target) = (folder.appendingPathComponent("t.png"), folder.appendingPathComponent("t.heic"))
        for (program, arguments) in [
            (
                "ffmpeg",
                ["-y", "-v", "error", "-f", "lavfi", "-i", "color=\(color):s=64x64", "-frames:v", "1", source.path]
            ),
            ("heif-enc", ["-q", "90", "-o", target.path, source.path]),
        ] {
            let result = try ExternalTool.run(program, arguments)
            if result.status == 127 { throw MissingRequirement("the program \(program), which CI/setup installs") }
            XCTAssertEqual(result.status, 0, result.errors)
        }
        let file = try Data(contentsOf: target)
        let start = try XCTUnwrap(file.range(of: Data("hvcC".utf8))).lowerBound
        let byteCount = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
        let meta = try XCTUnwrap(ByteReader([UInt8](file)).boxes().first { $0.type == "meta" })
        let items = try HEIFItems(meta)
        let data = try XCTUnwrap(items.data(ofItem: items.primary, in: [UInt8](file)))
        return (Data(file[start + 4..<start - 4 + byteCount]), data)
    }

    /// Returns a file whose primary image consists of tiles of 64x64 pixels side by side.
    ///
    /// - Parameter property: A box that applies to the whole image.
    private func grid(
        _ tiles: [(configuration: Data, data: Data)], width: Int, height: Int, _ property: (inout BoxBuilder) -> Void
    ) -> Data {
        var builder = BoxBuilder()
        builder.box("ftyp") { box in
            for text in ["heic", "\0\0\0\0", "mif1", "heic"] { box.code(text) }
        }
        let primary = UInt16(tiles.count + 1)
        var description = BoxBuilder()
        description.data([0, 0, 0, UInt8(tiles.count - 1)])
        description.unsigned16(UInt16(width))
        description.unsigned16(UInt16(height))
        let contents = tiles.map(\.data) + [Data(description.bytes)]
        builder.fullBox("meta") { meta in
            meta.fullBox("hdlr") { box in
                box.zeros(4)
                box.code("pict")
                box.zeros(13)
            }
            meta.fullBox("pitm") { $0.unsigned16(primary) }
            meta.fullBox("iinf") { box in
                box.unsigned16(primary)
                for number in 1...primary {
                    box.fullBox("infe", version: 2, flags: number == primary ? 0 : 1) { entry in
                        entry.unsigned16(number)
                        entry.unsigned16(0)
                        entry.code(number == primary ? "grid" : "hvc1")
                        entry.zeros(1)
                    }
                }
            }
            meta.fullBox("iref") { box in
                box.box("dimg") { reference in
                    reference.unsigned16(primary)
                    reference.unsigned16(primary - 1)
                    for number in 1..<primary { reference.unsigned16(number) }
                }
            }
            meta.box("iprp") { box in
                box.box("ipco") { properties in
                    for (width, height) in [(64, 64), (width, height)] {
                        properties.fullBox("ispe") { size in
                            size.unsigned32(UInt32(width))
                            size.unsigned32(UInt32(height))
                        }
                    }
                    property(&properties)
                    for tile in tiles { properties.box("hvcC") { $0.data(tile.configuration) } }
                }
                box.fullBox("ipma") { associations in
                    associations.unsigned32(UInt32(primary))
                    for number in 1...primary {
                        associations.unsigned16(number)
                        // The first bit is whether decoders must know the property.
                        associations.data(number == primary ? [2, 2, 0x83] : [2, 1, 0x83 + UInt8(number)])
                    }
                }
            }
            meta.box("idat") { box in
                for item in contents { box.data(item) }
            }
            meta.fullBox("iloc", version: 1) { box in
                // Offsets and sizes have four bytes.
                box.unsigned16(0x4400)
                box.unsigned16(primary)
                var offset = 0
                for (index, item) in contents.enumerated() {
                    box.unsigned16(UInt16(index + 1))
                    // In `idat`.
                    box.unsigned16(1)
                    box.unsigned16(0)
                    box.unsigned16(1)
                    box.unsigned32(UInt32(offset))
                    box.unsigned32(UInt32(item.count))
                    offset += item.count
                }
            }
        }
        return Data(builder.bytes)
    }

    /// Returns blue, green and red of a pixel, rounded to multiples of 51.
    private func color(_ image: CVPixelBuffer, _ column: Int, _ row: Int) throws -> [Int] {
        CVPixelBufferLockBaseAddress(image, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(image)).assumingMemoryBound(to: UInt8.self)
        let pixel = base + row * CVPixelBufferGetBytesPerRow(image) + column * 4
        return (0..<3).map { (Int(pixel[$0]) + 25) / 51 * 51 }
    }

    private static let (blue, green, red) = ([255, 0, 0], [0, 255, 0], [0, 0, 255])

    func testTheTilesOfAGridAreOneImage() throws {
        let folder = try MediaFixture.folder(self)
        let tiles = try ["0xFF0000", "0x00FF00", "0x0000FF"].map { try tile($0, in: folder) }
        // The last tile extends beyond the image.
        let plain = try XCTUnwrap(PhotoFile(grid(tiles, width: 160, height: 60) { $0.box("irot") { $0.unsigned8(0) } }))
        XCTAssertEqual(plain.format, .heic)
        XCTAssertEqual([try plain.size().width, try plain.size().height], [160, 60])
        let image = try plain.decoded().pixels
        XCTAssertEqual([CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image)], [160, 60])
        XCTAssertEqual(try [32, 96, 150].map { try color(image, $0, 30) }, [Self.red, Self.green, Self.blue])
        // A quarter of a turn counterclockwise.
        let turned = try XCTUnwrap(
            PhotoFile(grid(tiles, width: 160, height: 60) { $0.box("irot") { $0.unsigned8(1) } }))
        XCTAssertEqual([try turned.size().width, try turned.size().height], [60, 160])
        let rotated = try turned.decoded().pixels
        XCTAssertEqual(try [10, 64, 128].map { try color(rotated, 30, $0) }, [Self.blue, Self.green, Self.red])
    }

    func testMirroredImagesAreDecodedMirrored() throws {
        let folder = try MediaFixture.folder(self)
        let tiles = try ["0xFF0000", "0x0000FF"].map { try tile($0, in: folder) }
        var orders: [[[Int]]] = []
        for axis in [UInt8(0), 1] {
            let data = grid(tiles, width: 128, height: 64) { $0.box("imir") { $0.unsigned8(axis) } }
            let file = try XCTUnwrap(PhotoFile(data))
            XCTAssertEqual([try file.size().width, try file.size().height], [128, 64])
            let image = try file.decoded().pixels
            orders.append(try [32, 96].map { try color(image, $0, 32) })
        }
        // One axis exchanges left and right. The editions of the standard, and so versions of libheif, differ about which.
        let (kept, exchanged) = ([Self.red, Self.blue], [Self.blue, Self.red])
        XCTAssertTrue([[kept, exchanged], [exchanged, kept]].contains(orders), "\(orders)")
    }

    func testAVIFImagesAreDecoded() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.avif")
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "color=0x0000FF:s=96x64", "-frames:v", "1", "-c:v", "libaom-av1"]
                + ["-still-picture", "1", "-cpu-used", "8", url.path])
        XCTAssertEqual(result.status, 0, result.errors)
        let file = try XCTUnwrap(PhotoFile(try Data(contentsOf: url)))
        XCTAssertEqual(file.format, .avif)
        XCTAssertEqual(file.format.uniformTypeIdentifier, "public.avif")
        XCTAssertEqual([try file.size().width, try file.size().height], [96, 64])
        let image = try file.decoded().pixels
        XCTAssertEqual(try color(image, 48, 32), Self.blue)
    }
}
