import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

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
}
