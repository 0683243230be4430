import AVFoundation
import CaptureTesting
import XCTest

/// The recipes of docs/testing.md for interruptions and failures of the camera.
final class InterruptionRecipeTests: XCTestCase {
    func testACallDuringARecording() throws {
        // recipe: call
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        camera.startRecording(to: simulated.folder.appendingPathComponent("clip.mov"))
        simulated.advance(by: .seconds(2))

        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        simulated.advance(by: .seconds(30))
        XCTAssertEqual(camera.state, .interrupted(.audioDeviceInUseByAnotherClient))
        XCTAssertEqual(camera.recordingError?.code, .sessionWasInterrupted)

        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .running)
        // end
    }

    func testAnAlarmThatIsDismissed() throws {
        // recipe: alarm
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(by: .seconds(1))
        let count = camera.frameCount
        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        simulated.advance(by: .milliseconds(500))
        XCTAssertEqual(camera.frameCount, count, accuracy: 1)
        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        simulated.advance(by: .seconds(1))
        XCTAssertGreaterThan(camera.frameCount, count + 20)
        // end
    }

    func testTheAppGoesToTheBackground() throws {
        // recipe: background
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        simulated.system.interruptions.begin(.notAvailableInBackground)
        simulated.advance(by: .seconds(60))
        XCTAssertEqual(camera.state, .interrupted(.videoDeviceNotAvailableInBackground))
        simulated.system.interruptions.end(.notAvailableInBackground)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .running)
        // end
    }

    func testAMovieIsFinishedInTheBackground() throws {
        // recipe: background writer
        let simulated = try SimulatedSystem()
        let recorder = RecipeWriter()
        let movie = simulated.folder.appendingPathComponent("clip.mov")
        recorder.start(writingTo: movie)
        simulated.advance(by: .seconds(3))
        simulated.system.interruptions.begin(.notAvailableInBackground)
        simulated.advance(by: .seconds(60))
        XCTAssertEqual(recorder.result, .completed)
        XCTAssertGreaterThan(AVURLAsset(url: movie).duration.seconds, 2)
        // end
    }

    func testAMovieWithoutABackgroundTaskFails() throws {
        let simulated = try SimulatedSystem()
        let recorder = RecipeWriter(beginsBackgroundTask: false)
        let movie = simulated.folder.appendingPathComponent("clip.mov")
        recorder.start(writingTo: movie)
        simulated.advance(by: .seconds(3))
        simulated.system.interruptions.begin(.notAvailableInBackground)
        simulated.advance(by: .seconds(60))
        XCTAssertEqual(recorder.result, .failed)
        XCTAssertEqual(recorder.error?.code, .operationInterrupted)
        XCTAssertFalse(AVURLAsset(url: movie).isPlayable)
    }

    func testAFullDisk() throws {
        // recipe: disk full
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        let movie = simulated.folder.appendingPathComponent("clip.mov")
        camera.start()
        simulated.advance(until: { camera.state == .running })
        camera.startRecording(to: movie)
        simulated.advance(by: .seconds(2))

        simulated.storage.freeByteCount = 0
        XCTAssertTrue(simulated.advance(until: { !camera.isRecording }))
        XCTAssertEqual(camera.recordingError?.code, .diskFull)
        XCTAssertGreaterThan(AVURLAsset(url: movie).duration.seconds, 1)
        // end
    }

    func testACameraIsUnplugged() throws {
        // recipe: unplug
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        try simulated.host.disconnect(uniqueID: "webcam.camera")
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .noCamera)
        camera.takePhoto()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.message, "no camera")

        try simulated.host.reconnect(uniqueID: "webcam.camera")
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .running)
        // end
    }

    func testAHotDevice() throws {
        // recipe: hot device
        let simulated = try SimulatedSystem(scene: .grey)
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(by: .seconds(1))
        try simulated.host.setPressure(.init(.serious), uniqueID: "phone.back-wide")
        simulated.advance(by: .seconds(1))
        let count = camera.frameCount
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(camera.frameCount - count, 30, accuracy: 1, "15 frames per second")

        try simulated.host.setPressure(.init(.shutdown), uniqueID: "phone.back-wide")
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .interrupted(.videoDeviceNotAvailableDueToSystemPressure))
        try simulated.host.setPressure(.nominal, uniqueID: "phone.back-wide")
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .running)
        // end
    }
}
