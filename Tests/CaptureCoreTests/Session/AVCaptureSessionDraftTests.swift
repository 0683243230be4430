import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore
@testable import MediaAssets

/// Tests changes of devices in an open configuration of their session.
final class AVCaptureSessionDraftTests: XCTestCase {
    private func makeStage() throws -> (CaptureFixture, AVCaptureSession, RecordingFrames, AVCaptureDevice) {
        let fixture = try CaptureFixture(profile: "phone")
        let frames = RecordingFrames()
        let video = fixture.run { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video])
        return (fixture, session, frames, try fixture.device("phone.back-wide"))
    }

    func testFormatAndFrameDurationsApplyTogetherAtTheCommit() throws {
        let (fixture, session, frames, camera) = try makeStage()
        session.startRunning()
        fixture.advance(milliseconds: 90)
        let fast = try XCTUnwrap(
            camera.formats.first {
                $0.formatDescription.dimensions.width == 1280
                    && $0.videoSupportedFrameRateRanges.first?.maxFrameRate == 60
            })
        session.beginConfiguration()
        try camera.lockForConfiguration()
        camera.activeFormat = fast
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 60)
        camera.unlockForConfiguration()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(frames.counters, [0, 1, 2, 3, 4, 5], "the old configuration is in effect until the commit")
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640])
        session.commitConfiguration()
        frames.clear()
        fixture.advance(milliseconds: 990)
        XCTAssertEqual(frames.frames.count, 60)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [1280])
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAFrameDurationAloneWaitsForTheCommitAndCostsNoFrame() throws {
        let (fixture, session, frames, camera) = try makeStage()
        session.startRunning()
        fixture.advance(milliseconds: 90)
        session.beginConfiguration()
        try camera.lockForConfiguration()
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        camera.unlockForConfiguration()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(frames.frames.count, 6)
        session.commitConfiguration()
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(frames.counters, (0..<16).map { UInt32($0) })
        session.stopRunning()
    }

    func testARejectedConfigurationRestoresTheFormat() throws {
        let (fixture, session, frames, camera) = try makeStage()
        session.startRunning()
        fixture.advance(milliseconds: 50)
        let before = camera.activeFormat
        try camera.lockForConfiguration()
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        camera.unlockForConfiguration()
        let microphone = try fixture.input("phone.microphone")
        try fixture.host.schedule(.refuseOpen(count: 1), uniqueID: "phone.microphone", at: .time(.zero))
        session.beginConfiguration()
        session.addInput(microphone)
        session.addOutput(fixture.run { AVCaptureAudioDataOutput() })
        try camera.lockForConfiguration()
        camera.activeFormat = camera.formats[0]
        camera.unlockForConfiguration()
        session.commitConfiguration()
        XCTAssertTrue(session.isRunning)
        XCTAssertTrue(camera.activeFormat === before)
        XCTAssertEqual(session.sessionPreset, .vga640x480)
        XCTAssertEqual(camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 15))
        frames.clear()
        fixture.advance(milliseconds: 990)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640])
        XCTAssertEqual(frames.frames.count, 15)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAPresetReplacesAFormatThatWasSetBefore() throws {
        let (fixture, session, _, camera) = try makeStage()
        let before = camera.activeFormat
        try camera.lockForConfiguration()
        session.beginConfiguration()
        camera.activeFormat = camera.formats[0]
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        session.sessionPreset = .vga640x480
        session.commitConfiguration()
        XCTAssertTrue(camera.activeFormat === before)
        session.beginConfiguration()
        session.sessionPreset = .hd1280x720
        camera.activeFormat = camera.formats[0]
        session.commitConfiguration()
        XCTAssertTrue(camera.activeFormat === camera.formats[0])
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        camera.unlockForConfiguration()
        fixture.assertNoMisuse()
    }

    func testADeviceStillReportsToTheSessionUntilItsRemovalIsCommitted() throws {
        let (fixture, session, _, _) = try makeStage()
        let notifications = RecordingNotifications(fixture)
        session.startRunning()
        fixture.advance(milliseconds: 50)
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        try fixture.host.setInUse(true, uniqueID: "phone.back-wide")
        fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop"])
        session.commitConfiguration()
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop", "interruption ended", "start"])
        session.stopRunning()
    }

    func testConnectionSettingsReadBackImmediatelyAndApplyWithTheCommit() throws {
        let (fixture, session, frames, _) = try makeStage()
        let connection = try XCTUnwrap(session.connections.first)
        let reported = Lock<[Bool]>([])
        let observation = connection.observe(\.isEnabled, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? true) }
        }
        session.startRunning()
        fixture.advance(milliseconds: 50)
        session.beginConfiguration()
        session.beginConfiguration()
        connection.videoRotationAngle = 90
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = true
        connection.preferredVideoStabilizationMode = .standard
        session.commitConfiguration()
        XCTAssertEqual(connection.videoRotationAngle, 90)
        XCTAssertEqual(connection.videoOrientation, .portrait)
        XCTAssertTrue(connection.isVideoMirrored)
        XCTAssertEqual(connection.preferredVideoStabilizationMode, .standard)
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(frames.counters, [0, 1, 2, 3])
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640], "frames are unchanged until the commit")
        session.commitConfiguration()
        frames.clear()
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [480])
        session.beginConfiguration()
        connection.isEnabled = false
        XCTAssertFalse(connection.isEnabled)
        frames.clear()
        fixture.advance(milliseconds: 50)
        XCTAssertGreaterThan(frames.frames.count, 0)
        session.commitConfiguration()
        frames.clear()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(frames.frames.count, 0)
        XCTAssertEqual(reported.withLock { $0 }, [false])
        observation.invalidate()
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testARejectedConfigurationRestoresConnectionSettings() throws {
        let (fixture, session, frames, _) = try makeStage()
        let connection = try XCTUnwrap(session.connections.first)
        session.startRunning()
        fixture.advance(milliseconds: 50)
        let microphone = try fixture.input("phone.microphone")
        try fixture.host.schedule(.refuseOpen(count: 1), uniqueID: "phone.microphone", at: .time(.zero))
        session.beginConfiguration()
        connection.isEnabled = false
        connection.videoRotationAngle = 270
        session.addInput(microphone)
        session.addOutput(fixture.run { AVCaptureAudioDataOutput() })
        session.commitConfiguration()
        XCTAssertTrue(session.isRunning)
        XCTAssertTrue(connection.isEnabled)
        XCTAssertEqual(connection.videoRotationAngle, 0)
        frames.clear()
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAConnectionIsActiveFromItsCommitUntilItsRemovalIsCommitted() throws {
        let (fixture, session, _, _) = try makeStage()
        let photo = fixture.run { AVCapturePhotoOutput() }
        session.beginConfiguration()
        session.addOutput(photo)
        let connection = try XCTUnwrap(photo.connection(with: .video))
        XCTAssertFalse(connection.isActive)
        session.commitConfiguration()
        XCTAssertTrue(connection.isActive)
        session.beginConfiguration()
        session.removeOutput(photo)
        XCTAssertEqual(photo.connections, [])
        XCTAssertTrue(connection.isActive)
        session.commitConfiguration()
        XCTAssertFalse(connection.isActive)
        fixture.assertNoMisuse()
    }

    func testRemovedInputsAndOutputsAreFreeAfterTheCommit() throws {
        let (fixture, session, _, _) = try makeStage()
        let other = fixture.run { AVCaptureSession() }
        let (input, output) = (session.inputs[0], session.outputs[0])
        session.beginConfiguration()
        session.removeInput(input)
        session.removeOutput(output)
        XCTAssertFalse(other.canAddInput(input))
        XCTAssertFalse(other.canAddOutput(output))
        fixture.assertMisuse(.invalidArgument) { other.addOutput(output) }
        // The same session can add them again.
        session.addInput(input)
        session.addOutput(output)
        XCTAssertEqual(session.connections.count, 1)
        session.removeInput(input)
        session.removeOutput(output)
        session.commitConfiguration()
        XCTAssertTrue(other.canAddInput(input))
        XCTAssertTrue(other.canAddOutput(output))
        // An addition that was not committed is free immediately.
        let photo = fixture.run { AVCapturePhotoOutput() }
        session.beginConfiguration()
        session.addOutput(photo)
        XCTAssertFalse(other.canAddOutput(photo))
        session.removeOutput(photo)
        XCTAssertTrue(other.canAddOutput(photo))
        session.commitConfiguration()
        fixture.assertNoMisuse()
    }

    func testThePortsOfADeviceAreFoundByMediumTypeAndPosition() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let input = try fixture.input("phone.front")
        let searches: [(AVMediaType?, AVCaptureDevice.DeviceType?, AVCaptureDevice.Position, Int)] = [
            (nil, nil, .unspecified, 2), (.video, nil, .front, 1), (.metadataObject, nil, .front, 1),
            (.video, .builtInWideAngleCamera, .unspecified, 1),
            (.audio, nil, .unspecified, 0), (.video, nil, .back, 0), (.video, .builtInTelephotoCamera, .front, 0),
        ]
        for (media, type, position, count) in searches {
            let ports = input.ports(for: media, sourceDeviceType: type, sourceDevicePosition: position)
            XCTAssertEqual(ports.count, count, "\(String(describing: media)) \(position)")
        }
        let port = try XCTUnwrap(input.ports.first)
        XCTAssertTrue(port.input === input)
        XCTAssertEqual(port.sourceDeviceType, .builtInWideAngleCamera)
        XCTAssertEqual(port.sourceDevicePosition, .front)
    }

    func testExposureAndFrameDurationLimitEachOther() throws {
        let (fixture, session, _, camera) = try makeStage()
        session.startRunning()
        fixture.advance(milliseconds: 50)
        try camera.lockForConfiguration()
        XCTAssertEqual(camera.activeVideoMaxFrameDuration, CMTime(value: 1, timescale: 30))
        camera.setExposureModeCustom(duration: CMTime(value: 1, timescale: 5), iso: AVCaptureDevice.currentISO)
        XCTAssertEqual(camera.activeVideoMaxFrameDuration.seconds, 0.2, accuracy: 1e-6)
        XCTAssertEqual(camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        XCTAssertEqual(camera.exposureDuration.seconds, 0.1, accuracy: 1e-6)
        XCTAssertEqual(camera.activeVideoMaxFrameDuration.seconds, 0.1, accuracy: 1e-6)
        camera.unlockForConfiguration()
        session.stopRunning()
        fixture.assertNoMisuse()
    }
}
