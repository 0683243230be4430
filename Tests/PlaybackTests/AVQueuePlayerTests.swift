import CaptureHAL
import Foundation
import KeyValueObserving
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVQueuePlayerTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    func testItemsArePlayedOneAfterTheOtherWithoutAGap() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let items = fixture.system.run { (0..<3).map { _ in AVPlayerItem(url: fixture.url) } }
        let player = fixture.system.run { AVQueuePlayer(items: items) }
        fixture.clock.settle()
        XCTAssertEqual(items.map(\.status), [.readyToPlay, .readyToPlay, .readyToPlay])
        player.play()
        fixture.advance(frames: 30)
        XCTAssertTrue(player.currentItem === items[1])
        XCTAssertEqual(player.currentTime().seconds, time(6).seconds, accuracy: 1e-8)
        XCTAssertEqual(items[0].currentTime(), time(24))
        player.advanceToNextItem()
        fixture.advance(frames: 6)
        XCTAssertTrue(player.currentItem === items[2])
        XCTAssertEqual(player.currentTime().seconds, time(6).seconds, accuracy: 1e-8)
        XCTAssertEqual(player.items().map(ObjectIdentifier.init), [ObjectIdentifier(items[2])])
        fixture.advance(frames: 24)
        XCTAssertNil(player.currentItem)
        XCTAssertEqual(player.rate, 0)
        XCTAssertTrue(player.canInsert(items[0], after: nil))
    }

    func testItemsAreInsertedAndRemoved() throws {
        let fixture = try PlaybackFixture(frameCount: 2)
        let items = fixture.system.run { (0..<4).map { _ in AVPlayerItem(url: fixture.url) } }
        let player = fixture.system.run { AVQueuePlayer(items: [items[0], items[1]]) }
        func order() -> [Int?] { player.items().map { item in items.firstIndex { $0 === item } } }
        player.insert(items[2], after: items[0])
        XCTAssertEqual(order(), [0, 2, 1])
        XCTAssertFalse(player.canInsert(items[2], after: nil))
        fixture.media.assertMisuse(.invalidArgument, "already in the queue") { player.insert(items[2], after: nil) }
        player.remove(items[2])
        player.replaceCurrentItem(with: items[3])
        XCTAssertEqual(order(), [3, 1])
        player.remove(items[3])
        XCTAssertTrue(player.currentItem === items[1])
        player.removeAllItems()
        XCTAssertEqual(order(), [])
        XCTAssertNil(player.currentItem)
    }

    func testALooperRepeatsAPart() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = fixture.system.run { AVQueuePlayer() }
        let looper = fixture.system.run {
            AVPlayerLooper(
                player: player, templateItem: AVPlayerItem(url: fixture.url),
                timeRange: CMTimeRange(start: time(6), end: time(18)))
        }
        let counts = Lock<[Int]>([], order: .client)
        let observation = looper.observe(\.loopCount) { looper, _ in
            let count = looper.loopCount
            counts.withLock { $0.append(count) }
        }
        fixture.clock.settle()
        player.play()
        fixture.advance(frames: 5 * 12 + 3)
        XCTAssertEqual(looper.loopCount, 5)
        XCTAssertEqual(counts.withLock { $0 }, [1, 2, 3, 4, 5])
        XCTAssertEqual(player.currentTime().seconds, time(9).seconds, accuracy: 2e-8)
        looper.disableLooping()
        fixture.advance(frames: 20)
        XCTAssertNil(player.currentItem)
        XCTAssertEqual([looper.loopCount, looper.status.rawValue], [5, 3])
        withExtendedLifetime(observation) {}
    }
}
