import AssetTypes
import Foundation
import MediaAssets
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVAssetTests: XCTestCase {
    func testAnAssetReportsTheRecordedProperties() throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 1500)
        XCTAssertTrue(asset is AVURLAsset)
        XCTAssertEqual(asset.duration, fixture.movie.recordedDuration)
        XCTAssertEqual(asset.tracks.map(\.mediaType), [.video, .audio, .timecode])
        let video = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        XCTAssertEqual(video.naturalSize, CGSize(width: 320, height: 240))
        XCTAssertEqual(video.preferredTransform, .identity)
        XCTAssertEqual(video.nominalFrameRate, 30, accuracy: 0.5)
        XCTAssertEqual(video.minFrameDuration.seconds, 1 / 30, accuracy: 0.001)
        XCTAssertEqual(video.timeRange.start, .zero)
        XCTAssertTrue(video.isEnabled && video.isPlayable)
        XCTAssertFalse(video.requiresFrameReordering)
        XCTAssertGreaterThan(video.totalSampleDataLength, 1000)
        XCTAssertGreaterThan(video.estimatedDataRate, 1000)
        XCTAssertIdentical(video.asset, asset)
        let description = try XCTUnwrap(video.formatDescriptions.first as? CMFormatDescription)
        XCTAssertEqual(description.mediaSubType.rawValue, kCMVideoCodecType_H264)
        XCTAssertFalse(description.parameterSets.isEmpty)
        XCTAssertFalse(asset.containsFragments)
        XCTAssertEqual(video.segments.count, 1)
        XCTAssertEqual(
            video.samplePresentationTime(forTrackTime: CMTime(value: 1, timescale: 2)), CMTime(value: 1, timescale: 2))
        XCTAssertFalse(video.samplePresentationTime(forTrackTime: CMTime(value: 100, timescale: 1)).isValid)
    }

    func testPropertiesAreLoaded() async throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 500)
        XCTAssertEqual(asset.statusOfValue(forKey: "duration", error: nil), .unknown)
        XCTAssertEqual(asset.status(of: .duration), .notYetLoaded)
        let (duration, tracks, isPlayable) = try await asset.load(.duration, .tracks, .isPlayable)
        XCTAssertEqual(duration, asset.duration)
        XCTAssertEqual(tracks.count, 3)
        XCTAssertTrue(isPlayable)
        XCTAssertEqual(asset.status(of: .duration), .loaded(duration))
        XCTAssertEqual(asset.statusOfValue(forKey: "duration", error: nil), .loaded)
        let found = try await asset.loadTracks(withMediaType: .audio)
        let audio = try XCTUnwrap(found.first)
        let (range, descriptions) = try await audio.load(.timeRange, .formatDescriptions)
        XCTAssertEqual(range.duration, duration)
        XCTAssertEqual(descriptions.first?.audioStreamBasicDescription?.mFormatID, kAudioFormatMPEG4AAC)
    }

    func testUnreadableFilesThrowTheReason() async throws {
        let capture = try CaptureFixture()
        try Data("no movie".utf8).write(to: capture.url("a.mov"))
        let text = capture.inSystem { AVURLAsset(url: capture.url("a.mov")) }
        do {
            _ = try await text.load(.duration)
            XCTFail("a text file was loaded")
        } catch {
            XCTAssertEqual((error as? AVError)?.code, .fileFormatNotRecognized, "\(error)")
        }
        XCTAssertEqual(text.duration, .zero)
        XCTAssertTrue(text.tracks.isEmpty)
        var reason: NSError?
        XCTAssertEqual(text.statusOfValue(forKey: "tracks", error: &reason), .failed)
        XCTAssertEqual(reason?.code, AVError.Code.fileFormatNotRecognized.rawValue)
        let missing = capture.inSystem { AVAsset(url: capture.url("missing.mov")) }
        XCTAssertThrowsError(try capture.inSystem { try AVAssetReader(asset: missing) })
    }

    func testARunningRecordingCanBeOpened() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        fixture.movie.movieFragmentInterval = CMTime(value: 1, timescale: 2)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 2300)
        let asset = fixture.capture.inSystem { AVURLAsset(url: fixture.capture.url("a.mov")) }
        XCTAssertTrue(asset.containsFragments)
        XCTAssertGreaterThan(asset.duration.seconds, 1)
        fixture.stopRecording()
    }
}

extension MovieRecordingFixture {
    /// Records for a number of milliseconds and opens the movie.
    func asset(milliseconds: Int, _ name: String = "a.mov") throws -> AVAsset {
        start()
        record(name)
        advance(milliseconds: milliseconds)
        stopRecording()
        try assertEnd(nil, isPlayable: nil)
        return capture.inSystem { AVAsset(url: capture.url(name)) }
    }
}
