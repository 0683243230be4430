import CaptureHAL
import Foundation
import MediaTypes
import QuartzCore
import XCTest

@testable import CaptureCore

final class RotationCoordinatorTests: XCTestCase {
    /// Rotates the device to each orientation and returns the capture angles in degrees.
    private func captureAngles(
        _ bench: CaptureFixture, _ coordinator: AVCaptureDevice.RotationCoordinator
    ) -> [CGFloat] {
        DeviceOrientation.allCases.map { orientation in
            bench.system.orientation.rotate(to: orientation)
            bench.advance(milliseconds: 0)
            return coordinator.videoRotationAngleForHorizonLevelCapture
        }
    }

    func testTheCaptureAngleFollowsTheDeviceOrientation() throws {
        let bench = try CaptureFixture(profile: "phone")
        let (back, front) = (try bench.device("phone.back-wide"), try bench.device("phone.front"))
        let coordinator = AVCaptureDevice.RotationCoordinator(device: back, previewLayer: nil)
        XCTAssertTrue(coordinator.device === back)
        // Unknown, portrait, upside down, landscape left and right; face up and face down keep the last orientation.
        XCTAssertEqual(captureAngles(bench, coordinator), [0, 90, 270, 0, 180, 180, 180])
        bench.system.orientation.rotate(to: .portrait)
        let frontCoordinator = AVCaptureDevice.RotationCoordinator(device: front, previewLayer: nil)
        // In portrait all cameras need the same rotation; in landscape the front camera, which faces the other way,
        // needs the rotation of the back camera in the opposite landscape orientation.
        XCTAssertEqual(captureAngles(bench, frontCoordinator), [90, 90, 270, 180, 0, 0, 0])
    }

    func testVideoOrientationMatchesTheRotationAngleOfTheDeviceOrientation() throws {
        let videoOrientations: [(DeviceOrientation, AVCaptureVideoOrientation)] = [
            (.portrait, .portrait), (.portraitUpsideDown, .portraitUpsideDown), (.landscapeLeft, .landscapeRight),
            (.landscapeRight, .landscapeLeft),
        ]
        for id in ["phone.back-wide", "phone.front", "phone.front-true-depth", "phone.back-dual"] {
            let bench = try CaptureFixture(profile: "phone", scene: .chart)
            let frames = RecordingFrames(keepsSamples: true)
            let output = bench.run { AVCaptureVideoDataOutput() }
            output.setSampleBufferDelegate(frames, queue: frames.queue)
            let session = try bench.makeSession(camera: id, microphone: nil, preset: .vga640x480, [output])
            let connection = try XCTUnwrap(output.connection(with: .video))
            let coordinator = AVCaptureDevice.RotationCoordinator(device: try bench.device(id), previewLayer: nil)
            XCTAssertEqual(connection.videoOrientation, id.contains("front") ? .landscapeLeft : .landscapeRight, id)
            session.startRunning()
            for (deviceOrientation, videoOrientation) in videoOrientations {
                bench.system.orientation.rotate(to: deviceOrientation)
                bench.advance(milliseconds: 0)
                let angle = coordinator.videoRotationAngleForHorizonLevelCapture
                connection.videoOrientation = videoOrientation
                XCTAssertEqual(connection.videoRotationAngle, angle, "\(id), \(deviceOrientation)")
                connection.videoRotationAngle = 0
                connection.videoRotationAngle = angle
                XCTAssertEqual(connection.videoOrientation, videoOrientation, "\(id), \(deviceOrientation)")
                frames.clear()
                bench.advance(milliseconds: 40)
                let isPortrait = videoOrientation == .portrait || videoOrientation == .portraitUpsideDown
                XCTAssertEqual(Set(frames.frames.map(\.width)), [isPortrait ? 480 : 640])
            }
            session.stopRunning()
        }
    }

    func testAnExternalCameraNeedsNoRotation() throws {
        let bench = try CaptureFixture()
        let coordinator = AVCaptureDevice.RotationCoordinator(
            device: try bench.device(CaptureFixture.camera), previewLayer: CALayer())
        XCTAssertEqual(Set(captureAngles(bench, coordinator)), [0])
    }

    func testThePreviewAngleFollowsTheInterfaceAndRequiresALayer() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try bench.device("phone.back-wide")
        var layer: CALayer? = CALayer()
        let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: layer)
        let orientation = bench.system.orientation
        orientation.rotate(to: .portrait)
        orientation.lockInterface(to: .portrait)
        orientation.rotate(to: .landscapeRight)
        bench.advance(milliseconds: 0)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelPreview, 90)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelCapture, 180)
        orientation.lockInterface(to: nil)
        bench.advance(milliseconds: 0)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelPreview, 180)
        layer = nil
        XCTAssertNil(coordinator.previewLayer)
        XCTAssertNil(layer)
        XCTAssertEqual(coordinator.videoRotationAngleForHorizonLevelPreview, 0)
    }

    func testObserversAreNotifiedOnTheMainQueue() throws {
        let bench = try CaptureFixture(profile: "phone")
        let layer = CALayer()
        let coordinator = AVCaptureDevice.RotationCoordinator(
            device: try bench.device("phone.back-wide"), previewLayer: layer)
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
        bench.system.orientation.lockInterface(to: .portraitUpsideDown)
        bench.system.orientation.rotate(to: .portrait)
        bench.system.orientation.rotate(to: .faceUp)
        bench.advance(milliseconds: 0)
        XCTAssertEqual(reported.withLock { $0 }, [[90], [270, 0]])
        for observation in observations { observation.invalidate() }
    }
}
