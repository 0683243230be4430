import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class ComposedPlaybackTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    func testReversePlaybackComposesFramesInGroupsInAscendingOrder() throws {
        let fixture = try PlaybackFixture()
        let (player, item, compositor) = try fixture.makeComposedPlayer()
        let output = AVPlayerItemVideoOutput()
        item.add(output)
        player.seek(to: time(48), toleranceBefore: .zero, toleranceAfter: .zero)
        fixture.clock.settle()
        player.rate = -1
        for frame in (Int64(0)..<48).reversed() {
            let buffer = output.copyPixelBuffer(forItemTime: time(frame), itemTimeForDisplay: nil)
            XCTAssertEqual(PlaybackFixture.number(buffer), Int(frame))
        }
        XCTAssertEqual(compositor.times.withLock { $0 }, (Array(24..<48) + Array(0..<24)).map(time))
        XCTAssertNil(item.error)
        fixture.media.assertNoMisuse()
    }

    func testASeekWaitsForTheComposedFrameOnRequest() throws {
        let fixture = try PlaybackFixture()
        let (player, item, compositor) = try fixture.makeComposedPlayer()
        player.seek(to: time(10), toleranceBefore: .zero, toleranceAfter: .zero)
        fixture.clock.settle()
        XCTAssertEqual(compositor.times.withLock { $0 }, [])
        item.seekingWaitsForVideoCompositionRendering = true
        let count = Lock(0, order: .client)
        player.seek(to: time(20), toleranceBefore: .zero, toleranceAfter: .zero) { _ in
            let composed = compositor.times.withLock { $0.count }
            count.withLock { $0 = composed }
        }
        fixture.clock.settle()
        XCTAssertEqual(count.withLock { $0 }, 1)
        XCTAssertEqual(PlaybackFixture.number(item.displayedFrame()), 20)
        XCTAssertEqual(compositor.times.withLock { $0 }, [time(20)], "the frame is composed once")
    }

    func testACompositorCanCallThePlayerAndItsOutput() throws {
        let fixture = try PlaybackFixture()
        let (player, item, compositor) = try fixture.makeComposedPlayer()
        let output = AVPlayerItemVideoOutput()
        item.add(output)
        let returned = Lock<[Int?]>([], order: .client)
        let first = time(10)
        compositor.willFinish.withLock { willFinish in
            willFinish = {
                player.volume = player.rate == 0 ? 0.5 : 1
                let last = output.copyPixelBuffer(forItemTime: first, itemTimeForDisplay: nil)
                returned.withLock { $0.append(last.map { PlaybackFixture.number($0) ?? -1 }) }
            }
        }
        for frame in [10, 11] as [Int64] {
            let buffer = output.copyPixelBuffer(forItemTime: time(frame), itemTimeForDisplay: nil)
            XCTAssertEqual(PlaybackFixture.number(buffer), Int(frame))
        }
        XCTAssertEqual(returned.withLock { $0 }, [nil, 10], "while a frame is composed, the last one is returned")
        XCTAssertEqual(player.volume, 0.5)
    }
}
