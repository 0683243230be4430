import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class FileGeometryTests: XCTestCase {
    /// Returns the first video track of a file.
    private func video(_ url: URL) throws -> MediaTrack.Video {
        let reader = try MediaFileReader(path: url.path)
        guard case .video(let video) = try XCTUnwrap(reader.tracks.first).content else {
            throw MissingRequirement("\(url.path) has no video track")
        }
        return video
    }

    func testTheOrientationOfAMovieIsReadFromTheWholeMatrix() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        try QuadrantMovie.write(url)
        let expected: [(PixelRotation, Bool)] = [
            (.none, false), (.clockwise90, false), (.clockwise180, false), (.clockwise270, false), (.none, true),
            (.clockwise90, true), (.clockwise180, true), (.clockwise270, true),
        ]
        for (orientation, (rotation, isMirrored)) in zip(QuadrantMovie.orientations, expected) {
            let translation = orientation.translation(width: 160, height: 120)
            for matrix in [orientation.matrix, orientation.matrix + translation] {
                try QuadrantMovie.setMatrix(matrix, of: url)
                let video = try video(url)
                XCTAssertEqual(video.rotation, rotation, orientation.name)
                XCTAssertEqual(video.isMirrored, isMirrored, orientation.name)
            }
        }
    }

    func testThePixelAspectRatioIsThatOfTheContainerOrElseOfTheBitstream() throws {
        let folder = try MediaFixture.folder(self)
        for (ratio, width) in [("64/45", 228), ("16/15", 171), ("4/3", 213), ("12/11", 175), ("1/1", 160)]
            as [(String, Int32)]
        {
            let url = folder.appendingPathComponent("a.mp4")
            try QuadrantMovie.write(url, filter: "setsar=\(ratio)")
            XCTAssertEqual(try video(url).displayDimensions.pixelSize, PixelSize(width: width, height: 120), ratio)
            let stream = folder.appendingPathComponent("a.h264")
            let copy = try ExternalTool.run("ffmpeg", ["-v", "error", "-y", "-i", url.path, "-c", "copy", stream.path])
            XCTAssertEqual(copy.status, 0, copy.errors)
            XCTAssertEqual(try video(stream).displayDimensions.pixelSize, PixelSize(width: width, height: 120), ratio)
        }
    }

    func testTheCleanApertureIsTheVisiblePart() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        try QuadrantMovie.write(url, ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
        var data = try Data(contentsOf: url)
        let next = try XCTUnwrap(data.range(of: Data("pasp".utf8))).lowerBound - 4
        let numbers: [Int32] = [140, 1, 100, 1, 0, 1, 0, 1]
        var clap = Data([0, 0, 0, 40]) + Data("clap".utf8)
        for number in numbers { withUnsafeBytes(of: number.bigEndian) { clap.append(contentsOf: $0) } }
        data.insert(contentsOf: clap, at: next)
        try Self.grow(["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"], by: 40, in: &data)
        try data.write(to: url)
        XCTAssertEqual(try video(url).visibleRect, PixelRect(x: 10, y: 10, width: 140, height: 100))
        XCTAssertEqual(try video(url).uprightDimensions.pixelSize, PixelSize(width: 140, height: 100))
    }

    /// Adds a number to the sizes of boxes; the first box of each type is changed.
    private static func grow(_ types: [String], by count: UInt32, in data: inout Data) throws {
        for type in types {
            let start = try XCTUnwrap(data.range(of: Data(type.utf8)), type).lowerBound - 4
            let size = data[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } + count
            withUnsafeBytes(of: size.bigEndian) { data.replaceSubrange(start..<start + 4, with: $0) }
        }
    }

    func testTheOrientationOfAnImageIsThatOfItsMetadata() throws {
        let folder = try MediaFixture.folder(self)
        for (value, name) in [
            (1, "0"), (2, "mirrored-0"), (3, "180"), (4, "mirrored-180"), (5, "mirrored-90"), (6, "90"),
            (7, "mirrored-270"), (8, "270"),
        ] {
            let url = folder.appendingPathComponent("\(value).jpg")
            try QuadrantMovie.write(url, ["-frames:v", "1", "-q:v", "2", "-pix_fmt", "yuvj420p"])
            let tag = try ExternalTool.run(
                "exiftool", ["-overwrite_original", "-n", "-Orientation=\(value)", url.path])
            XCTAssertEqual(tag.status, 0, tag.errors)
            let video = try video(url)
            let orientation = CGImagePropertyOrientation(rotation: video.rotation, isMirrored: video.isMirrored)
            XCTAssertEqual(Int(orientation.rawValue), value, name)
            XCTAssertNil(video.pixelAspectRatio)
        }
    }
}
