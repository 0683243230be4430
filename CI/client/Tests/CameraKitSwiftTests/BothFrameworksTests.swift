import CameraKit
import CaptureTesting
import CoreImage
import Photos
import Testing
import UIKit
import XCTest

// One file can contain tests of both frameworks.

/// A test of Swift Testing in virtual time.
@Suite(.simulated(profile: "phone")) struct SimulatedCameraTests {
    @Test func theSessionOfTheAppRuns() async throws {
        let controller = CameraController()
        let error = await withCheckedContinuation { continuation in
            controller.start { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        #expect(controller.session.isRunning)
        await withCheckedContinuation { continuation in controller.stop { continuation.resume() } }
    }
}

/// A test of XCTest in virtual time.
final class SimulatedCameraXCTests: XCTestCase {
    func testTheSessionOfTheAppRuns() throws {
        let simulated = try SimulatedSystem(profile: "phone")
        let controller = CameraController()
        controller.start { XCTAssertNil($0) }
        simulated.advance(by: .seconds(1))
        XCTAssertTrue(controller.session.isRunning)
        controller.stop {}
        simulated.advance(by: .seconds(1))
        XCTAssertFalse(controller.session.isRunning)
    }
}
