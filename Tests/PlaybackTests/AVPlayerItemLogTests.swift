import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemLogTests: XCTestCase {
    private func startServer() throws -> LoopbackServer {
        let server = try LoopbackServer()
        addTeardownBlock { server.stop() }
        return server
    }

    /// Counts a notification of an item until the test ends.
    private func count(_ name: Notification.Name, _ item: AVPlayerItem, _ system: CaptureSystem) -> Lock<Int> {
        let count = Lock(0, order: .client)
        let token = system.notificationCenter.addObserver(forName: name, object: item, queue: nil) { _ in
            count.withLock { $0 += 1 }
        }
        addTeardownBlock { [center = system.notificationCenter] in center.removeObserver(token) }
        return count
    }

    func testTheAccessLogContainsTransferredBytesAndWatchedTime() throws {
        let fixture = try PlaybackFixture()
        let server = try startServer()
        let data = try Data(contentsOf: fixture.url)
        server.serve(data, at: "/a.mov")
        let item = fixture.system.run { AVPlayerItem(url: server.url("/a.mov")) }
        XCTAssertNil(item.accessLog())
        let player = fixture.system.run { AVPlayer(playerItem: item) }
        let entries = count(.AVPlayerItemNewAccessLogEntry, item, fixture.system)
        fixture.clock.settle()
        XCTAssertEqual(item.status, .readyToPlay, "\(String(describing: item.error))")
        player.seek(to: PlaybackFixture.time(24), toleranceBefore: .zero, toleranceAfter: .zero)
        fixture.clock.settle()
        let date = fixture.clock.date(at: fixture.clock.now)
        player.play()
        fixture.advance(frames: 12)
        player.pause()
        fixture.advance(frames: 12)
        player.rate = 0.5
        fixture.advance(frames: 6)
        let event = try XCTUnwrap(item.accessLog()?.events.first)
        XCTAssertEqual(event.uri, server.url("/a.mov").absoluteString)
        XCTAssertEqual(event.numberOfBytesTransferred, Int64(data.count))
        XCTAssertEqual(event.numberOfMediaRequests, 1)
        XCTAssertEqual(event.playbackStartDate, date)
        XCTAssertEqual(event.playbackStartOffset, 0.1, accuracy: 1e-9)
        XCTAssertEqual(event.durationWatched, 18.0 / 240, accuracy: 1e-6)
        XCTAssertEqual(event.playbackType, "FILE")
        XCTAssertEqual(entries.withLock { $0 }, 1)
        XCTAssertNil(item.errorLog())
        let text = item.accessLog()?.extendedLogData().map { String(decoding: $0, as: UTF8.self) }
        XCTAssertTrue(text?.contains("\(event.uri ?? "") ") == true, "\(text ?? "")")
    }

    func testTheErrorLogHasTheReasonOfAFailure() throws {
        let fixture = try PlaybackFixture(frameCount: 1)
        let server = try startServer()
        let player = fixture.system.run { AVPlayer(url: server.url("/none.mov")) }
        let item = try XCTUnwrap(player.currentItem)
        let entries = count(.AVPlayerItemNewErrorLogEntry, item, fixture.system)
        fixture.clock.settle()
        XCTAssertEqual(item.status, .failed)
        let event = try XCTUnwrap(item.errorLog()?.events.first)
        XCTAssertEqual(event.errorStatusCode, AVError.Code.contentIsUnavailable.rawValue)
        XCTAssertEqual(event.errorDomain, AVFoundationErrorDomain)
        XCTAssertEqual(event.uri, server.url("/none.mov").absoluteString)
        XCTAssertEqual(event.date, fixture.clock.date(at: fixture.clock.now))
        XCTAssertEqual(entries.withLock { $0 }, 1)
    }

    func testALocalFileHasNoLogsAndNoDates() throws {
        let fixture = try PlaybackFixture(frameCount: 8)
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        player.play()
        fixture.advance(frames: 4)
        XCTAssertNil(item.accessLog())
        XCTAssertNil(item.errorLog())
        XCTAssertNil(item.currentDate())
        XCTAssertFalse(item.seek(to: Date(timeIntervalSince1970: 0), completionHandler: nil))
        XCTAssertFalse(player.isExternalPlaybackActive)
        XCTAssertFalse(AVPlayer.eligibleForHDRPlayback)
    }
}
