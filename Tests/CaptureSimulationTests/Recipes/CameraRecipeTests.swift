import AVFoundation
import CaptureTesting
import Photos
import XCTest

/// The recipes of docs/testing.md for photos, movies, light, codes, faces, rotation and the Camera Control.
final class CameraRecipeTests: XCTestCase {
    func testASwitchWhileRecording() throws {
        // recipe: switch while recording
        let simulated = try SimulatedSystem(scene: .grey)
        let camera = RecipeCamera()
        let movie = simulated.folder.appendingPathComponent("clip.mov")
        camera.start()
        simulated.advance(until: { camera.state == .running })
        camera.startRecording(to: movie)
        simulated.advance(by: .seconds(2))
        camera.switchCamera()
        simulated.advance(by: .seconds(1))

        XCTAssertNil(camera.recordingError)
        XCTAssertEqual(AVURLAsset(url: movie).duration.seconds, 2, accuracy: 0.1)
        XCTAssertEqual(camera.cameraName, "Front Camera")
        // end
    }

    func testPicturesAndMovies() throws {
        // recipe: pictures and movies
        let simulated = try SimulatedSystem(scene: .grey)
        let camera = RecipeCamera()
        let movie = simulated.folder.appendingPathComponent("clip.mov")
        camera.start()
        simulated.advance(by: .seconds(1))
        camera.takePhoto()
        camera.startRecording(to: movie)
        simulated.advance(by: .seconds(2))
        camera.stopRecording()
        simulated.advance(by: .seconds(1))

        let photo = try XCTUnwrap(camera.lastPhoto)
        XCTAssertPicture(photo, .size(width: 480, height: 640), .brightness(0.3...0.6), .neutral(accuracy: 0.03))
        XCTAssertPicture(photo, .golden("Golden/gray-card.jpg", psnr: 40))
        XCTAssertMovie(
            movie, .playable, .duration(2, accuracy: 0.1), .longestGap(0...0.034), .tracks(.video, .audio, .timecode))
        // end
    }

    func testNothingLeaks() throws {
        // recipe: nothing leaks
        try XCTAssertNoLeaks {
            let simulated = try SimulatedSystem(scene: .grey)
            let camera = RecipeCamera()
            camera.start()
            simulated.advance(until: { camera.state == .running })
            camera.startRecording(to: simulated.folder.appendingPathComponent("clip.mov"))
            camera.takePhoto()
            simulated.advance(by: .seconds(2))
            camera.stopRecording()
            simulated.advance(by: .seconds(1))
        }
        // end
    }

    func testTorchAndLowLight() throws {
        // recipe: torch and low light
        let dark = "scene: 1\nname: dark\nbase: grey\nlight: {illuminance: 1 lx, temperature: 4000 K}\n"
        let simulated = try SimulatedSystem(scene: .file(.init(yaml: dark, file: "dark.yaml")))
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(by: .seconds(2))
        let device = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        XCTAssertTrue(device.isLowLightBoostEnabled)

        camera.setTorch(.auto)
        simulated.advance(by: .seconds(2))
        XCTAssertTrue(device.isTorchActive)
        XCTAssertFalse(device.isLowLightBoostEnabled, "the torch gives enough light")
        // end
    }

    func testCodes() throws {
        // recipe: codes
        let simulated = try SimulatedSystem(scene: .shelf, orientation: .landscapeLeft)
        let camera = RecipeCamera(preset: .hd1280x720, objectTypes: [.qr, .ean13])
        camera.start()
        simulated.advance(by: .milliseconds(200))
        XCTAssertEqual(camera.codes.sorted(), ["4012345678901", "https://example.org/obscura"])
        // end
    }

    func testFaces() throws {
        // recipe: faces
        let simulated = try SimulatedSystem(scene: .portrait, orientation: .landscapeLeft)
        let camera = RecipeCamera(preset: .hd1280x720, objectTypes: [.face])
        camera.start()
        simulated.advance(by: .milliseconds(200))
        XCTAssertEqual(camera.faceCount, 3)
        // end
    }

    func testARotatedDevice() throws {
        // recipe: rotated device
        let simulated = try SimulatedSystem(orientation: .portrait)
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        for isLandscape in [false, true] {
            simulated.system.orientation.rotate(to: isLandscape ? .landscapeLeft : .portrait)
            simulated.advance(by: .milliseconds(100))
            camera.takePhoto()
            simulated.advance(by: .seconds(1))
        }
        let photos = PHAsset.fetchAssets(with: .image, options: nil)
        XCTAssertEqual(photos.count, 2)
        let sizes = Set((0..<photos.count).map { "\(photos[$0].pixelWidth)x\(photos[$0].pixelHeight)" })
        XCTAssertEqual(sizes, ["480x640", "640x480"])
        // end
    }

    func testTheCameraControl() throws {
        // recipe: camera control
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        let button = try XCTUnwrap(simulated.cameraControl)
        XCTAssertTrue(button.adjust("Zoom", to: 2))
        simulated.advance(by: .milliseconds(100))
        XCTAssertEqual(camera.zoomFactor, 2)
        XCTAssertTrue(camera.hidesButtons)
        button.dismiss()
        simulated.advance(by: .milliseconds(100))
        XCTAssertFalse(camera.hidesButtons)
        // end
    }

    func testAPhotoIsSavedToTheLibrary() throws {
        // recipe: save to the library
        let simulated = try SimulatedSystem()
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(until: { camera.state == .running })
        camera.takePhoto()
        simulated.advance(until: { camera.message != nil })
        XCTAssertEqual(camera.message, "photo saved")
        XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 1)

        simulated.system.authorization.set(.denied, for: .photoLibrary)
        simulated.system.authorization.set(.denied, for: .photoLibraryAdditions)
        camera.takePhoto()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.message, "no access to the library")
        // end
    }
}
