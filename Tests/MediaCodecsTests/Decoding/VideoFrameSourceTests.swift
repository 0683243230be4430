import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

final class VideoFrameSourceTests: XCTestCase {
    func testFramesWithTheSameTimeAreDecoded() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        // With 17 ticks in a second, several frames have the same time.
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=2", "-c:v", "libx264", "-bf", "2"]
                + ["-g", "15", "-pix_fmt", "yuv420p", "-video_track_timescale", "17", url.path])
        XCTAssertEqual(result.status, 0, result.errors)
        let file = try MovieFile(reading: DiskStorage().open(url, for: .reading))
        let source = try VideoFrameSource(file, file.map.tracks[0])
        let starts = source.times.frames.map(\.start)
        XCTAssertEqual(starts.count, 60)
        XCTAssertLessThan(Set(starts).count, 60)
        for (index, start) in starts.enumerated() {
            XCTAssertEqual(try source.frame(index).presentationTime.value, start, "frame \(index)")
        }
    }
}
