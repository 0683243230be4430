import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets
@testable import MediaEditing

/// Exports of video with any color description.
final class ForeignColorExportTests: XCTestCase {
    /// The color tags of a file: matrix, transfer function and primaries.
    private func tags(_ url: URL) throws -> [String] {
        try FFprobe.lines(
            ["-select_streams", "v:0", "-show_entries", "stream=color_space,color_transfer,color_primaries"], url)[0]
    }

    /// Exports a file at a constant rate, as `obscura edit --constant-fps` does.
    private func export(
        _ name: String, _ preset: String, to output: String, in fixture: AssetWriterFixture, line: UInt = #line
    ) throws {
        let asset = fixture.asset(name)
        let session = try fixture.export(asset, preset, output) {
            $0.videoComposition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))", line: line)
    }

    private func assertEqualColors(_ first: URL, _ second: URL, _ message: String, line: UInt = #line) throws {
        let colors = try [first, second].map { try QuadrantMovie.Picture($0).firstColor }
        for (one, other) in zip(colors[0], colors[1]) {
            XCTAssertEqual(one, other, accuracy: 4, "\(message): \(colors)", line: line)
        }
    }

    func testUntaggedVideoIsTaggedWithTheMatrixThatItsSizeImplies() throws {
        let fixture = try AssetWriterFixture()
        for (height, matrix, tag) in [(240, "bt601", "smpte170m"), (720, "bt709", "bt709")] {
            let url = fixture.url("\(height).mp4")
            try QuadrantMovie.write(
                url, filter: "scale=-2:\(height):out_color_matrix=\(matrix)",
                ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
            XCTAssertEqual(try tags(url), ["unknown", "unknown", "unknown"])
            try export("\(height).mp4", AVAssetExportPresetHighestQuality, to: "\(height).mov", in: fixture)
            XCTAssertEqual(try tags(fixture.url("\(height).mov")), [tag, "bt709", tag])
            // The quadrant is red.
            let color = try QuadrantMovie.Picture(fixture.url("\(height).mov")).firstColor
            for (value, expected) in zip(color, [255, 0, 0]) { XCTAssertEqual(value, expected, accuracy: 6, tag) }
        }
        fixture.assertNoMisuse()
    }

    func testTheCodePointsOfTheSourceAreKept() throws {
        let fixture = try AssetWriterFixture()
        for (matrix, written) in [
            ("bt470bg", "smpte170m"), ("smpte170m", "smpte170m"), ("smpte240m", "smpte240m"), ("fcc", "fcc"),
            ("bt709", "bt709"),
        ] {
            let url = fixture.url("\(matrix).mp4")
            let name = matrix == "bt470bg" ? "bt601" : matrix
            try QuadrantMovie.write(
                url, filter: "scale=out_color_matrix=\(name)",
                [
                    "-c:v", "libx264", "-pix_fmt", "yuv420p", "-colorspace", matrix, "-color_primaries", "bt470m",
                    "-color_trc", "gamma28",
                ])
            try export("\(matrix).mp4", AVAssetExportPresetHighestQuality, to: "\(matrix).mov", in: fixture)
            XCTAssertEqual(try tags(fixture.url("\(matrix).mov")), [written, "bt470bg", "bt470m"])
            try assertEqualColors(url, fixture.url("\(matrix).mov"), matrix)
        }
    }

    func testTheContainerDescribesTheColorsOfABitstreamWithoutADescription() throws {
        let fixture = try AssetWriterFixture()
        try QuadrantMovie.write(
            fixture.url("a.mp4"), filter: "scale=out_color_matrix=bt709", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
        let copy = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-i", fixture.url("a.mp4").path, "-c", "copy"]
                + ["-colorspace", "-color_primaries", "-color_trc"].flatMap { [$0, "bt709"] }
                + [fixture.url("b.mp4").path])
        XCTAssertEqual(copy.status, 0, copy.errors)
        try export("b.mp4", AVAssetExportPresetHighestQuality, to: "b.mov", in: fixture)
        XCTAssertEqual(try tags(fixture.url("b.mov")), ["bt709", "bt709", "bt709"])
        try assertEqualColors(fixture.url("b.mp4"), fixture.url("b.mov"), "BT.709")
    }

    func testAHighDynamicRangeIsKeptWithTenBitsOrConverted() throws {
        let fixture = try AssetWriterFixture()
        for transfer in ["arib-std-b67", "smpte2084"] {
            let name = "\(transfer).mov"
            try QuadrantMovie.write(
                fixture.url(name), filter: "scale=out_color_matrix=bt2020nc",
                [
                    "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", "-x265-params",
                    "log-level=none:colorprim=bt2020:colormatrix=bt2020nc:transfer=\(transfer)", "-colorspace",
                    "bt2020nc", "-color_primaries", "bt2020", "-color_trc", transfer,
                ])
            // Composed frames must keep 10 bits when they are rotated, too.
            try QuadrantMovie.setMatrix([0, 1, -1, 0], of: fixture.url(name))
            for (preset, format, expected) in [
                (AVAssetExportPresetHEVCHighestQuality, "yuv420p10le", ["bt2020nc", transfer, "bt2020"]),
                (AVAssetExportPresetHighestQuality, "yuv420p", ["bt709", "bt709", "bt709"]),
            ] {
                let output = "\(transfer)-\(format).mov"
                try export(name, preset, to: output, in: fixture)
                XCTAssertEqual(try tags(fixture.url(output)), expected, output)
                let lines = try FFprobe.lines(["-show_entries", "stream=pix_fmt"], fixture.url(output))
                XCTAssertEqual(lines.first, [format])
                XCTAssertEqual(try QuadrantMovie.Picture(fixture.url(output)).quadrants, "BRWG", output)
            }
        }
    }

    func testMetadataThatCannotBeEncodedDoesNotStopAnExport() throws {
        let fixture = try AssetWriterFixture()
        try QuadrantMovie.write(fixture.url("a.mp4"))
        let text = fixture.url("a.srt")
        try Data("1\n00:00:00,000 --> 00:00:00,400\nhello\n".utf8).write(to: text)
        let mux = try ExternalTool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", fixture.url("a.mp4").path, "-i", text.path, "-map", "0", "-map", "1", "-c:v",
                "copy",
                "-c:s", "mov_text", "-disposition:s", "default", fixture.url("b.mp4").path,
            ])
        XCTAssertEqual(mux.status, 0, mux.errors)
        for code in ["mebx", "gpmd", "camm", "urim", "mett"] {
            var data = try Data(contentsOf: fixture.url("b.mp4"))
            for (old, new) in [("sbtl", "meta"), ("tx3g", code)] {
                let range = try XCTUnwrap(data.range(of: Data(old.utf8)))
                data.replaceSubrange(range, with: Data(new.utf8))
            }
            try data.write(to: fixture.url("\(code).mp4"))
            try export("\(code).mp4", AVAssetExportPresetHighestQuality, to: "\(code).mov", in: fixture)
            XCTAssertEqual(try FFprobe.frames(fixture.url("\(code).mov")).count, 5, code)
        }
        fixture.assertNoMisuse()
    }
}
