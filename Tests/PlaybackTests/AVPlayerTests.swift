import AssetTypes
import CaptureHAL
import Foundation
import KeyValueObserving
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    func testAnItemBecomesReadyAndPlaysToItsEnd() throws {
        let fixture = try PlaybackFixture()
        let player = fixture.system.run { AVPlayer(url: fixture.url) }
        let item = try XCTUnwrap(player.currentItem)
        XCTAssertEqual(item.status, .unknown)
        XCTAssertEqual(item.duration, .indefinite)
        let states = Lock<[AVPlayer.TimeControlStatus]>([], order: .client)
        let observation = player.observe(\.timeControlStatus) { player, _ in
            let status = player.timeControlStatus
            states.withLock { $0.append(status) }
        }
        let endCount = Lock(0, order: .client)
        let token = fixture.system.notificationCenter.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
        ) { _ in endCount.withLock { $0 += 1 } }
        defer { fixture.system.notificationCenter.removeObserver(token) }
        player.play()
        XCTAssertEqual(player.timeControlStatus, .waitingToPlayAtSpecifiedRate)
        XCTAssertEqual(player.reasonForWaitingToPlay, .evaluatingBufferingRate)
        fixture.clock.settle()
        XCTAssertEqual(item.status, .readyToPlay)
        XCTAssertEqual(player.status, .readyToPlay)
        XCTAssertEqual(item.duration, time(48))
        XCTAssertEqual(item.presentationSize, CGSize(width: 320, height: 240))
        XCTAssertEqual(item.tracks.map { $0.assetTrack?.mediaType }, [.video])
        XCTAssertEqual(item.seekableTimeRanges.map(\.timeRangeValue.end), [time(48)])
        XCTAssertEqual(player.currentTime(), .zero)
        fixture.clock.advance(by: .milliseconds(150))
        XCTAssertEqual(player.currentTime(), CMTime(value: 150, timescale: 1000))
        XCTAssertEqual(item.timebase?.time, CMTime(value: 150, timescale: 1000))
        XCTAssertEqual(endCount.withLock { $0 }, 0)
        fixture.clock.advance(by: .milliseconds(50))
        XCTAssertEqual(endCount.withLock { $0 }, 1)
        XCTAssertEqual(player.currentTime(), time(48))
        XCTAssertEqual(player.rate, 0)
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(player.currentTime(), time(48))
        XCTAssertEqual(states.withLock { $0 }, [.waitingToPlayAtSpecifiedRate, .playing, .paused])
        withExtendedLifetime(observation) {}
    }

    func testChangesOfTheRateAreReportedWithTheirReason() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = try fixture.makePlayer()
        let reasons = Lock<[AVPlayer.RateDidChangeReason?]>([], order: .client)
        let token = fixture.system.notificationCenter.addObserver(
            forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil
        ) { notification in
            let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason
            reasons.withLock { $0.append(reason) }
        }
        defer { fixture.system.notificationCenter.removeObserver(token) }
        player.play()
        player.play()
        fixture.advance(frames: 30)
        XCTAssertEqual(player.rate, 0)
        XCTAssertEqual(reasons.withLock { $0 }, [.setRateCalled, nil])
        player.rate = -2
        fixture.advance(frames: 20)
        XCTAssertEqual(player.rate, 0)
        XCTAssertEqual(
            reasons.withLock { $0 }.suffix(2), [.setRateCalled, .reversePlaybackReachedStartOfSeekableRange])
    }

    func testObserversAreCalledAtExactTimesAtEachRate() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        for rate in [0.25, 1, 2, -1] as [Double] {
            player.pause()
            player.seek(to: rate < 0 ? time(48) : .zero, toleranceBefore: .zero, toleranceAfter: .zero)
            fixture.clock.settle()
            let start = fixture.clock.now
            let calls = Lock<[(CMTime, CMTime)]>([], order: .client)
            let boundaries = Lock<[CMTime]>([], order: .client)
            let clock = fixture.clock
            let periodic = player.addPeriodicTimeObserver(forInterval: time(7), queue: nil) { time in
                calls.withLock { [now = clock.now] in $0.append((time, now)) }
            }
            let boundary = player.addBoundaryTimeObserver(
                forTimes: [NSValue(time: time(30)), NSValue(time: time(10))], queue: nil
            ) { boundaries.withLock { [now = player.currentTime()] in $0.append(now) } }
            player.rate = Float(rate)
            fixture.advance(frames: 48.001, rate: rate)
            let expected = (rate < 0 ? [48, 42, 35, 28, 21, 14, 7, 0] : [0, 7, 14, 21, 28, 35, 42, 48]).map(time)
            XCTAssertEqual(calls.withLock { $0.map(\.0) }, expected, "\(rate)")
            for (itemTime, now) in calls.withLock({ $0 }) {
                let played = abs((itemTime - (rate < 0 ? time(48) : .zero)).seconds)
                XCTAssertEqual((now - start).seconds, played / abs(rate), accuracy: 1.1e-9, "\(rate)")
            }
            XCTAssertEqual(boundaries.withLock { $0 }, (rate < 0 ? [30, 10] : [10, 30]).map(time), "\(rate)")
            player.removeTimeObserver(periodic)
            player.removeTimeObserver(boundary)
            let count = calls.withLock { $0.count }
            player.seek(to: time(20))
            fixture.clock.settle()
            XCTAssertEqual(calls.withLock { $0.count }, count, "removed")
        }
        fixture.media.assertMisuse(.invalidArgument, "removeTimeObserver") { player.removeTimeObserver(3) }
    }

    func testASeekCancelsThePreviousSeek() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        let results = Lock<[String]>([], order: .client)
        let jumps = Lock(0, order: .client)
        let token = fixture.system.notificationCenter.addObserver(
            forName: .AVPlayerItemTimeJumped, object: player.currentItem, queue: nil
        ) { _ in jumps.withLock { $0 += 1 } }
        defer { fixture.system.notificationCenter.removeObserver(token) }
        func seek(_ frame: Int64, _ before: CMTime, _ after: CMTime, _ name: String) {
            player.seek(to: time(frame), toleranceBefore: before, toleranceAfter: after) { isFinished in
                results.withLock { $0.append("\(name) \(isFinished)") }
            }
        }
        seek(10, .zero, .zero, "first")
        seek(21, .zero, .zero, "second")
        XCTAssertEqual(player.currentTime(), .zero)
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0.sorted() }, ["first false", "second true"])
        XCTAssertEqual(player.currentTime(), time(21))
        seek(13, .positiveInfinity, .positiveInfinity, "any")
        fixture.clock.settle()
        XCTAssertEqual(player.currentTime(), time(16), "the nearest key frame")
        seek(13, .positiveInfinity, .zero, "before")
        fixture.clock.settle()
        XCTAssertEqual(player.currentTime(), time(8))
        seek(13, time(2), time(2), "near")
        player.currentItem?.cancelPendingSeeks()
        fixture.clock.settle()
        XCTAssertEqual(player.currentTime(), time(8))
        XCTAssertEqual(results.withLock { $0.last }, "near false")
        XCTAssertEqual(jumps.withLock { $0 }, 3)
        fixture.media.assertMisuse(.invalidArgument, "invalid time") {
            player.seek(to: .invalid) { isFinished in results.withLock { $0.append("invalid \(isFinished)") } }
        }
        fixture.clock.settle()
        XCTAssertEqual(
            results.withLock { $0.last }, "invalid false", "the handler is called, so that an async seek returns")
    }

    func testASeekBeforeTheItemIsReadyWaits() throws {
        let fixture = try PlaybackFixture(frameCount: 8)
        let player = fixture.system.run { AVPlayer(url: fixture.url) }
        let isFinished = Lock(false, order: .client)
        player.seek(to: time(5), toleranceBefore: .zero, toleranceAfter: .zero) { result in
            isFinished.withLock { $0 = result }
        }
        fixture.clock.settle()
        XCTAssertTrue(isFinished.withLock { $0 })
        XCTAssertEqual(player.currentTime(), time(5))
    }

    func testStepsEndAtTheStartsOfFrames() throws {
        let fixture = try PlaybackFixture(frameCount: 12)
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        var times: [CMTime] = []
        for count in [1, 3, -2, -9, 20] {
            item.step(byCount: count)
            times.append(player.currentTime())
        }
        XCTAssertEqual(times, [1, 4, 2, 0, 11].map(time))
    }

    func testAPlayerWithTheActionNoneContinuesAfterASeek() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = try fixture.makePlayer()
        player.actionAtItemEnd = .none
        player.play()
        fixture.advance(frames: 30)
        XCTAssertEqual(player.currentTime(), time(24))
        XCTAssertEqual(player.rate, 1)
        player.seek(to: .zero)
        fixture.advance(frames: 12)
        XCTAssertEqual(player.currentTime().seconds, time(12).seconds, accuracy: 1e-6)
        fixture.media.assertMisuse(.invalidArgument, "AVQueuePlayer") { player.actionAtItemEnd = .advance }
    }

    func testPlaybackEndsAtTheEndTimesOfTheItem() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        item.forwardPlaybackEndTime = time(18)
        item.reversePlaybackEndTime = time(6)
        player.defaultRate = 2
        player.play()
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(player.currentTime(), time(18))
        player.rate = -20
        XCTAssertEqual(player.rate, -8)
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(player.currentTime(), time(6))
    }

    func testARateBeginsAtATimeOfTheHostClock() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        fixture.media.assertMisuse(.invalidArgument, "automaticallyWaits") {
            player.setRate(1, time: .zero, atHostTime: .invalid)
        }
        player.automaticallyWaitsToMinimizeStalling = false
        let host = fixture.clock.now + time(24)
        player.setRate(1, time: time(12), atHostTime: host)
        fixture.clock.advance(to: host)
        XCTAssertEqual(player.currentTime().seconds, time(12).seconds, accuracy: 1e-8)
        fixture.advance(frames: 6)
        XCTAssertEqual(player.currentTime().seconds, time(18).seconds, accuracy: 1e-8)
    }

    func testAProtectedMovieFailsTheItem() throws {
        let fixture = try PlaybackFixture(frameCount: 1)
        var data = try Data(contentsOf: fixture.url)
        let code = try XCTUnwrap(data.range(of: Data("avc1".utf8), options: .backwards))
        data.replaceSubrange(code, with: "drmi".utf8)
        let url = fixture.media.url("protected.mov")
        try data.write(to: url)
        let player = fixture.system.run { AVPlayer(url: url) }
        fixture.clock.settle()
        XCTAssertEqual(player.currentItem?.status, .failed)
        let error = try XCTUnwrap(player.currentItem?.error as? AVError)
        XCTAssertEqual(error.code, .contentIsProtected)
        XCTAssertEqual(error.errorDescription?.contains("is protected: it is encrypted (drmi)"), true)
    }

    func testAFileOfAnUnknownFormatFailsTheItem() throws {
        let fixture = try PlaybackFixture(frameCount: 1)
        let url = fixture.media.url("text.mov")
        try Data("no movie".utf8).write(to: url)
        let player = fixture.system.run { AVPlayer(url: url) }
        player.play()
        fixture.clock.settle()
        XCTAssertEqual(player.currentItem?.status, .failed)
        XCTAssertTrue(player.currentItem?.error is AVError, "\(String(describing: player.currentItem?.error))")
        XCTAssertEqual(player.timeControlStatus, .paused)
    }

    func testAnItemBelongsToOnePlayerAndKeepsItsTime() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        let other = fixture.system.run { AVPlayer() }
        other.play()
        XCTAssertEqual(other.reasonForWaitingToPlay, .noItemToPlay)
        fixture.media.assertMisuse(.invalidArgument, "more than one instance") { other.replaceCurrentItem(with: item) }
        player.play()
        fixture.advance(frames: 12)
        let time = player.currentTime()
        player.replaceCurrentItem(with: nil)
        XCTAssertEqual(item.currentTime(), time)
        other.replaceCurrentItem(with: item)
        XCTAssertEqual(other.timeControlStatus, .playing)
        XCTAssertEqual(other.currentTime(), time)
    }

    func testTheBackgroundPausesPlayersUnlessTheAppPlaysSoundThere() throws {
        typealias Policy = AVPlayerAudiovisualBackgroundPlaybackPolicy
        let cases: [(modes: Set<BackgroundMode>, policy: Policy, hasLayer: Bool, continues: Bool)] = [
            ([], .automatic, false, false), ([], .continuesIfPossible, false, false),
            ([.audio], .automatic, false, true), ([.audio], .automatic, true, false),
            ([.audio], .pauses, false, false), ([.audio], .continuesIfPossible, true, true),
        ]
        for (modes, policy, hasLayer, continues) in cases {
            let fixture = try PlaybackFixture(backgroundModes: modes)
            let player = try fixture.makePlayer()
            player.actionAtItemEnd = .none
            player.audiovisualBackgroundPlaybackPolicy = policy
            let layer = hasLayer ? fixture.system.run { AVPlayerLayer(player: player) } : nil
            let reasons = Lock<[AVPlayer.RateDidChangeReason?]>([], order: .client)
            let token = fixture.system.notificationCenter.addObserver(
                forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil
            ) { notification in
                let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey]
                reasons.withLock { $0.append(reason as? AVPlayer.RateDidChangeReason) }
            }
            defer { fixture.system.notificationCenter.removeObserver(token) }
            player.play()
            fixture.clock.settle()
            fixture.system.interruptions.begin(.notAvailableInBackground)
            fixture.clock.settle()
            XCTAssertEqual(player.rate, continues ? 1 : 0, "\(modes) \(policy) \(hasLayer)")
            XCTAssertEqual(
                reasons.withLock { $0 }, continues ? [.setRateCalled] : [.setRateCalled, .appBackgrounded],
                "\(modes) \(policy) \(hasLayer)")
            fixture.system.interruptions.end(.notAvailableInBackground)
            fixture.clock.settle()
            XCTAssertEqual(player.rate, continues ? 1 : 0, "the client resumes playback itself")
            withExtendedLifetime(layer) {}
        }
    }
}
