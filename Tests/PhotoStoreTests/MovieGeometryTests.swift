import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import PhotoStore

final class MovieGeometryTests: XCTestCase {
    func testThePictureOfAMovieIsUprightWithSquarePixels() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString).mp4")
        defer { try? FileManager.default.removeItem(at: url) }
        try QuadrantMovie.write(url, filter: "setsar=4/3")
        for orientation in QuadrantMovie.orientations {
            try QuadrantMovie.setMatrix(orientation.matrix, of: url)
            let pixels = try MovieFrame(of: url).pixels
            let size = orientation.swapsSides ? PixelSize(width: 120, height: 213) : PixelSize(width: 213, height: 120)
            XCTAssertEqual(PixelSize(width: Int32(pixels.width), height: Int32(pixels.height)), size, orientation.name)
            let image = url.appendingPathExtension("png")
            defer { try? FileManager.default.removeItem(at: image) }
            try PNGCodec().encode(pixels).write(to: image)
            XCTAssertEqual(try QuadrantMovie.Picture(image).quadrants, orientation.upright, orientation.name)
        }
    }

    func testTheDurationIsThatOfTheTimelineWithItsEmptyEdits() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString).mp4")
        defer { try? FileManager.default.removeItem(at: url) }
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264"]
                + ["-output_ts_offset", "10", url.path])
        XCTAssertEqual(result.status, 0, result.errors)
        XCTAssertEqual(try MovieFrame(of: url).duration, 12, accuracy: 0.05)
    }
}
