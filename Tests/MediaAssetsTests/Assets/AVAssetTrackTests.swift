import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class AVAssetTrackTests: XCTestCase {
    private func asset(_ name: String, _ arguments: [String] = [], _ fixture: AssetWriterFixture) throws -> AVAsset {
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-f", "lavfi", "-i", "sine=f=440:d=1"]
                + ["-c:a", "aac"] + arguments + [fixture.url(name).path])
        XCTAssertEqual(result.status, 0, result.errors)
        return fixture.asset(name)
    }

    func testOnlyAnEncryptedMovieHasProtectedContent() throws {
        let fixture = try AssetWriterFixture()
        let plain = try asset("plain.mp4", ["-c:v", "libx264"], fixture)
        XCTAssertFalse(plain.hasProtectedContent)
        XCTAssertTrue(plain.isPlayable)
        XCTAssertEqual(plain.tracks.map(\.isDecodable), [true, true])
        XCTAssertEqual(plain.tracks.map(\.protection), [nil, nil])
        let encryption = [
            "-c:v", "libx264", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key",
            "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
        ]
        let encrypted = try asset("encrypted.mp4", encryption, fixture)
        XCTAssertTrue(encrypted.hasProtectedContent)
        XCTAssertFalse(encrypted.isPlayable)
        XCTAssertEqual(encrypted.tracks.map(\.isDecodable), [false, false])
        XCTAssertEqual(encrypted.tracks.map(\.mediaType), [.video, .audio])
        XCTAssertEqual(
            encrypted.tracks.map(\.protection),
            ["is protected: it is encrypted (encv)", "is protected: it is encrypted (enca)"])
    }

    func testEntriesOfFairPlayAreProtected() throws {
        let fixture = try AssetWriterFixture()
        _ = try asset("plain.mp4", ["-c:v", "libx264"], fixture)
        var data = try Data(contentsOf: fixture.url("plain.mp4"))
        for (code, protected) in [("avc1", "drmi"), ("mp4a", "drms")] {
            // The last one is that of the sample description.
            let range = try XCTUnwrap(data.range(of: Data(code.utf8), options: .backwards))
            data.replaceSubrange(range, with: protected.utf8)
        }
        try data.write(to: fixture.url("protected.m4v"))
        let asset = fixture.asset("protected.m4v")
        XCTAssertTrue(asset.hasProtectedContent)
        XCTAssertEqual(asset.tracks.map(\.isDecodable), [false, false])
    }

    func testVideoOfCamerasWithMPEG2IsDecodable() throws {
        let fixture = try AssetWriterFixture()
        for name in ["a.mov", "a.mp4"] {
            let asset = try asset(name, ["-c:v", "mpeg2video"], fixture)
            XCTAssertEqual(asset.tracks.map(\.isDecodable), [true, true], name)
        }
    }

    func testTheMinimumFrameDurationIsTheTimeBetweenPresentedFrames() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeVideoInput()
        let writer = try fixture.makeWriter("slow.mov")
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        // Frames one second apart, whose samples have durations of 1/30 s.
        for number in 0..<4 {
            input.append(try AssetWriterFixture.videoSample(number, at: CMTime(value: Int64(number), timescale: 1)))
        }
        fixture.finish(writer)
        let slow = fixture.asset("slow.mov")
        let track = try XCTUnwrap(slow.tracks.first)
        XCTAssertEqual(track.minFrameDuration, CMTime(value: 1, timescale: 1))
        let composition = fixture.system.run { AVMutableComposition() }
        let copy = try XCTUnwrap(
            composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
        try copy.insertTimeRange(track.timeRange, of: track, at: .zero)
        XCTAssertEqual(copy.minFrameDuration, CMTime(value: 1, timescale: 1))
        copy.scaleTimeRange(track.timeRange, toDuration: CMTimeMultiply(track.timeRange.duration, multiplier: 2))
        XCTAssertEqual(copy.minFrameDuration, CMTime(value: 2, timescale: 1))

        // The first frames are 0.7 s apart, and the duration of the last sample is 0.1 s.
        _ = try asset(
            "reordered.mov",
            ["-vf", "setpts=(N+3)*(N+3)/10/TB", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", "2"]
                + ["-x264-params", "b-adapt=0:scenecut=0"], fixture)
        let reordered = try XCTUnwrap(fixture.asset("reordered.mov").tracks(withMediaType: .video).first)
        XCTAssertTrue(reordered.requiresFrameReordering)
        XCTAssertEqual(reordered.minFrameDuration.seconds, 0.7, accuracy: 0.001)
    }
}
