import AssetTypes
import CaptureHAL
import XCTest

@testable import CaptureCore

final class InterruptionCausesTests: XCTestCase {
    func testWithoutAConditionNothingInterrupts() {
        XCTAssertNil(InterruptionCauses(media: [.video, .audio], devices: [.init(), .init(isCamera: false)]).reason)
    }

    func testAnInterruptionOfTheSystemAppliesToTheMediaOfTheSession() {
        for reason in CaptureHAL.InterruptionReason.allCases {
            let isOfAudio = reason == .audioInUseByAnotherClient
            XCTAssertEqual(InterruptionCauses(system: [reason], media: [.video]).reason, isOfAudio ? nil : reason)
            XCTAssertEqual(InterruptionCauses(system: [reason], media: [.audio]).reason, isOfAudio ? reason : nil)
            XCTAssertNil(InterruptionCauses(system: [reason]).reason)
        }
    }

    func testTheFirstInterruptionOfTheSystemThatAppliesIsTheReason() {
        let causes = InterruptionCauses(
            system: [.audioInUseByAnotherClient, .sensitiveContentMitigationActivated, .notAvailableInBackground],
            media: [.video], devices: [.init(isInUse: true)])
        XCTAssertEqual(causes.reason, .sensitiveContentMitigationActivated)
    }

    func testMultitaskingKeepsTheCameraAvailable() {
        let causes = InterruptionCauses(
            system: [.notAvailableWithMultipleForegroundApps], media: [.video], allowsMultitasking: true)
        XCTAssertNil(causes.reason)
    }

    func testTheReasonForADeviceInUseDependsOnItsMediaType() {
        XCTAssertEqual(InterruptionCauses(devices: [.init(isInUse: true)]).reason, .videoInUseByAnotherClient)
        XCTAssertEqual(
            InterruptionCauses(devices: [.init(), .init(isCamera: false, isInUse: true)]).reason,
            .audioInUseByAnotherClient)
    }

    func testOnlyACameraIsShutDownByPressure() {
        XCTAssertEqual(
            InterruptionCauses(devices: [.init(isShutDownByPressure: true)]).reason, .notAvailableDueToSystemPressure)
        XCTAssertNil(InterruptionCauses(devices: [.init(isCamera: false, isShutDownByPressure: true)]).reason)
    }

    func testADisconnectedDeviceInterruptsNothing() {
        let disconnected = InterruptionCauses.Device(isConnected: false, isInUse: true, isShutDownByPressure: true)
        XCTAssertNil(InterruptionCauses(devices: [disconnected]).reason)
    }
}
