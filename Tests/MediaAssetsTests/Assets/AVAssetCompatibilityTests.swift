import Foundation
import MediaTypes
import TestSupport
import UniformTypeIdentifiers
import XCTest

@testable import MediaAssets

final class AVAssetCompatibilityTests: XCTestCase {
    func testAnAssetReportsItsCompatibilityAndRestrictions() async throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let asset = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        XCTAssertEqual(asset.unusedTrackID(), 3)
        XCTAssertEqual(asset.trackGroups, [])
        XCTAssertTrue(asset.isCompatibleWithSavedPhotosAlbum)
        XCTAssertFalse(asset.isCompatibleWithAirPlayVideo)
        XCTAssertEqual(asset.referenceRestrictions, .forbidAll)
        XCTAssertNil(asset.httpSessionIdentifier)
        XCTAssertTrue(AVURLAsset.audiovisualContentTypes.contains(.quickTimeMovie))
        XCTAssertTrue(AVURLAsset.isPlayableExtendedMIMEType("Video/MP4; codecs=\"avc1.42c01e\""))
        XCTAssertFalse(AVURLAsset.isPlayableExtendedMIMEType("text/plain"))
    }
}
