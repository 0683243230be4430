import XCTest

@testable import CaptureCore

final class RunnerChangesTests: XCTestCase {
    private typealias Changes = RunnerChanges<String, Int>

    private func required(_ key: String, _ plan: Int = 0, isConnected: Bool = true) -> Changes.RequiredDevice {
        Changes.RequiredDevice(key: key, plan: plan, isConnected: isConnected)
    }

    /// Plans are compatible if their tens are equal.
    private func changes(_ required: [Changes.RequiredDevice], _ running: [(key: String, plan: Int)]) -> Changes {
        Changes(required: required, running: running) { $0 / 10 == $1 / 10 }
    }

    private func kept(_ changes: Changes) -> [Int?] {
        changes.decisions.map { decision in
            if case .keep(let plan) = decision { return plan }
            return nil
        }
    }

    func testACompatibleDeviceContinuesWithItsNewPlan() {
        let changes = changes([required("camera", 12)], [("camera", 11)])
        XCTAssertEqual(kept(changes), [12])
        // The devices that continue are excluded, because they must not start again.
        XCTAssertTrue(changes.starts(excluding: ["camera"]).isEmpty)
    }

    func testAnIncompatibleDeviceStopsAndStartsAgain() {
        let changes = changes([required("camera", 21)], [("camera", 11)])
        XCTAssertEqual(kept(changes), [nil])
        XCTAssertEqual(changes.starts(excluding: []).map(\.plan), [21])
    }

    func testADeviceThatIsNotRequiredStopsAndTheOthersContinue() {
        let changes = changes([required("back"), required("microphone")], [("front", 0), ("microphone", 0)])
        XCTAssertEqual(kept(changes), [nil, 0])
        XCTAssertEqual(changes.starts(excluding: ["microphone"]).map(\.key), ["back"])
    }

    func testADisconnectedDeviceDoesNotPreventTheOthersFromRunning() {
        let changes = changes([required("camera", isConnected: false), required("microphone")], [])
        XCTAssertEqual(changes.starts(excluding: []).map(\.key), ["microphone"])
    }

    func testARunningDeviceIsKeptWhenItIsDisconnected() {
        // Its stream reports the disconnection.
        let changes = changes([required("camera", 1, isConnected: false)], [("camera", 1)])
        XCTAssertEqual(kept(changes), [1])
    }

    func testIfAllDevicesAreDisconnectedTheyAreStarted() {
        // Opening one of them reports the error.
        let changes = changes([required("camera", isConnected: false)], [])
        XCTAssertEqual(changes.starts(excluding: []).map(\.key), ["camera"])
    }
}
