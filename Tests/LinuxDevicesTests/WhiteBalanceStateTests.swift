import CaptureHAL
import XCTest

@testable import LinuxDevices

final class WhiteBalanceStateTests: XCTestCase {
    private func makeState() throws -> WhiteBalanceState {
        let controls = ManualControls([
            .redGain: .number(1...4, step: 0.01, default: 1), .blueGain: .number(1...4, step: 0.01, default: 1),
        ])
        return WhiteBalanceState(try XCTUnwrap(controls.whiteBalance), AutomaticDynamics()) { _ in 1 }
    }

    func testTheLoopStopsIfAllWritesOfGainsFailWhileOtherControlsAreWritten() throws {
        var state = try makeState()
        XCTAssertTrue(state.isAdjusting)
        for _ in 0..<ExposureState.failureLimit {
            state.didFail(.redGain)
            state.didWrite(.exposureDuration, 0.01)
        }
        XCTAssertFalse(state.isAdjusting)
    }

    func testAWrittenGainEndsAChainOfFailures() throws {
        var state = try makeState()
        for _ in 0..<ExposureState.failureLimit {
            state.didFail(.redGain)
            state.didWrite(.blueGain, 1.5)
        }
        XCTAssertTrue(state.isAdjusting)
    }
}
