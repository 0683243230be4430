import CaptureHAL
import CaptureTesting
import MediaTypes
import Photos
import XCTest

@testable import RacyCameraControllers

/// Apps with races between queues or tasks: in the order of submission they work, in some other orders they do not.
final class RacyCameraControllersTests: XCTestCase {
    /// A use of a camera that goes wrong in some orders unless it is fixed; returns what went wrong.
    typealias Use = (_ simulated: SimulatedSystem, _ isFixed: Bool) -> String?

    /// The cameras are switched, and at the same time the button of the torch is pressed.
    static func lightTheTorchWhileSwitching(_ simulated: SimulatedSystem, isFixed: Bool) -> String? {
        let controller = TorchController(isFixed: isFixed)
        controller.start()
        simulated.advance(by: .milliseconds(200))
        controller.switchCamera()
        controller.turnOnTorch()
        simulated.advance(by: .milliseconds(200))
        controller.stop()
        simulated.advance(by: .milliseconds(1))
        return simulated.dequeueMisuses().first?.message
    }

    /// The camera is stopped, and at the same time a photo is taken.
    static func takeAPhotoWhileStopping(_ simulated: SimulatedSystem, isFixed: Bool) -> String? {
        let camera = BoothCamera()
        let booth = PhotoBooth(camera, isFixed: isFixed)
        let isStarted = Lock(false)
        let isAnswered = Lock(false)
        Task {
            try await camera.start()
            isStarted.withLock { $0 = true }
        }
        simulated.advance(until: { isStarted.withLock { $0 } })
        simulated.advance(by: .milliseconds(200))
        Task { await camera.stop() }
        Task {
            // Both a photo and an error are right; no answer is not.
            _ = try? await booth.takePhoto()
            isAnswered.withLock { $0 = true }
        }
        simulated.advance(by: .seconds(1))
        let message = simulated.dequeueMisuses().first?.message
        return message ?? (isAnswered.withLock { $0 } ? nil : "the photo has no result")
    }

    /// The screen appears, and at the same time the app becomes active: both start the camera.
    static func startTwice(_ simulated: SimulatedSystem, isFixed: Bool) -> String? {
        let starter = CameraStarter(isFixed: isFixed)
        let screen = CameraScreen(starter)
        screen.didAppear()
        screen.appDidBecomeActive()
        simulated.advance(by: .milliseconds(500))
        let isRunning = starter.session.isRunning
        Task { await starter.stop() }
        simulated.advance(by: .milliseconds(1))
        return simulated.dequeueMisuses().first?.message ?? (isRunning ? nil : "the session does not run")
    }

    private func check(_ use: Use) throws {
        for isFixed in [false, true] {
            let simulated = try SimulatedSystem(scene: .grey)
            XCTAssertNil(use(simulated, isFixed), isFixed ? "fixed" : "racy")
        }
    }

    func testTheTorchIsNotLitOnTheFrontCamera() throws {
        try check { Self.lightTheTorchWhileSwitching($0, isFixed: $1) }
    }

    func testAPhotoHasAResultIfTheCameraIsStopped() throws {
        try check { Self.takeAPhotoWhileStopping($0, isFixed: $1) }
    }

    func testTheCameraIsConfiguredOnce() throws {
        try check { Self.startTwice($0, isFixed: $1) }
    }
}
