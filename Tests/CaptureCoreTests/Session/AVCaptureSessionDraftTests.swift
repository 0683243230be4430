import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests changes of devices in an open configuration of their session.
final class AVCaptureSessionDraftTests: XCTestCase {
    /// A session with a phone's back camera, and a recorder of the delivered frames.
    private struct Setup {
        let fixture: CaptureFixture
        let session: AVCaptureSession
        let frames = RecordingFrames()
        let camera: AVCaptureDevice

        init() throws {
            fixture = try CaptureFixture(profile: "phone")
            let video = fixture.inSystem { AVCaptureVideoDataOutput() }
            video.setSampleBufferDelegate(frames, queue: frames.queue)
            session = try fixture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video])
            camera = try fixture.device("phone.back-wide")
        }
    }

    func testFormatAndFrameDurationsApplyTogetherAtTheCommit() throws {
        let setup = try Setup()
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 90)
        let fast = try XCTUnwrap(
            setup.camera.formats.first {
                $0.formatDescription.dimensions.width == 1280
                    && $0.videoSupportedFrameRateRanges.first?.maxFrameRate == 60
            })
        setup.session.beginConfiguration()
        try setup.camera.lockForConfiguration()
        setup.camera.activeFormat = fast
        setup.camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
        setup.camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 60)
        setup.camera.unlockForConfiguration()
        setup.fixture.advance(milliseconds: 100)
        XCTAssertEqual(
            setup.frames.counters, [0, 1, 2, 3, 4, 5], "the old configuration is in effect until the commit")
        XCTAssertEqual(Set(setup.frames.frames.map(\.width)), [640])
        setup.session.commitConfiguration()
        setup.frames.clear()
        setup.fixture.advance(milliseconds: 990)
        XCTAssertEqual(setup.frames.frames.count, 60)
        XCTAssertEqual(Set(setup.frames.frames.map(\.width)), [1280])
        XCTAssertEqual(setup.session.sessionPreset, .inputPriority)
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testAFrameDurationAloneAppliesWithTheCommitWithoutLosingAFrame() throws {
        let setup = try Setup()
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 90)
        setup.session.beginConfiguration()
        try setup.camera.lockForConfiguration()
        setup.camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
        setup.camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        setup.camera.unlockForConfiguration()
        setup.fixture.advance(milliseconds: 100)
        XCTAssertEqual(setup.frames.frames.count, 6)
        setup.session.commitConfiguration()
        setup.fixture.advance(milliseconds: 1000)
        XCTAssertEqual(setup.frames.counters, (0..<16).map { UInt32($0) })
        setup.session.stopRunning()
    }

    func testARejectedConfigurationRestoresTheFormat() throws {
        let setup = try Setup()
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 50)
        let before = setup.camera.activeFormat
        try setup.camera.lockForConfiguration()
        setup.camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        setup.camera.unlockForConfiguration()
        let microphone = try setup.fixture.input("phone.microphone")
        try setup.fixture.host.schedule(.refuseOpen(count: 1), uniqueID: "phone.microphone", at: .time(.zero))
        setup.session.beginConfiguration()
        setup.session.addInput(microphone)
        setup.session.addOutput(setup.fixture.inSystem { AVCaptureAudioDataOutput() })
        try setup.camera.lockForConfiguration()
        setup.camera.activeFormat = setup.camera.formats[0]
        setup.camera.unlockForConfiguration()
        setup.session.commitConfiguration()
        XCTAssertTrue(setup.session.isRunning)
        XCTAssertTrue(setup.camera.activeFormat === before)
        XCTAssertEqual(setup.session.sessionPreset, .vga640x480)
        XCTAssertEqual(setup.camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 15))
        setup.frames.clear()
        setup.fixture.advance(milliseconds: 990)
        XCTAssertEqual(Set(setup.frames.frames.map(\.width)), [640])
        XCTAssertEqual(setup.frames.frames.count, 15)
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testAPresetReplacesAFormatThatWasSetBefore() throws {
        let setup = try Setup()
        let before = setup.camera.activeFormat
        try setup.camera.lockForConfiguration()
        setup.session.beginConfiguration()
        setup.camera.activeFormat = setup.camera.formats[0]
        XCTAssertEqual(setup.session.sessionPreset, .inputPriority)
        setup.session.sessionPreset = .vga640x480
        setup.session.commitConfiguration()
        XCTAssertTrue(setup.camera.activeFormat === before)
        setup.session.beginConfiguration()
        setup.session.sessionPreset = .hd1280x720
        setup.camera.activeFormat = setup.camera.formats[0]
        setup.session.commitConfiguration()
        XCTAssertTrue(setup.camera.activeFormat === setup.camera.formats[0])
        XCTAssertEqual(setup.session.sessionPreset, .inputPriority)
        setup.camera.unlockForConfiguration()
        setup.fixture.assertNoMisuse()
    }

    func testARemovedDeviceInterruptsTheSessionUntilTheCommit() throws {
        let setup = try Setup()
        let notifications = RecordingNotifications(setup.fixture)
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 50)
        setup.session.beginConfiguration()
        setup.session.removeInput(setup.session.inputs[0])
        try setup.fixture.host.setInUse(true, uniqueID: "phone.back-wide")
        setup.fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop"])
        setup.session.commitConfiguration()
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop", "interruption ended", "start"])
        setup.session.stopRunning()
    }

    func testConnectionSettingsCanBeReadImmediatelyAndApplyWithTheCommit() throws {
        let setup = try Setup()
        let connection = try XCTUnwrap(setup.session.connections.first)
        let reported = Lock<[Bool]>([])
        let observation = connection.observe(\.isEnabled, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? true) }
        }
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 50)
        setup.session.beginConfiguration()
        setup.session.beginConfiguration()
        connection.videoRotationAngle = 90
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = true
        connection.preferredVideoStabilizationMode = .standard
        setup.session.commitConfiguration()
        XCTAssertEqual(connection.videoRotationAngle, 90)
        XCTAssertEqual(connection.videoOrientation, .portrait)
        XCTAssertTrue(connection.isVideoMirrored)
        XCTAssertEqual(connection.preferredVideoStabilizationMode, .standard)
        setup.fixture.advance(milliseconds: 50)
        XCTAssertEqual(setup.frames.counters, [0, 1, 2, 3])
        XCTAssertEqual(Set(setup.frames.frames.map(\.width)), [640], "frames are unchanged until the commit")
        setup.session.commitConfiguration()
        setup.frames.clear()
        setup.fixture.advance(milliseconds: 50)
        XCTAssertEqual(Set(setup.frames.frames.map(\.width)), [480])
        setup.session.beginConfiguration()
        connection.isEnabled = false
        XCTAssertFalse(connection.isEnabled)
        setup.frames.clear()
        setup.fixture.advance(milliseconds: 50)
        XCTAssertGreaterThan(setup.frames.frames.count, 0)
        setup.session.commitConfiguration()
        setup.frames.clear()
        setup.fixture.advance(milliseconds: 100)
        XCTAssertEqual(setup.frames.frames.count, 0)
        XCTAssertEqual(reported.withLock { $0 }, [false])
        observation.invalidate()
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testARejectedConfigurationRestoresConnectionSettings() throws {
        let setup = try Setup()
        let connection = try XCTUnwrap(setup.session.connections.first)
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 50)
        let microphone = try setup.fixture.input("phone.microphone")
        try setup.fixture.host.schedule(.refuseOpen(count: 1), uniqueID: "phone.microphone", at: .time(.zero))
        setup.session.beginConfiguration()
        connection.isEnabled = false
        connection.videoRotationAngle = 270
        setup.session.addInput(microphone)
        setup.session.addOutput(setup.fixture.inSystem { AVCaptureAudioDataOutput() })
        setup.session.commitConfiguration()
        XCTAssertTrue(setup.session.isRunning)
        XCTAssertTrue(connection.isEnabled)
        XCTAssertEqual(connection.videoRotationAngle, 0)
        setup.frames.clear()
        setup.fixture.advance(milliseconds: 50)
        XCTAssertEqual(Set(setup.frames.frames.map(\.width)), [640])
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testAConnectionIsActiveFromItsCommitUntilItsRemovalIsCommitted() throws {
        let setup = try Setup()
        let photo = setup.fixture.inSystem { AVCapturePhotoOutput() }
        setup.session.beginConfiguration()
        setup.session.addOutput(photo)
        let connection = try XCTUnwrap(photo.connection(with: .video))
        XCTAssertFalse(connection.isActive)
        setup.session.commitConfiguration()
        XCTAssertTrue(connection.isActive)
        setup.session.beginConfiguration()
        setup.session.removeOutput(photo)
        XCTAssertEqual(photo.connections, [])
        XCTAssertTrue(connection.isActive)
        setup.session.commitConfiguration()
        XCTAssertFalse(connection.isActive)
        setup.fixture.assertNoMisuse()
    }

    func testRemovedInputsAndOutputsCanBeAddedToAnotherSessionAfterTheCommit() throws {
        let setup = try Setup()
        let other = setup.fixture.inSystem { AVCaptureSession() }
        let (input, output) = (setup.session.inputs[0], setup.session.outputs[0])
        setup.session.beginConfiguration()
        setup.session.removeInput(input)
        setup.session.removeOutput(output)
        XCTAssertFalse(other.canAddInput(input))
        XCTAssertFalse(other.canAddOutput(output))
        setup.fixture.assertMisuse(.invalidArgument) { other.addOutput(output) }
        // The same session can add them again.
        setup.session.addInput(input)
        setup.session.addOutput(output)
        XCTAssertEqual(setup.session.connections.count, 1)
        setup.session.removeInput(input)
        setup.session.removeOutput(output)
        setup.session.commitConfiguration()
        XCTAssertTrue(other.canAddInput(input))
        XCTAssertTrue(other.canAddOutput(output))
        // An output that was added and removed before the commit can be added to another session immediately.
        let photo = setup.fixture.inSystem { AVCapturePhotoOutput() }
        setup.session.beginConfiguration()
        setup.session.addOutput(photo)
        XCTAssertFalse(other.canAddOutput(photo))
        setup.session.removeOutput(photo)
        XCTAssertTrue(other.canAddOutput(photo))
        setup.session.commitConfiguration()
        setup.fixture.assertNoMisuse()
    }

    func testThePortsOfADeviceAreFoundByMediaTypeDeviceTypeAndPosition() throws {
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
        let setup = try Setup()
        setup.session.startRunning()
        setup.fixture.advance(milliseconds: 50)
        try setup.camera.lockForConfiguration()
        XCTAssertEqual(setup.camera.activeVideoMaxFrameDuration, CMTime(value: 1, timescale: 30))
        setup.camera.setExposureModeCustom(duration: CMTime(value: 1, timescale: 5), iso: AVCaptureDevice.currentISO)
        XCTAssertEqual(setup.camera.activeVideoMaxFrameDuration.seconds, 0.2, accuracy: 1e-6)
        XCTAssertEqual(setup.camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
        setup.camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        XCTAssertEqual(setup.camera.exposureDuration.seconds, 0.1, accuracy: 1e-6)
        XCTAssertEqual(setup.camera.activeVideoMaxFrameDuration.seconds, 0.1, accuracy: 1e-6)
        setup.camera.unlockForConfiguration()
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }
}
