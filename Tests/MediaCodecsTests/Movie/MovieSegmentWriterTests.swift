import MediaTypes
import XCTest

@testable import MediaCodecs

final class MovieSegmentWriterTests: XCTestCase {
    func testNoSegmentIsDeliveredAfterCancellation() throws {
        var segmentCount = 0
        let writer = MovieSegmentWriter(.init(container: .mp4, interval: CMTime(value: 1, timescale: 1))) { _ in
            segmentCount += 1
        }
        let video = try writer.addTrack(SampleScript.videoConfiguration)
        let audio = try writer.addTrack(SampleScript.audioConfiguration)
        // The segment that ends at 1 s waits for the samples of the audio track.
        for sample in SampleScript(seconds: 2).video.prefix(40) { try writer.append(sample, to: video) }
        XCTAssertEqual(segmentCount, 0)
        writer.cancel()
        try writer.finishTrack(audio)
        XCTAssertEqual(segmentCount, 0)
        XCTAssertThrowsError(try writer.finish()) { XCTAssertEqual(($0 as? MovieError)?.code, .invalidState) }
        XCTAssertEqual(segmentCount, 0)
    }

    func testASequenceOfSegmentsIsFinishedOnce() throws {
        var segmentCount = 0
        let writer = MovieSegmentWriter(.init(container: .mp4, interval: CMTime(value: 1, timescale: 1))) { _ in
            segmentCount += 1
        }
        let track = try writer.addTrack(SampleScript.videoConfiguration)
        for sample in SampleScript(seconds: 1).video { try writer.append(sample, to: track) }
        try writer.finish()
        XCTAssertEqual(segmentCount, 2, "an initialization segment and a media segment")
        XCTAssertThrowsError(try writer.finish()) { XCTAssertEqual(($0 as? MovieError)?.code, .invalidState) }
    }
}
