import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class PrerollTests: XCTestCase {
    private let results = Lock<[Bool]>([], order: .client)

    private func preroll(_ player: AVPlayer, atRate rate: Float = 1) {
        player.preroll(atRate: rate) { [results] isFinished in results.withLock { $0.append(isFinished) } }
    }

    func testAPrerollCompletesWithoutPassingTime() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        let start = fixture.clock.now
        preroll(player)
        XCTAssertEqual(results.withLock { $0 }, [], "the completion handler runs later")
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [true])
        XCTAssertEqual(fixture.clock.now, start)
        XCTAssertEqual(player.rate, 0)
    }

    func testACancellationPlaybackAStepAndAnItemChangeInterruptAPreroll() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        preroll(player)
        player.cancelPendingPrerolls()
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [false])
        preroll(player)
        player.play()
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [false, false])
        preroll(player)
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [false, false, false], "a preroll fails during playback")
        player.pause()
        preroll(player)
        player.currentItem?.step(byCount: 1)
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [false, false, false, false])
        preroll(player)
        player.replaceCurrentItem(with: nil)
        fixture.clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [false, false, false, false, false])
    }

    func testAPrerollWithoutAReadyItemIsMisuse() throws {
        let messages = Lock<[String]>([], order: .client)
        let system = CaptureSystem(
            hosts: [], clock: SimClock(),
            misuse: MisuseHandler { report in messages.withLock { $0.append(report.message) } })
        let player = system.run { AVPlayer() }
        preroll(player)
        XCTAssertEqual(messages.withLock { $0.count }, 1)
    }
}
