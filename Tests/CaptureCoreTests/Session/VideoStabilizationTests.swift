import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class VideoStabilizationTests: XCTestCase {
    private func makeBench() throws -> (CaptureFixture, FakeCameraDevice) {
        let camera = Lock<FakeCameraDevice?>(nil)
        let bench = try CaptureFixture { clock in
            let made = try FakeCameraDevice(clock: clock)
            camera.withLock { $0 = made }
            return [FakeHost(made)]
        }
        return (bench, try XCTUnwrap(camera.withLock { $0 }))
    }

    func testAPreferredModeIsActiveIfTheFormatSupportsIt() throws {
        let (bench, camera) = try makeBench()
        let (video, photo) = bench.run { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        let session = try bench.makeSession(
            camera: "fake.camera", microphone: nil, preset: .high, [video, photo])
        let connection = try XCTUnwrap(video.connection(with: .video))
        let device = try bench.device("fake.camera")
        XCTAssertTrue(connection.isVideoStabilizationSupported)
        XCTAssertEqual(photo.connection(with: .video)?.isVideoStabilizationSupported, false)
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        let reported = Lock<[AVCaptureVideoStabilizationMode]>([])
        let observation = connection.observe(\.activeVideoStabilizationMode, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? .auto) }
        }
        connection.preferredVideoStabilizationMode = .standard
        XCTAssertEqual(connection.activeVideoStabilizationMode, .standard)
        connection.preferredVideoStabilizationMode = .cinematicExtended
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        try device.lockForConfiguration()
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 60)
        connection.preferredVideoStabilizationMode = .auto
        XCTAssertEqual(connection.preferredVideoStabilizationMode, .auto)
        bench.advance(milliseconds: 0)
        // At this frame rate only the standard mode is supported.
        XCTAssertEqual(connection.activeVideoStabilizationMode, .standard)
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 30)
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 30)
        XCTAssertEqual(connection.activeVideoStabilizationMode, .cinematic)
        device.activeFormat = device.formats[1]
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        device.unlockForConfiguration()
        bench.advance(milliseconds: 0)
        XCTAssertEqual(reported.withLock { $0.last }, .off)
        XCTAssertEqual(camera.stabilization.withLock { $0 }, [0, 1, 0, 1, 2])
        observation.invalidate()
        withExtendedLifetime(session) {}
        bench.assertNoMisuse()
    }

    func testTheCameraUsesTheStrongestModeOfItsConnections() throws {
        let (bench, camera) = try makeBench()
        let outputs = bench.run { [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()] }
        let session = try bench.makeSession(camera: "fake.camera", microphone: nil, preset: .high, outputs)
        let connections = try outputs.map { try XCTUnwrap($0.connection(with: .video)) }
        connections[0].preferredVideoStabilizationMode = .cinematic
        connections[1].preferredVideoStabilizationMode = .standard
        XCTAssertEqual(camera.stabilization.withLock { $0.last }, 2)
        XCTAssertEqual(connections.map(\.activeVideoStabilizationMode), [.cinematic, .standard])
        session.removeOutput(outputs[0])
        XCTAssertEqual(camera.stabilization.withLock { $0.last }, 1)
        XCTAssertEqual(connections[0].activeVideoStabilizationMode, .off)
    }

    func testFormatsReportTheirModes() throws {
        let (bench, _) = try makeBench()
        let formats = try bench.device("fake.camera").formats
        XCTAssertTrue(formats[0].isVideoStabilizationModeSupported(.cinematic))
        XCTAssertTrue(formats[0].isVideoStabilizationModeSupported(.auto))
        XCTAssertFalse(formats[0].isVideoStabilizationModeSupported(.lowLatency))
        XCTAssertTrue(formats[1].isVideoStabilizationModeSupported(.off))
        XCTAssertFalse(formats[1].isVideoStabilizationModeSupported(.auto))
        let webcam = try CaptureFixture()
        let output = webcam.run { AVCaptureVideoDataOutput() }
        let session = try webcam.makeSession([output])
        let connection = try XCTUnwrap(output.connection(with: .video))
        XCTAssertFalse(connection.isVideoStabilizationSupported)
        connection.preferredVideoStabilizationMode = .auto
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        withExtendedLifetime(session) {}
    }
}
