import XCTest

@testable import CaptureCore

final class RunnerChangesTests: XCTestCase {
    private typealias Changes = RunnerChanges<String, Int>

    private func wanted(_ key: String, _ plan: Int = 0, isConnected: Bool = true) -> Changes.Wanted {
        Changes.Wanted(key: key, plan: plan, isConnected: isConnected)
    }

    /// Plans are compatible if their tens are equal.
    private func changes(_ wanted: [Changes.Wanted], _ running: [(key: String, plan: Int)]) -> Changes {
        Changes(wanted: wanted, running: running) { $0 / 10 == $1 / 10 }
    }

    private func kept(_ changes: Changes) -> [Int?] {
        changes.decisions.map { decision in
            if case .keep(let plan) = decision { return plan }
            return nil
        }
    }

    func testACompatibleDeviceContinuesWithItsNewPlan() {
        let changes = changes([wanted("camera", 12)], [("camera", 11)])
        XCTAssertEqual(kept(changes), [12])
        XCTAssertTrue(changes.starts(besides: ["camera"]).isEmpty)
    }

    func testAnIncompatibleDeviceStopsAndStartsAgain() {
        let changes = changes([wanted("camera", 21)], [("camera", 11)])
        XCTAssertEqual(kept(changes), [nil])
        XCTAssertEqual(changes.starts(besides: []).map(\.plan), [21])
    }

    func testADeviceThatIsNotWantedStopsBesideTheOthers() {
        let changes = changes([wanted("back"), wanted("microphone")], [("front", 0), ("microphone", 0)])
        XCTAssertEqual(kept(changes), [nil, 0])
        XCTAssertEqual(changes.starts(besides: ["microphone"]).map(\.key), ["back"])
    }

    func testADisconnectedDeviceDoesNotPreventTheOthersFromRunning() {
        let changes = changes([wanted("camera", isConnected: false), wanted("microphone")], [])
        XCTAssertEqual(changes.starts(besides: []).map(\.key), ["microphone"])
    }

    func testADisconnectedDeviceThatRunsReportsTheDisconnectionItself() {
        let changes = changes([wanted("camera", 1, isConnected: false)], [("camera", 1)])
        XCTAssertEqual(kept(changes), [1])
    }

    func testWithAllDevicesDisconnectedTheStartMustFail() {
        let changes = changes([wanted("camera", isConnected: false)], [])
        XCTAssertEqual(changes.starts(besides: []).map(\.key), ["camera"])
    }
}
