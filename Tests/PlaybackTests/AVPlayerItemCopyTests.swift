import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemCopyTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    func testACopyOfAnItemHasItsSettings() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let (player, item, _) = try fixture.makeComposedPlayer()
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
