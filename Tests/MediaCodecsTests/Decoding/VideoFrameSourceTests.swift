import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class VideoFrameSourceTests: XCTestCase {
    /// A movie with 30 frames per second and a coarser time scale: frames have the same time. The brightness of a frame is
    /// its number.
    private func makeMovie(timescale: Int) throws -> MovieFile {
        let folder = try MediaFixture.folder(self)
        let (source, url) = (folder.appendingPathComponent("a.mp4"), folder.appendingPathComponent("\(timescale).mp4"))
        for arguments in [
            ["-f", "lavfi", "-i", "color=black:s=64x48:r=30:d=2,geq=lum=20+3*N:cb=128:cr=128", "-c:v", "libx264"]
                + ["-crf", "1", "-g", "15", "-bf", "3", "-b_strategy", "0", "-pix_fmt", "yuv420p", source.path],
            ["-i", source.path, "-c", "copy", "-video_track_timescale", "\(timescale)", url.path],
        ] {
            let result = try ExternalTool.run("ffmpeg", ["-y", "-v", "error"] + arguments)
            XCTAssertEqual(result.status, 0, result.errors)
        }
        return try MovieFile(reading: DiskStorage().open(url, for: .reading))
    }

    func testFramesThatShareATickAreDecoded() throws {
        var sharedCount = 0
        for timescale in [20, 24, 25, 29] {
            let file = try makeMovie(timescale: timescale)
            let source = try VideoFrameSource(file, try XCTUnwrap(file.map.tracks.first))
            let frames = source.times.frames
            sharedCount += zip(frames, frames.dropFirst()).count { $0.start == $1.start }
            XCTAssertEqual(frames.count, 60, "\(timescale)")
            let pixels = try MediaFixture.makeBuffer(64, 48, source.pixelFormat)
            func number(_ index: Int) throws -> Int {
                try source.render(source.frame(index), into: pixels)
                let brightness = try Double(XCTUnwrap(MediaFixture.bytes(pixels).first))
                return Int(((brightness - 20) / 3).rounded())
            }
            let numbers = try frames.indices.map { try number($0) }
            // Each frame once; those with the same time are in the order in which they were encoded.
            XCTAssertEqual(numbers.sorted(), Array(frames.indices), "\(timescale)")
            for index in frames.indices.dropFirst() where frames[index].start == frames[index - 1].start {
                XCTAssertGreaterThan(numbers[index], numbers[index - 1], "\(timescale): frame \(index)")
            }
            // In any order.
            for index in [50, 3, 2, 4, 31, 30, 29, 59, 0] {
                XCTAssertEqual(try number(index), numbers[index], "\(timescale): frame \(index)")
            }
        }
        XCTAssertGreaterThan(sharedCount, 4)
    }

    func testFramesBesideAnUndecodableOneAreDecodedInAnyOrder() throws {
        let movie = try makeMovie(timescale: 30)
        let track = try XCTUnwrap(movie.map.tracks.first)
        // The contents of frame 10 in the first group of pictures are replaced by zeros.
        let times = FrameTimes(track.samples)
        let run = track.samples.runs[times.frames[10].sample]
        let url = try MediaFixture.folder(self).appendingPathComponent("damaged.mp4")
        var bytes = try Data(contentsOf: movie.url)
        let range = Int(run.offset)..<Int(run.offset) + Int(run.size)
        bytes.replaceSubrange(range, with: Data(count: range.count))
        try bytes.write(to: url)
        let file = try MovieFile(reading: DiskStorage().open(url, for: .reading))
        let source = try VideoFrameSource(file, try XCTUnwrap(file.map.tracks.first))
        var undecodable: Set<Int> = []
        for index in 0..<15 {
            do { _ = try source.frame(index) } catch { undecodable.insert(index) }
        }
        XCTAssertFalse(undecodable.isEmpty)
        for index in [5, 10, 7, 14, 10, 3, 10, 12, 0] where !undecodable.contains(index) || index == 10 {
            do { _ = try source.frame(index) } catch {
                XCTAssertTrue(undecodable.contains(index), "frame \(index): \(error)")
            }
        }
    }
}
