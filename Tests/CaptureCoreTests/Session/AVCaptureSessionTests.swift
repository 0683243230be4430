import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureSessionTests: XCTestCase {
    func testConnectionsAreCreatedAutomaticallyInAnyOrder() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { AVCaptureSession() }
        let (movie, audio, photo) = fixture.inSystem {
            (AVCaptureMovieFileOutput(), AVCaptureAudioDataOutput(), AVCapturePhotoOutput())
        }
        session.addOutput(movie)
        session.addInput(try fixture.input(CaptureFixture.camera))
        session.addInput(try fixture.input(CaptureFixture.microphone))
        session.addOutput(audio)
        session.addOutput(photo)
        XCTAssertEqual(movie.connections.map(\.mediaType), [.video, .audio])
        XCTAssertEqual(audio.connections.map(\.mediaType), [.audio])
        XCTAssertEqual(photo.connections.map(\.mediaType), [.video, .audio])
        XCTAssertEqual(session.connections.count, 5)
        XCTAssertTrue(session.connections.allSatisfy(\.isActive))
        XCTAssertTrue(movie.connection(with: .audio)?.output === movie)
        XCTAssertTrue(photo.connection(with: .audio)?.output === photo)
        fixture.assertNoMisuse()
    }

    func testClientsCanCreateConnectionsManually() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { AVCaptureSession() }
        let frames = RecordingFrames()
        let (output, photo) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let (camera, microphone) = (
            try fixture.input(CaptureFixture.camera), try fixture.input(CaptureFixture.microphone)
        )
        session.addInputWithNoConnections(camera)
        session.addOutputWithNoConnections(output)
        session.addInputWithNoConnections(microphone)
        XCTAssertEqual(session.connections, [])
        let connection = AVCaptureConnection(inputPorts: camera.ports, output: output)
        XCTAssertFalse(connection.isActive)
        XCTAssertTrue(session.canAddConnection(connection))
        session.addConnection(connection)
        XCTAssertTrue(connection.isActive)
        fixture.assertNoMisuse()
        for wrong in [
            connection, AVCaptureConnection(inputPorts: camera.ports, output: output),
            AVCaptureConnection(inputPorts: microphone.ports, output: output),
            AVCaptureConnection(inputPorts: camera.ports, output: photo),
            AVCaptureConnection(inputPorts: [], output: output),
        ] {
            XCTAssertFalse(session.canAddConnection(wrong))
            fixture.assertMisuse(.invalidArgument) { session.addConnection(wrong) }
        }
        session.startRunning()
        fixture.advance(milliseconds: 90)
        XCTAssertEqual(frames.counters, [0, 1, 2])
        session.removeConnection(connection)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(frames.counters, [0, 1, 2])
        XCTAssertFalse(connection.isActive)
        session.stopRunning()
    }

    func testAnObserverThatAddsACameraCannotCircumventTheRules() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureSession() }
        let (back, front) = (try fixture.input("phone.back-wide"), try fixture.input("phone.front"))
        // The property is reset while the input is added, after it was checked.
        let observation = back.observe(\.videoMinFrameDurationOverride) { _, _ in
            if session.inputs.isEmpty { session.addInput(front) }
        }
        fixture.assertMisuse(.invalidArgument) { session.addInput(back) }
        XCTAssertEqual(session.inputs, [front])
        XCTAssertNil(back.session)
        let other = fixture.inSystem { AVCaptureSession() }
        other.addInput(back)
        XCTAssertEqual(other.inputs, [back])
        fixture.assertNoMisuse()
        withExtendedLifetime(observation) {}
    }

    func testAnOutputThatTwoThreadsAddBelongsToOneSession() throws {
        let fixture = try CaptureFixture()
        for round in 0..<200 {
            let sessions = fixture.inSystem { [AVCaptureSession(), AVCaptureSession()] }
            let output = fixture.inSystem { AVCaptureVideoDataOutput() }
            let input = try fixture.input(CaptureFixture.camera)
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                sessions[index].addOutput(output)
                sessions[index].addInput(input)
            }
            XCTAssertEqual(sessions.count { $0.outputs == [output] }, 1, "round \(round)")
            XCTAssertEqual(sessions.count { $0.inputs == [input] }, 1, "round \(round)")
            XCTAssertEqual(fixture.dequeueMisuses().count, 2, "round \(round)")
        }
    }

    func testAnInputOrOutputCanBeAddedToOneSessionOnce() throws {
        let fixture = try CaptureFixture()
        let (one, other) = fixture.inSystem { (AVCaptureSession(), AVCaptureSession()) }
        let (input, output) = (
            try fixture.input(CaptureFixture.camera), fixture.inSystem { AVCaptureVideoDataOutput() }
        )
        one.addInput(input)
        one.addOutput(output)
        for session in [one, other] {
            XCTAssertFalse(session.canAddInput(input))
            XCTAssertFalse(session.canAddOutput(output))
            fixture.assertMisuse(.invalidArgument) { session.addInput(input) }
            fixture.assertMisuse(.invalidArgument) { session.addOutput(output) }
        }
        let second = try fixture.input(CaptureFixture.camera)
        let message = fixture.assertMisuse(.invalidArgument) { one.addInput(second) }
        XCTAssertTrue(message.contains("Multiple audio/video AVCaptureInputs are not currently supported"), message)
        one.removeInput(input)
        one.removeOutput(output)
        XCTAssertTrue(other.canAddInput(input))
        other.addInput(input)
        other.addOutput(output)
        XCTAssertEqual(output.connections.count, 1)
        XCTAssertEqual(one.inputs, [])
        fixture.assertNoMisuse()
    }

    func testAnInputAddedInAnOpenConfigurationBelongsToTheSessionImmediately() throws {
        let fixture = try CaptureFixture()
        let (one, other) = fixture.inSystem { (AVCaptureSession(), AVCaptureSession()) }
        let input = try fixture.input(CaptureFixture.camera)
        one.beginConfiguration()
        one.addInput(input)
        XCTAssertFalse(other.canAddInput(input))
        one.removeInput(input)
        XCTAssertTrue(other.canAddInput(input))
        one.commitConfiguration()
    }

    func testOneOutputOfEachTypeCanBeAddedButAnyNumberForVideoData() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { AVCaptureSession() }
        let makers: [() -> AVCaptureOutput] = [
            { AVCaptureMovieFileOutput() }, { AVCapturePhotoOutput() }, { AVCaptureAudioDataOutput() },
            { AVCaptureMetadataOutput() }, { AVCaptureDepthDataOutput() }, { AVCaptureAudioFileOutput() },
        ]
        for make in makers { session.addOutput(fixture.inSystem(make)) }
        fixture.inSystem {
            session.addOutput(AVCaptureVideoDataOutput())
            session.addOutput(AVCaptureVideoDataOutput())
        }
        fixture.assertNoMisuse()
        for make in makers {
            let second = fixture.inSystem(make)
            XCTAssertFalse(session.canAddOutput(second), "\(type(of: second))")
            fixture.assertMisuse(.invalidArgument) { session.addOutput(second) }
            fixture.assertMisuse(.invalidArgument) { session.addOutputWithNoConnections(second) }
        }
        XCTAssertEqual(session.outputs.count, makers.count + 2)
        let multiCam = fixture.inSystem { AVCaptureMultiCamSession() }
        for make in makers + makers { multiCam.addOutput(fixture.inSystem(make)) }
        XCTAssertEqual(multiCam.outputs.count, 2 * makers.count)
        fixture.assertNoMisuse()
    }

    func testADeviceThatDoesNotSupportThePresetCannotBeAdded() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { AVCaptureSession() }
        session.sessionPreset = .hd4K3840x2160
        let input = try fixture.input(CaptureFixture.camera)
        XCTAssertFalse(session.canAddInput(input))
        let message = fixture.assertMisuse(.invalidArgument) { session.addInput(input) }
        XCTAssertTrue(message.contains("does not support AVCaptureSessionPreset3840x2160"), message)
        session.sessionPreset = .high
        XCTAssertTrue(session.canAddInput(input))
        session.addInput(input)
        XCTAssertFalse(session.canSetSessionPreset(.hd4K3840x2160))
        XCTAssertTrue(session.canSetSessionPreset(.hd1280x720))
        XCTAssertTrue(session.canSetSessionPreset(.inputPriority))
        fixture.assertMisuse(.invalidArgument) { session.sessionPreset = .hd4K3840x2160 }
        XCTAssertEqual(session.sessionPreset, .high)
    }

    func testThePresetSelectsTheFormatAndAFormatSelectsInputPriority() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession(preset: .high, [])
        let device = try fixture.device(CaptureFixture.camera)
        func width() -> Int32 { device.activeFormat.formatDescription.dimensions.width }
        XCTAssertEqual(width(), 1920)
        for (preset, expected) in [
            (AVCaptureSession.Preset.hd1280x720, 1280), (.vga640x480, 640), (.low, 320), (.medium, 640),
            (.photo, 1920), (.iFrame1280x720, 1280),
        ] {
            session.sessionPreset = preset
            XCTAssertEqual(width(), Int32(expected), preset.rawValue)
        }
        try device.lockForConfiguration()
        device.activeFormat = device.formats[4]
        device.unlockForConfiguration()
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        XCTAssertEqual(width(), 320)
        session.sessionPreset = .high
        XCTAssertEqual(width(), 1920)
        fixture.assertNoMisuse()
    }

    func testAFormatSetInAnOpenConfigurationIsKeptOverThePreset() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { AVCaptureSession() }
        let device = try fixture.device(CaptureFixture.camera)
        session.beginConfiguration()
        session.addInput(try fixture.input(CaptureFixture.camera))
        try device.lockForConfiguration()
        device.activeFormat = device.formats[4]
        device.unlockForConfiguration()
        session.commitConfiguration()
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        XCTAssertTrue(device.activeFormat === device.formats[4])
    }

    func testChangesInNestedConfigurationsApplyTogetherAtTheOutermostCommit() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 10)
        session.beginConfiguration()
        session.beginConfiguration()
        session.sessionPreset = .vga640x480
        XCTAssertEqual(session.sessionPreset, .vga640x480)
        session.commitConfiguration()
        fixture.advance(milliseconds: 90)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [320])
        session.commitConfiguration()
        frames.clear()
        fixture.advance(milliseconds: 90)
        // The new stream's first frame has the time of the last delivered one, so it is dropped.
        XCTAssertEqual(frames.frames.map(\.width), [640, 640])
        // An additional commit has no effect.
        session.commitConfiguration()
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testStartingAndStoppingBetweenBeginAndCommitIsMisuse() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([fixture.inSystem { AVCaptureVideoDataOutput() }])
        session.beginConfiguration()
        let message = fixture.assertMisuse(.generic) { session.startRunning() }
        XCTAssertTrue(message.contains("may not be called between calls to beginConfiguration and"), message)
        fixture.assertMisuse(.generic) { session.stopRunning() }
        session.commitConfiguration()
        XCTAssertFalse(session.isRunning)
    }

    func testAConfigurationThatADeviceRejectsIsRolledBackCompletely() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let frames = RecordingFrames()
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(microphone: nil, [video])
        let other = fixture.inSystem { AVCaptureSession() }
        let camera = try fixture.device(CaptureFixture.camera)
        let microphone = try fixture.input(CaptureFixture.microphone)
        session.startRunning()
        try camera.lockForConfiguration()
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        camera.unlockForConfiguration()
        fixture.advance(milliseconds: 100)
        notifications.clear()
        try fixture.host.schedule(.refuseOpen(count: 1), uniqueID: CaptureFixture.microphone, at: .time(.zero))
        session.beginConfiguration()
        session.sessionPreset = .vga640x480
        session.addInput(microphone)
        session.addOutput(audio)
        frames.clear()
        session.commitConfiguration()
        XCTAssertEqual(notifications.events, ["error deviceInUseByAnotherApplication"])
        XCTAssertTrue(
            (notifications.notifications.first?.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.device
                === microphone.device)
        XCTAssertTrue(session.isRunning)
        XCTAssertEqual(session.sessionPreset, .low)
        XCTAssertEqual(session.inputs.count, 1)
        XCTAssertEqual(session.outputs, [video])
        XCTAssertEqual(camera.activeFormat.formatDescription.dimensions.width, 320)
        XCTAssertEqual(camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 15))
        // Objects that were not added can be added to another session.
        XCTAssertTrue(other.canAddInput(microphone))
        XCTAssertTrue(other.canAddOutput(audio))
        fixture.advance(milliseconds: 990)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [320])
        XCTAssertEqual(frames.frames.count, 15)
        // The second attempt succeeds.
        session.addInput(microphone)
        session.addOutput(audio)
        XCTAssertEqual(audio.connections.count, 1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testARejectedConfigurationRestoresRemovedObjects() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (back, front) = (try fixture.input("phone.back-wide"), try fixture.input("phone.front"))
        let frames = RecordingFrames()
        let (video, photo) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = fixture.inSystem { AVCaptureSession() }
        session.sessionPreset = .vga640x480
        session.addInput(back)
        session.addOutput(video)
        session.addOutput(photo)
        session.startRunning()
        fixture.advance(milliseconds: 50)
        try fixture.host.schedule(.refuseOpen(count: 1), uniqueID: "phone.front", at: .time(.zero))
        session.beginConfiguration()
        session.removeInput(back)
        session.removeOutput(photo)
        session.addInput(front)
        session.commitConfiguration()
        XCTAssertTrue(session.isRunning)
        XCTAssertEqual(session.inputs, [back])
        XCTAssertEqual(session.outputs, [video, photo])
        XCTAssertEqual(photo.connections.count, 1)
        frames.clear()
        fixture.advance(milliseconds: 490)
        XCTAssertEqual(frames.frames.count, 15)
        let photos = RecordingPhotos()
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(photos.errors.count, 1)
        let other = fixture.inSystem { AVCaptureSession() }
        XCTAssertFalse(other.canAddInput(back))
        XCTAssertTrue(other.canAddInput(front))
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testOtherConnectionsLoseNoFramesDuringAChange() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let (video, audio, movie) = fixture.inSystem {
            (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput(), AVCaptureMovieFileOutput())
        }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(microphone: nil, [video])
        let microphone = try fixture.input(CaptureFixture.microphone)
        session.startRunning()
        let steps: [() -> Void] = [
            { session.addInput(microphone) }, { session.addOutput(audio) }, { session.addOutput(movie) },
            { session.removeOutput(audio) }, { session.removeInput(microphone) }, { session.removeOutput(movie) },
        ]
        for step in steps {
            fixture.advance(milliseconds: 77)
            step()
        }
        fixture.advance(milliseconds: 77)
        session.stopRunning()
        XCTAssertEqual(frames.counters, (0..<17).map { UInt32($0) })
        XCTAssertEqual(frames.drops, [])
        fixture.assertNoMisuse()
    }

    func testAReleasedRunningSessionStopsItsDevicesAndOutputs() throws {
        let fixture = try CaptureFixture()
        let (movies, photos) = (RecordingMovies(), RecordingPhotos())
        let (movie, photo) = fixture.inSystem { (AVCaptureMovieFileOutput(), AVCapturePhotoOutput()) }
        var session: AVCaptureSession? = try fixture.makeSession([movie, photo])
        session?.startRunning()
        movie.startRecording(to: fixture.url("a.mov"), recordingDelegate: movies)
        fixture.advance(milliseconds: 510)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        weak let weakSession = session
        session = nil
        XCTAssertNil(weakSession)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(photos.events, ["begin", "error", "end"])
        XCTAssertGreaterThanOrEqual(try DecodedMovie(fixture.url("a.mov")).frames.count, 15)
        // The devices are available again.
        let hardware = try XCTUnwrap(try fixture.host.devices.first)
        XCTAssertNoThrow(try hardware.open().close())
    }
}
