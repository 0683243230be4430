import Foundation
import TestSupport
import XCTest

/// Commands that read movies with any orientation and pixel aspect ratio.
final class DisplayGeometryCommandTests: ObscuraTestCase {
    /// Runs a command that must succeed.
    private func succeed(_ arguments: String..., line: UInt = #line) throws {
        let outcome = try run(Self.tool, arguments)
        XCTAssertEqual(outcome.status, 0, outcome.errors, line: line)
    }

    func testAllCommandsShowAllOrientationsUpright() throws {
        try FileManager.default.createDirectory(at: file("frames"), withIntermediateDirectories: true)
        for orientation in QuadrantMovie.orientations {
            let name = orientation.name
            try QuadrantMovie.write(file("a.mp4"))
            // Without a translation, as many programs write rotations.
            try QuadrantMovie.setMatrix(orientation.matrix, of: file("a.mp4"))
            try succeed("sheet", "a.mp4", "\(name).png", "--columns", "1", "--rows", "1")
            XCTAssertEqual(try QuadrantMovie.Picture(file("\(name).png")).quadrants, orientation.upright, name)

            try succeed("play", "a.mp4", "--frames", "frames")
            let frame = try QuadrantMovie.Picture(file("frames/frame-00001.png"))
            XCTAssertEqual(frame.quadrants, orientation.upright, name)
            XCTAssertEqual(frame.width, orientation.swapsSides ? 120 : 160, name)
            for number in 1...5 { try FileManager.default.removeItem(at: file("frames/frame-0000\(number).png")) }

            try succeed("edit", "a.mp4", "\(name).mp4", "--constant-fps", "10")
            let edited = try QuadrantMovie.Picture(file("\(name).mp4"))
            XCTAssertEqual(edited.quadrants, orientation.upright, name)
            XCTAssertEqual(edited.width, orientation.swapsSides ? 120 : 160, name)

            // Recordings and photos have the orientation in their metadata.
            try succeed("record", "\(name)-r.mp4", "--backend", "file:a.mp4")
            try succeed("sheet", "\(name)-r.mp4", "\(name)-r.png", "--columns", "1", "--rows", "1")
            XCTAssertEqual(try QuadrantMovie.Picture(file("\(name)-r.png")).quadrants, orientation.upright, name)
            try succeed("photo", "\(name).jpg", "--backend", "file:a.mp4", "--after", "100ms")
            try succeed("sheet", "\(name).jpg", "\(name)-p.png", "--columns", "1", "--rows", "1")
            XCTAssertEqual(try QuadrantMovie.Picture(file("\(name)-p.png")).quadrants, orientation.upright, name)
        }
    }

    func testPixelsAreSquareWhereverAConsumerCannotKnowTheirShape() throws {
        try FileManager.default.createDirectory(at: file("frames"), withIntermediateDirectories: true)
        for (ratio, width) in [("64/45", 228), ("16/15", 171), ("4/3", 213), ("12/11", 175)] {
            try QuadrantMovie.write(file("a.mp4"), filter: "setsar=\(ratio)")
            let name = ratio.replacingOccurrences(of: "/", with: "-")
            try succeed("play", "a.mp4", "--frames", "frames")
            XCTAssertEqual(try QuadrantMovie.Picture(file("frames/frame-00001.png")).width, width, ratio)
            for number in 1...5 { try FileManager.default.removeItem(at: file("frames/frame-0000\(number).png")) }
            try succeed("sheet", "a.mp4", "\(name).png", "--columns", "1", "--rows", "1", "--width", "\(width)")
            XCTAssertEqual(Double(try QuadrantMovie.Picture(file("\(name).png")).height), 128, accuracy: 2, ratio)
            // Sizes of cameras are even.
            try succeed("record", "\(name).mp4", "--backend", "file:a.mp4")
            XCTAssertEqual(try QuadrantMovie.Picture(file("\(name).mp4")).width, (width + 1) / 2 * 2, ratio)
            try succeed("photo", "\(name).jpg", "--backend", "file:a.mp4", "--after", "100ms")
            XCTAssertEqual(try QuadrantMovie.Picture(file("\(name).jpg")).width, (width + 1) / 2 * 2, ratio)
        }
    }

    func testAHighDynamicRangeIsRecordedWithTenBits() throws {
        for transfer in ["arib-std-b67", "smpte2084"] {
            try QuadrantMovie.write(
                file("a.mp4"), filter: "scale=out_color_matrix=bt2020nc",
                [
                    "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", "-x265-params",
                    "log-level=none:colorprim=bt2020:colormatrix=bt2020nc:transfer=\(transfer)", "-colorspace",
                    "bt2020nc", "-color_primaries", "bt2020", "-color_trc", transfer,
                ])
            for (name, arguments) in [
                ("\(transfer)-r", ["record", "\(transfer)-r.mp4", "--backend", "file:a.mp4"]),
                ("\(transfer)-e", ["edit", "a.mp4", "\(transfer)-e.mp4", "--constant-fps", "10"]),
            ] {
                let outcome = try run(Self.tool, arguments)
                XCTAssertEqual(outcome.status, 0, outcome.errors)
                XCTAssertEqual(
                    try probe(file("\(name).mp4"), "v", "stream=codec_name,pix_fmt,color_transfer"),
                    ["hevc,yuv420p10le,\(transfer)"])
            }
        }
    }

    func testAStillImageIsUprightInAllOrientations() throws {
        for (value, upright) in [
            (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
        ] {
            try QuadrantMovie.write(file("a.jpg"), ["-frames:v", "1", "-q:v", "2", "-pix_fmt", "yuvj420p"])
            let tagged = try tool("exiftool", "-overwrite_original", "-n", "-Orientation=\(value)", "a.jpg")
            XCTAssertEqual(tagged.status, 0, tagged.errors)
            try succeed("record", "\(value).mp4", "--backend", "file:a.jpg", "--duration", "200ms")
            try succeed("sheet", "\(value).mp4", "\(value).png", "--columns", "1", "--rows", "1")
            XCTAssertEqual(try QuadrantMovie.Picture(file("\(value).png")).quadrants, upright, "\(value)")
        }
    }
}
