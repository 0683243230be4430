import AVFoundation
import CaptureTesting
import Photos
import XCTest

@testable import ModernCamera
@testable import RacyCameraControllers

/// The recipes of docs/testing.md for virtual time, the order of work, and several simulated systems.
final class TimeRecipeTests: XCTestCase {
    @MainActor
    func testAnAsyncService() async throws {
        // recipe: async service
        let simulated = try SimulatedSystem(scene: .grey)
        let settings = CaptureSettings(
            preset: .cif352x288, movieFolder: simulated.folder, takesLargestPhotos: false)
        let model = CameraModel(settings: settings)
        await model.start()
        await simulated.wait(until: { model.frameCount > 0 })
        let start = simulated.clock.now
        await model.takePhoto(after: 3)
        XCTAssertEqual((simulated.clock.now - start).seconds, 3, accuracy: 0.5)
        XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 1)
        // end
    }

    func testTimers() throws {
        // recipe: timers
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        camera.takePhoto(after: 10)
        simulated.advance(by: .seconds(8.5))
        XCTAssertEqual(camera.countdown, 2)
        XCTAssertNil(camera.message)
        simulated.advance(by: .seconds(2.5))
        XCTAssertEqual(camera.message, "photo saved")

        camera.takePhoto(after: 10)
        simulated.advance(by: .seconds(5))
        camera.cancelCountdown()
        simulated.advance(by: .seconds(60))
        XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 1)
        // end
    }

    func testSeveralWorlds() throws {
        // recipe: several worlds
        let phone = try SimulatedSystem(profile: "phone")
        let webcam = try SimulatedSystem(profile: "webcam")
        let first = phone.run { RecipeCamera() }
        let second = webcam.run { RecipeCamera() }
        phone.run { first.start() }
        webcam.run { second.start() }
        phone.advance(by: .seconds(1))
        XCTAssertEqual(first.cameraName, "Back Camera")
        XCTAssertEqual(first.frameCount, 30, accuracy: 3)
        webcam.advance(by: .seconds(2))
        XCTAssertEqual(second.cameraName, "USB Webcam")
        XCTAssertEqual(second.frameCount, 60, accuracy: 3)
        XCTAssertEqual(phone.clock.now.seconds, 1)
        // end
    }

    func testARace() throws {
        // recipe: race
        try SimulatedSystem.explore(seeds: 0..<20) { simulated in
            let controller = TorchController(isFixed: true)
            controller.start()
            simulated.advance(by: .milliseconds(200))
            controller.switchCamera()
            controller.turnOnTorch()
            simulated.advance(by: .milliseconds(100))
        }
        // end
    }

    /// The same exploration fails for the controller with the race.
    func testTheRaceIsFound() {
        XCTAssertThrowsError(
            try SimulatedSystem.explore(seeds: 0..<20) { simulated in
                let controller = TorchController(isFixed: false)
                controller.start()
                simulated.advance(by: .milliseconds(200))
                controller.switchCamera()
                controller.turnOnTorch()
                simulated.advance(by: .milliseconds(100))
            }
        ) { error in
            let reason = (error as? ExplorationFailure)?.reason
            XCTAssertEqual(reason?.contains("setTorchMode"), true, "\(error)")
        }
    }
}
