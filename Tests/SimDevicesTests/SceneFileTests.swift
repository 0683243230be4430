import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import SimDevices

/// Tests scenes described by files.
final class SceneFileTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("scene-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        // Failures are ignored; the system cleans up temporary files.
        try? FileManager.default.removeItem(at: folder)
    }

    private func read(_ lines: String) throws -> SceneFile {
        try SceneFile(yaml: "scene: 1\nname: mine\n" + lines, file: folder.appendingPathComponent("s.yaml").path)
    }

    private func problem(_ lines: String) -> String {
        do {
            _ = try read(lines)
            return ""
        } catch {
            return "\(error)".replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    private static let movie = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/Media/street-3s.avi").standardized.path

    /// Writes a PNG of three vertical gray stripes of equal width.
    private func writeStripes(_ values: [UInt8]) throws {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, 96, 48, kCVPixelFormatType_32BGRA, nil, &buffer)
        let pixels = try XCTUnwrap(buffer)
        CVPixelBufferLockBaseAddress(pixels, [])
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(pixels)).assumingMemoryBound(to: UInt8.self)
        for y in 0..<48 {
            for x in 0..<96 {
                let offset = y * CVPixelBufferGetBytesPerRow(pixels) + 4 * x
                for channel in 0..<3 { base[offset + channel] = values[x / 32] }
                base[offset + 3] = 255
            }
        }
        CVPixelBufferUnlockBaseAddress(pixels, [])
        try PNGCodec().encode(pixels).write(to: folder.appendingPathComponent("stripes.png"))
    }

    private static let pngWithTransparentMiddle =
        "iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAYAAADuFn/PAAAAcElEQVR42u3RQQ0AAAwCMfyb3iTw5NNLEECa25fx5u"
        + "cBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAACA0gMhGsHQ7WrohAAAAABJRU5ErkJggg=="

    private func fixture(_ file: SceneFile, start: Int64 = 0) throws -> RenderingFixture {
        let fixture = try RenderingFixture(light: SceneLight(lux: 500, kelvin: 5000)) {
            DescribedScene(file, view: $0, seed: 1, startNanoseconds: start)
        }
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: file.subjectDistance)
        fixture.expose(seconds: 0.01, iso: 100)
        return fixture
    }

    func testAPictureIsRenderedAtItsPositionInLinearLight() throws {
        try writeStripes([128, 255, 188])
        let file = try read("layers:\n  - {picture: stripes.png, depth: 2 m, width: 0.6 m, x: 20 cm, y: -10 cm}\n")
        XCTAssertEqual(file.subjectDistance, 2)
        let fixture = try fixture(file)
        fixture.render()
        let scale = fixture.view.scale / 2
        let (middleX, middleY) = (320 + 0.2 * scale, 240 + 0.1 * scale)
        let stripe = 0.2 * scale
        func mean(_ index: Int) -> Double {
            let x = middleX + Double(index - 1) * stripe
            return fixture.statistics(
                x: Int(x - stripe / 4)..<Int(x + stripe / 4), y: Int(middleY - 20)..<Int(middleY + 20)
            ).mean
        }
        // sRGB code 128 is 21.59 % of the light of code 255, and 188 is 50.29 % (IEC 61966-2-1).
        XCTAssertEqual(mean(0) / mean(1), 0.2159, accuracy: 0.01)
        XCTAssertEqual(mean(2) / mean(1), 0.5029, accuracy: 0.01)
        // The columns around an edge have the light of the wall, 0, or of the stripe, 1. Their sum is the number of
        // columns that the stripe covers, and thus results in the position of the edge.
        let wall = fixture.statistics(x: 20..<60, y: 20..<60).mean
        for (x, inside) in [(middleX - 1.5 * stripe, mean(0)), (middleX + 1.5 * stripe, mean(2))] {
            let profile = (Int(x) - 4...Int(x) + 4).map { fixture.statistics(x: $0..<$0 + 1, y: 230..<290).mean }
            let isLeft = x < middleX
            let coveredColumns = profile.map { ($0 - wall) / (inside - wall) }.reduce(0, +)
            let edge = isLeft ? Double(Int(x) + 5) - coveredColumns : Double(Int(x) - 4) + coveredColumns
            XCTAssertEqual(edge, x, accuracy: 0.6)
        }
    }

    func testTransparentPixelsShowTheBackground() throws {
        // 96x48 white pixels; the middle third of each row is transparent.
        let picture = try XCTUnwrap(Data(base64Encoded: Self.pngWithTransparentMiddle))
        try picture.write(to: folder.appendingPathComponent("stripes.png"))
        let fixture = try fixture(read("layers:\n  - {picture: stripes.png, depth: 2 m, width: 1 m}\n"))
        fixture.render()
        let wall = fixture.statistics(x: 20..<60, y: 20..<60).mean
        XCTAssertEqual(fixture.statistics(x: 310..<330, y: 230..<250).mean, wall, accuracy: 0.02 * wall)
        let third = Int(fixture.view.scale / 2 / 3)
        XCTAssertGreaterThan(fixture.statistics(x: 310 - third..<330 - third, y: 230..<250).mean, 3 * wall)
    }

    func testFitCoversOrContains() throws {
        try writeStripes([255, 255, 255])
        let cover = try fixture(read("layers: [{picture: stripes.png, depth: 3 m}]\n")).render()
        let contain = try fixture(read("layers: [{picture: stripes.png, depth: 3 m, fit: contain}]\n")).render()
        XCTAssertEqual(cover.light(5, 5), cover.light(320, 240), accuracy: 0.15 * cover.light(320, 240))
        XCTAssertLessThan(contain.light(320, 40), 0.5 * contain.light(320, 240))
        XCTAssertEqual(contain.light(5, 240), contain.light(320, 240), accuracy: 0.15 * contain.light(320, 240))
    }

    func testCodesOfAFileAreReadable() throws {
        let text = "Regal 7 / Fach 3"
        let file = try read(
            "base: shelf\ncodes:\n"
                + "  - {kind: qr, text: \"\(text)\", depth: 50 cm, x: -10 cm, y: 9 cm, module: 3 mm, level: Q}\n"
                + "  - {kind: ean-13, text: \"978020137962\", depth: 45 cm, x: 10 cm, y: 5 cm, module: 1.4 mm}\n"
                + "  - {kind: code-128, text: Obscura, depth: 40 cm, y: -10 cm, module: 1.3 mm}\n")
        XCTAssertEqual(file.codes.map(\.text), [text, "9780201379624", "Obscura"])
        let fixture = try SimDeviceFixture(scene: .file(file), size: (1280, 720))
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1500))
        let plane = try XCTUnwrap(fixture.frames.last).buffer.planes[0]
        var bytes: [UInt8] = []
        for row in 0..<plane.height {
            bytes += UnsafeRawBufferPointer(start: plane.baseAddress + row * plane.bytesPerRow, count: plane.width)
        }
        XCTAssertEqual(
            try ZBar.read([ZBar.GrayImage(width: plane.width, height: plane.height, bytes: bytes)]),
            [["CODE-128:Obscura", "EAN-13:9780201379624", "QR-Code:\(text)"]])
    }

    func testTheFrameOfAMovieDependsOnTheTime() throws {
        for (end, late) in [("loop", 5), ("hold", 29)] {
            let file = try read("layers: [{movie: \(Self.movie), depth: 5 m, end: \(end)}]\n")
            guard case .movie(let movie)? = file.layers.first?.content else { return XCTFail("no movie") }
            func index(_ seconds: Double) -> Int? { movie.frame(at: Int64(seconds * 1e9))?.index }
            // The movie has ten frames per second for three seconds. Frames are read in any order.
            XCTAssertEqual(index(0), 0)
            XCTAssertEqual(index(1.25), 12)
            XCTAssertEqual(index(0.35), 3)
            XCTAssertEqual(index(2.95), 29)
            XCTAssertEqual(index(3.55), late)
            XCTAssertEqual(index(60.55), late)
            XCTAssertEqual(index(0.1), 1)
        }
    }

    func testAMovieStartsAtTheStartTimeOfTheScene() throws {
        let file = try read("layers: [{movie: \(Self.movie), depth: 5 m}]\n")
        let scene = DescribedScene(
            file, view: SceneView(width: 64, height: 48, tangentOfHalfView: 0.7), seed: 1,
            startNanoseconds: 7_000_000_000)
        func green(_ nanoseconds: Int64) throws -> [UInt8] {
            let layer = try XCTUnwrap(scene.movingLayers(at: nanoseconds).first)
            XCTAssertEqual(layer.depth, 5)
            return withExtendedLifetime(layer.bitmap) {
                Array(UnsafeBufferPointer(start: layer.bitmap.layer(x: 0, y: 0).green, count: 64 * 48))
            }
        }
        let first = try green(7_000_000_000)
        XCTAssertNotEqual(first, try green(8_500_000_000))
        XCTAssertEqual(first, try green(10_000_000_000))
        XCTAssertEqual(first, try green(7_099_000_000))
    }

    func testFramesOfAMovieAreTheSameInEveryRun() throws {
        func checksums() throws -> [UInt64] {
            let file = try read("base: street\nlayers: [{movie: \(Self.movie), depth: 3 m, width: 1 m}]\n")
            let fixture = try SimDeviceFixture(scene: .file(file))
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(500))
            return try fixture.frames.map { try $0.buffer.checksum }
        }
        let first = try checksums()
        XCTAssertGreaterThan(Set(first).count, 10)
        XCTAssertEqual(first, try checksums())
    }

    func testErrorsNameTheLineAndColumn() throws {
        XCTAssertEqual(
            problem("layers:\n  - {picture: none.png, depth: 1 m}\n"),
            "s.yaml:4:15: layers[0].picture: there is no file none.png; name a PNG or JPEG picture")
        try Data("no picture".utf8).write(to: folder.appendingPathComponent("text.png"))
        XCTAssertTrue(
            problem("layers:\n  - {picture: text.png, depth: 1 m}\n")
                .hasPrefix("s.yaml:4:15: layers[0].picture: text.png cannot be used: "))
        XCTAssertTrue(
            problem("layers:\n  - {movie: none.mov, depth: 1 m}\n").hasPrefix("s.yaml:4:13: layers[0].movie: "))
        XCTAssertTrue(
            problem("layers:\n  - {movie: text.png, depth: 1 m}\n").hasPrefix("s.yaml:4:13: layers[0].movie: "))
        try writeStripes([1, 2, 3])
        XCTAssertEqual(
            problem("layers: [{picture: stripes.png, depth: 1 m, fit: cover, width: 1 m}]\n"),
            "s.yaml:3:64: layers[0].width: the layer's size is given twice; keep one of fit, width and height")
        XCTAssertEqual(
            problem("layers: [{picture: stripes.png, depth: 1 m, end: loop}]\n"),
            "s.yaml:3:50: layers[0].end: a picture has no end; remove it")
        XCTAssertEqual(
            problem("layers: [{depth: 1 m}]\n"),
            "s.yaml:3:10: layers[0]: the layer has no content; add \"picture: FILE\" or \"movie: FILE\"")
        XCTAssertEqual(
            problem("codes: [{kind: ean-13, text: \"4012345678905\", depth: 1 m, module: 1 mm}]\n"),
            "s.yaml:3:30: codes[0].text: the check digit of \"4012345678905\" is 1, not 5; end it with 1")
        XCTAssertEqual(
            problem("codes: [{kind: upc-e, text: \"123456\", level: M, depth: 1 m, module: 1 mm}]\n"),
            "s.yaml:3:46: codes[0].level: a code of kind upc-e has no level; remove it; only QR codes have a level")
        XCTAssertThrowsError(try SimScene.named("no/such.yaml")) { error in
            XCTAssertEqual("\(error)", "there is no file no/such.yaml")
        }
    }

    func testTheDocumentationNamesEachKey() throws {
        let documentation = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../docs/scenes.md"), encoding: .utf8)
        // The reader lists the valid keys in its error message about an unknown key.
        for (heading, lines) in [
            ("The file", "wrong: 1\n"), ("The light", "light: {wrong: 1}\n"), ("A code", "codes: [{wrong: 1}]\n"),
            ("A layer", "layers: [{wrong: 1}]\n"),
        ] {
            let keys =
                problem(lines).components(separatedBy: "valid names are ").last?.components(separatedBy: ", ") ?? []
            XCTAssertGreaterThan(keys.count, 3)
            let section =
                documentation.components(separatedBy: "## \(heading)\n").last?
                .components(separatedBy: "\n## ").first ?? ""
            let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
            let named = rows.flatMap {
                $0.split(separator: "|")[0].split(separator: "`").filter { $0 != " " && $0 != ", " }
            }
            XCTAssertEqual(Set(named.map(String.init)), Set(keys), heading)
        }
    }
}
