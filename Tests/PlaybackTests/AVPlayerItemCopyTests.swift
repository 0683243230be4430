import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemCopyTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    private func makeItem(_ fixture: PlaybackFixture) throws -> (AVPlayer, AVPlayerItem, RecordingCompositor) {
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        item.videoComposition = try RecordingCompositor.composition(of: item.asset)
        return (player, item, try XCTUnwrap(item.customVideoCompositor as? RecordingCompositor))
    }

    func testACopyOfAnItemHasItsSettings() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let (player, item, _) = try makeItem(fixture)
        item.forwardPlaybackEndTime = time(12)
        item.audioTimePitchAlgorithm = .varispeed
        item.preferredPeakBitRate = 1000
        item.tracks.first?.isEnabled = false
        item.add(AVPlayerItemVideoOutput())
        let copy = try XCTUnwrap(item.copy() as? AVPlayerItem)
        XCTAssertTrue(copy.asset === item.asset)
        XCTAssertEqual(copy.forwardPlaybackEndTime, time(12))
        XCTAssertEqual(copy.audioTimePitchAlgorithm, .varispeed)
        XCTAssertEqual(copy.preferredPeakBitRate, 1000)
        XCTAssertNotNil(copy.videoComposition)
        XCTAssertEqual(copy.outputs, [])
        XCTAssertFalse(player.currentItem === copy)
        player.replaceCurrentItem(with: copy)
        fixture.clock.settle()
        XCTAssertEqual(copy.status, .readyToPlay)
        XCTAssertEqual(copy.tracks.map(\.isEnabled), [false])
    }
}
