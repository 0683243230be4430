import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import QuartzCore
import XCTest

@testable import CaptureCore
@testable import CapturePreview

final class RotationCoordinatorTests: XCTestCase {
    /// Rotates the device to each orientation and returns the capture angles in degrees.
    private func captureAngles(
        _ fixture: CaptureFixture, _ coordinator: AVCaptureDevice.RotationCoordinator
    ) -> [CGFloat] {
        DeviceOrientation.allCases.map { orientation in
            fixture.system.orientation.rotate(to: orientation)
            fixture.advance(milliseconds: 0)
            return coordinator.videoRotationAngleForHorizonLevelCapture
        }
    }

    func testTheCaptureAngleFollowsTheDeviceOrientation() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (back, front) = (try fixture.device("phone.back-wide"), try fixture.device("phone.front"))
        let coordinator = AVCaptureDevice.RotationCoordinator(device: back, previewLayer: nil)
        XCTAssertTrue(coordinator.device === back)
        // Unknown, portrait, upside down, landscape left and right; face up and face down keep the last orientation.
        XCTAssertEqual(captureAngles(fixture, coordinator), [0, 90, 270, 0, 180, 180, 180])
        fixture.system.orientation.rotate(to: .portrait)
        let frontCoordinator = AVCaptureDevice.RotationCoordinator(device: front, previewLayer: nil)
        // In portrait all cameras need the same rotation; in landscape the front camera, which faces the other way,
        // needs the rotation of the back camera in the opposite landscape orientation.
        XCTAssertEqual(captureAngles(fixture, frontCoordinator), [90, 90, 270, 180, 0, 0, 0])
    }

    func testVideoOrientationMatchesTheRotationAngleOfTheDeviceOrientation() throws {
        let videoOrientations: [(DeviceOrientation, AVCaptureVideoOrientation)] = [
            (.portrait, .portrait), (.portraitUpsideDown, .portraitUpsideDown), (.landscapeLeft, .landscapeRight),
            (.landscapeRight, .landscapeLeft),
        ]
        for id in ["phone.back-wide", "phone.front", "phone.front-true-depth", "phone.back-dual"] {
            let fixture = try CaptureFixture(profile: "phone", scene: .chart)
            let frames = RecordingFrames(keepsSamples: true)
            let output = fixture.inSystem { AVCaptureVideoDataOutput() }
            output.setSampleBufferDelegate(frames, queue: frames.queue)
            let session = try fixture.makeSession(camera: id, microphone: nil, preset: .vga640x480, [output])
            let connection = try XCTUnwrap(output.connection(with: .video))
            let coordinator = AVCaptureDevice.RotationCoordinator(device: try fixture.device(id), previewLayer: nil)
            XCTAssertEqual(connection.videoOrientation, id.contains("front") ? .landscapeLeft : .landscapeRight, id)
            session.startRunning()
            for (deviceOrientation, videoOrientation) in videoOrientations {
                fixture.system.orientation.rotate(to: deviceOrientation)
                fixture.advance(milliseconds: 0)
                let angle = coordinator.videoRotationAngleForHorizonLevelCapture
                connection.videoOrientation = videoOrientation
                XCTAssertEqual(connection.videoRotationAngle, angle, "\(id), \(deviceOrientation)")
                connection.videoRotationAngle = 0
                connection.videoRotationAngle = angle
                XCTAssertEqual(connection.videoOrientation, videoOrientation, "\(id), \(deviceOrientation)")
                frames.clear()
                fixture.advance(milliseconds: 40)
                let isPortrait = videoOrientation == .portrait || videoOrientation == .portraitUpsideDown
                XCTAssertEqual(Set(frames.frames.map(\.width)), [isPortrait ? 480 : 640])
            }
            session.stopRunning()
        }
    }

    func testTheAngleRelativeToAnOrientationIsThatOfADeviceHeldInIt() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let orientations: [(DeviceOrientation, AVCaptureVideoOrientation)] = [
            (.portrait, .portrait), (.portraitUpsideDown, .portraitUpsideDown), (.landscapeLeft, .landscapeRight),
            (.landscapeRight, .landscapeLeft),
        ]
        for id in ["phone.back-wide", "phone.front", "phone.front-true-depth"] {
            let coordinator = AVCaptureDevice.RotationCoordinator(device: try fixture.device(id), previewLayer: nil)
            for (device, video) in orientations {
                let angle = coordinator.videoRotationAngleRelative(toDeviceOrientation: video)
                fixture.system.orientation.rotate(to: device)
                fixture.advance(milliseconds: 0)
                XCTAssertEqual(angle, coordinator.videoRotationAngleForHorizonLevelCapture, "\(id) \(device)")
            }
        }
        let webcam = try CaptureFixture(profile: "webcam")
        let coordinator = AVCaptureDevice.RotationCoordinator(
            device: try webcam.device("webcam.camera"), previewLayer: nil)
        for (_, video) in orientations {
            XCTAssertEqual(coordinator.videoRotationAngleRelative(toDeviceOrientation: video), 0)
        }
    }

    func testAnExternalCameraNeedsNoRotation() throws {
        let fixture = try CaptureFixture()
        let coordinator = AVCaptureDevice.RotationCoordinator(
            device: try fixture.device(CaptureFixture.camera), previewLayer: CALayer())
        XCTAssertEqual(Set(captureAngles(fixture, coordinator)), [0])
    }

    func testThePreviewAngleFollowsTheInterfaceAndRequiresALayer() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        var layer: CALayer? = CALayer()
        let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: layer)
        let orientation = fixture.system.orientation
        orientation.rotate(to: .portrait)
        orientation.lockInterface(to: .portrait)
        orientation.rotate(to: .landscapeRight)
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelPreview, 90)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelCapture, 180)
        orientation.lockInterface(to: nil)
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelPreview, 180)
        layer = nil
        XCTAssertNil(coordinator.previewLayer)
        XCTAssertNil(layer)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelPreview, 0)
    }

    func testObserversAreNotifiedOnTheMainQueue() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let layer = CALayer()
        let coordinator = AVCaptureDevice.RotationCoordinator(
            device: try fixture.device("phone.back-wide"), previewLayer: layer)
        let reported = Lock<[[CGFloat?]]>([])
        let observations = [
            coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: .new) { _, change in
                dispatchPrecondition(condition: .onQueue(.main))
                reported.withLock { $0.append([change.newValue]) }
            },
            coordinator.observe(\.videoRotationAngleForHorizonLevelPreview, options: [.new, .old]) { _, change in
                reported.withLock { $0.append([change.newValue, change.oldValue]) }
            },
        ]
        fixture.system.orientation.lockInterface(to: .portraitUpsideDown)
        fixture.system.orientation.rotate(to: .portrait)
        fixture.system.orientation.rotate(to: .faceUp)
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(reported.withLock { $0 }, [[90], [270, 0]])
        for observation in observations { observation.invalidate() }
    }
}
