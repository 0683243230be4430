import CaptureHAL
import XCTest

@testable import CaptureCore

final class SessionRunStateTests: XCTestCase {
    private func running() -> SessionRunState {
        var state = SessionRunState()
        state.start()
        _ = state.devicesDidStart()
        return state
    }

    func testAStartedSessionRunsItsDevicesAndNotifiesOnce() {
        var state = SessionRunState()
        XCTAssertEqual(state.action, .none)
        state.start()
        XCTAssertEqual(state.action, .run)
        XCTAssertFalse(state.isRunning)
        XCTAssertEqual(state.devicesDidStart(), .didStartRunning)
        XCTAssertTrue(state.isRunning)
        XCTAssertEqual(state.action, .run, "a running session follows its configuration")
        XCTAssertNil(state.devicesDidStart())
    }

    func testAStoppedSessionStopsItsDevices() {
        var state = running()
        state.stop()
        XCTAssertEqual(state.action, .stop)
        XCTAssertEqual(state.devicesDidStop(), .stopped)
        XCTAssertEqual(state.action, .none)
        XCTAssertNil(state.devicesDidStop())
    }

    func testASessionThatIsNotStartedCannotBeInterrupted() {
        var state = SessionRunState()
        XCTAssertNil(state.update(.notAvailableInBackground))
        XCTAssertNil(state.interruption)
    }

    func testAnInterruptionStopsTheDevicesAndKeepsTheStart() {
        var state = running()
        XCTAssertEqual(state.update(.notAvailableInBackground), .wasInterrupted(.notAvailableInBackground))
        XCTAssertEqual(state.action, .stop)
        XCTAssertEqual(state.devicesDidStop(), .interrupted(.notAvailableInBackground))
        XCTAssertTrue(state.isStarted)
        XCTAssertEqual(state.action, .none)
        XCTAssertEqual(state.update(nil), .interruptionEnded)
        XCTAssertEqual(state.action, .run)
    }

    func testAStartDuringAnInterruptionTakesEffectAtItsEnd() {
        var state = running()
        state.stop()
        _ = state.devicesDidStop()
        state.start()
        XCTAssertEqual(state.update(.videoInUseByAnotherClient), .wasInterrupted(.videoInUseByAnotherClient))
        XCTAssertFalse(state.shouldRun)
        XCTAssertEqual(state.update(nil), .interruptionEnded)
        XCTAssertTrue(state.shouldRun)
    }

    func testAReasonThatReplacesAnotherIsNotAnEvent() {
        var state = running()
        _ = state.update(.notAvailableInBackground)
        XCTAssertNil(state.update(.notAvailableDueToSystemPressure))
        XCTAssertEqual(state.interruption, .notAvailableDueToSystemPressure)
        XCTAssertEqual(state.devicesDidStop(), .interrupted(.notAvailableDueToSystemPressure))
    }

    func testASessionThatIsStoppedDuringAnInterruptionStaysInterrupted() {
        var state = running()
        _ = state.update(.notAvailableInBackground)
        _ = state.devicesDidStop()
        state.stop()
        XCTAssertNil(state.update(.notAvailableInBackground))
        XCTAssertEqual(state.interruption, .notAvailableInBackground)
        XCTAssertEqual(state.update(nil), .interruptionEnded)
        XCTAssertEqual(state.action, .none)
        XCTAssertNil(state.update(.notAvailableInBackground))
    }

    /// In all sequences of five events, the state is consistent, and the events of each kind alternate.
    func testTheStateIsConsistentAfterAllSequencesOfEvents() {
        func visit(_ state: SessionRunState, _ lastRun: Bool, _ lastInterrupted: Bool, _ depth: Int) {
            guard depth > 0 else { return }
            for step in 0..<5 {
                var (state, isRunning, isInterrupted) = (state, lastRun, lastInterrupted)
                switch step {
                case 0: state.start()
                case 1: state.stop()
                default:
                    let reasons: [CaptureHAL.InterruptionReason?] = [
                        nil, .notAvailableInBackground, .videoInUseByAnotherClient,
                    ]
                    switch state.update(reasons[step - 2]) {
                    case .wasInterrupted?:
                        XCTAssertFalse(isInterrupted)
                        isInterrupted = true
                    case .interruptionEnded?:
                        XCTAssertTrue(isInterrupted)
                        isInterrupted = false
                    case nil: break
                    default: XCTFail("update caused an event of the devices")
                    }
                }
                XCTAssertEqual(isInterrupted, state.interruption != nil)
                switch state.action {
                case .run:
                    XCTAssertEqual(state.devicesDidStart() != nil, !isRunning)
                    isRunning = true
                case .stop:
                    XCTAssertNotNil(state.devicesDidStop())
                    XCTAssertTrue(isRunning)
                    isRunning = false
                case .none: break
                }
                XCTAssertEqual(state.isRunning, state.shouldRun)
                XCTAssertEqual(state.isRunning, isRunning)
                visit(state, isRunning, isInterrupted, depth - 1)
            }
        }
        visit(SessionRunState(), false, false, 5)
    }
}
