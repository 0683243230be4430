import CaptureHAL
import Foundation
import KeyValueObserving
import MediaEditing
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

    func testALooperRepeatsATimeRange() throws {
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
        XCTAssertEqual(looper.loopCount, 5)
        XCTAssertEqual(looper.status, .cancelled)
        withExtendedLifetime(observation) {}
    }

    /// Returns the index in `items` of each item in the queue of a player. Items of the looper are -1, -2 and so on.
    func testALooperKeepsItsCopiesIfAnObserverAdvances() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = fixture.system.run { AVQueuePlayer() }
        let isFirst = Lock(true)
        // This observer is called before the looper.
        let observation = player.observe(\.currentItem) { player, _ in
            guard player.items().count == 2 else { return }
            let advances = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if advances { player.advanceToNextItem() }
        }
        let looper = fixture.system.run {
            AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: fixture.url))
        }
        fixture.clock.settle()
        player.play()
        fixture.advance(frames: 30)
        XCTAssertEqual(order(player, [], looper), [-3, -1, -2])
        XCTAssertEqual(looper.loopCount, 2)
        withExtendedLifetime(observation) {}
    }

    func testALooperInsertsNoCopyAfterLoopingIsDisabled() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = fixture.system.run { AVQueuePlayer() }
        let looper = fixture.system.run {
            AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: fixture.url))
        }
        let observation = looper.observe(\.loopCount) { looper, _ in looper.disableLooping() }
        fixture.clock.settle()
        player.play()
        fixture.advance(frames: 30)
        XCTAssertEqual(order(player, [], looper), [-2])
        fixture.advance(frames: 24)
        XCTAssertNil(player.currentItem)
        XCTAssertEqual(looper.loopCount, 1)
        withExtendedLifetime(observation) {}
    }

    private func order(_ player: AVQueuePlayer, _ items: [AVPlayerItem], _ looper: AVPlayerLooper) -> [Int] {
        player.items().map { item in
            items.firstIndex { $0 === item } ?? -1 - (looper.loopingPlayerItems.firstIndex { $0 === item } ?? 99)
        }
    }

    func testALooperPrecedesTheItemsOfTheQueueOrFollowsThem() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        for (ordering, first) in [
            (AVPlayerLooper.ItemOrdering.loopingItemsPrecedeExistingItems, [-1, -2, -3, 0, 1]),
            (.loopingItemsFollowExistingItems, [0, 1, -1, -2, -3]),
        ] {
            let items = fixture.system.run { (0..<2).map { _ in AVPlayerItem(url: fixture.url) } }
            let player = fixture.system.run { AVQueuePlayer(items: items) }
            fixture.clock.settle()
            player.actionAtItemEnd = .pause
            player.play()
            fixture.advance(frames: 6)
            let template = fixture.system.run { AVPlayerItem(url: fixture.url) }
            let looper = AVPlayerLooper(
                player: player, templateItem: template, timeRange: CMTimeRange(start: time(0), end: time(12)),
                existingItemsOrdering: ordering)
            fixture.clock.settle()
            XCTAssertEqual(order(player, items, looper), first)
            XCTAssertEqual(player.actionAtItemEnd, .advance)
            guard ordering == .loopingItemsPrecedeExistingItems else { continue }
            fixture.advance(frames: 30)
            XCTAssertEqual(looper.loopCount, 2)
            XCTAssertEqual(order(player, items, looper), [-3, -1, -2, 0, 1])
            looper.disableLooping()
            XCTAssertEqual(order(player, items, looper), [-3, 0, 1])
            XCTAssertEqual(looper.status, .cancelled)
            // The interrupted item continues at the time of the interruption.
            fixture.advance(frames: 6)
            XCTAssertEqual(order(player, items, looper), [0, 1])
            XCTAssertEqual(player.currentTime().seconds, time(6).seconds, accuracy: 1e-6)
            XCTAssertEqual(player.actionAtItemEnd, .pause)
            fixture.advance(frames: 20)
            XCTAssertEqual(player.currentTime(), time(24))
            XCTAssertTrue(player.currentItem === items[0])
        }
        fixture.media.assertNoMisuse()
    }

    func testALooperThatIsReleasedRestoresTheQueue() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let item = fixture.system.run { AVPlayerItem(url: fixture.url) }
        let player = fixture.system.run { AVQueuePlayer(items: [item]) }
        player.actionAtItemEnd = .none
        var looper: AVPlayerLooper? = fixture.system.run {
            AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: fixture.url))
        }
        fixture.clock.settle()
        XCTAssertEqual(player.items().count, 4)
        withExtendedLifetime(looper) {}
        looper = nil
        fixture.clock.settle()
        XCTAssertEqual(player.items().map(ObjectIdentifier.init), [ObjectIdentifier(item)])
        XCTAssertEqual(player.actionAtItemEnd, .none)
    }

    func testCopiesOfALooperHaveTheSettingsOfTheTemplate() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = fixture.system.run { AVQueuePlayer() }
        let template = fixture.system.run { AVPlayerItem(url: fixture.url) }
        let mix = AVMutableAudioMix()
        let parameters = AVMutableAudioMixInputParameters()
        parameters.trackID = 7
        mix.inputParameters = [parameters]
        template.audioMix = mix
        template.preferredForwardBufferDuration = 3
        let looper = AVPlayerLooper(player: player, templateItem: template)
        for item in looper.loopingPlayerItems {
            XCTAssertEqual(item.audioMix?.inputParameters.first?.trackID, 7)
            XCTAssertEqual(item.preferredForwardBufferDuration, 3)
        }
        for range in [
            CMTimeRange(start: time(3), duration: .zero), CMTimeRange(start: time(3), end: time(25)),
            CMTimeRange(start: time(-1), end: time(5)),
        ] {
            fixture.media.assertMisuse(.invalidArgument, "the time range must be within") {
                _ = AVPlayerLooper(player: AVQueuePlayer(), templateItem: template, timeRange: range)
            }
        }
    }
}
