import CaptureHAL
import MediaTypes
import XCTest

@testable import Playback

/// Tests the decisions of a player, without a clock.
final class PlayerStateTests: XCTestCase {
    func testTheNextEventIsTheNextCallOfAnObserver() throws {
        var state = makeState()
        state.observers = [makeObserver(.periodic(seconds(1))), makeObserver(.boundaries([seconds(0.25)]))]
        let effects = play(&state, rate: 1)
        XCTAssertEqual(state.next, seconds(0.25))
        XCTAssertEqual(effects.due?.0, seconds(100.25))
        XCTAssertEqual(effects.names, ["rate", "timeControlStatus", "reasonForWaitingToPlay"])
        // The start of playback is reported to the periodic observer.
        XCTAssertEqual(effects.calls.map(\.1), [.zero])

        let first = try XCTUnwrap(state.handleEvent(state.generation, at: seconds(100.25)))
        XCTAssertEqual(first.effects.calls.map(\.1), [seconds(0.25)])
        XCTAssertEqual(first.effects.due?.0, seconds(101))
        XCTAssertNil(first.advance)
    }

    func testAnEventOfAnOutdatedTimerIsIgnored() {
        var state = makeState()
        _ = play(&state, rate: 1)
        XCTAssertNil(state.handleEvent(state.generation - 1, at: seconds(110)))
        XCTAssertEqual(state.rate, 1)
    }

    func testAPlayerThatPausesAtTheEndHasTheRateZero() throws {
        var state = makeState()
        _ = play(&state, rate: 2)
        let end = try XCTUnwrap(state.handleEvent(state.generation, at: seconds(105)))
        XCTAssertEqual(state.rate, 0)
        XCTAssertEqual(state.timeline.time(atHostTime: seconds(200)), seconds(10))
        XCTAssertNil(end.effects.due)
        XCTAssertNil(end.advance)
    }

    func testAPlayerWithoutAnActionAtTheEndKeepsItsRate() throws {
        var state = makeState(.none)
        _ = play(&state, rate: 2)
        _ = try XCTUnwrap(state.handleEvent(state.generation, at: seconds(105)))
        XCTAssertEqual(state.rate, 2)
        XCTAssertTrue(state.isAtEnd)
        XCTAssertEqual(state.effectiveRate, 0)
    }

    func testAQueueAdvancesWhenTheItemEndsButNotInReverse() throws {
        var forward = makeState(.advance)
        _ = play(&forward, rate: 1)
        XCTAssertEqual(try XCTUnwrap(forward.handleEvent(forward.generation, at: seconds(110))).advance, seconds(110))

        var reverse = makeState(.advance)
        reverse.timeline.setTime(seconds(4), atHostTime: seconds(100))
        _ = play(&reverse, rate: -1)
        XCTAssertNil(try XCTUnwrap(reverse.handleEvent(reverse.generation, at: seconds(104))).advance)
        XCTAssertEqual(reverse.rate, 0)
    }

    // MARK: Helpers

    /// Returns the state of a paused player, at host time 100 s, with 10 s of media.
    private func makeState(_ action: AVPlayer.ActionAtItemEnd = .pause) -> PlayerState {
        var state = PlayerState(action: action, timeline: PlaybackTimeline(hostTime: seconds(100)))
        state.limits = (.zero, seconds(10))
        return state
    }

    /// Sets the rate at host time 100 s.
    private func play(_ state: inout PlayerState, rate: Float) -> PlayerState.Effects {
        let old = state
        state.rate = rate
        return state.update(since: old, at: seconds(100), jumps: false)
    }

    private func makeObserver(_ schedule: TimeObserver.Schedule) -> TimeObserver {
        TimeObserver(schedule, on: nil) { _ in }
    }

    private func seconds(_ seconds: Double) -> CMTime {
        CMTime(value: Int64(seconds * 1000), timescale: 1000)
    }
}
