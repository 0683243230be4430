import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class VideoStabilizationTests: XCTestCase {
    private func makeFixture() throws -> (CaptureFixture, FakeCameraDevice) {
        let camera = Lock<FakeCameraDevice?>(nil)
        let capture = try CaptureFixture { clock in
            let created = try FakeCameraDevice(clock: clock)
            camera.withLock { $0 = created }
            return [FakeHost(created)]
        }
        return (capture, try XCTUnwrap(camera.withLock { $0 }))
    }

    func testAPreferredModeIsActiveIfTheFormatSupportsIt() throws {
        let (capture, camera) = try makeFixture()
        let (video, photo) = capture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        let session = try capture.makeSession(
            camera: "fake.camera", microphone: nil, preset: .high, [video, photo])
        let connection = try XCTUnwrap(video.connection(with: .video))
        let device = try capture.device("fake.camera")
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
        capture.advance(milliseconds: 0)
        // At this frame rate only the standard mode is supported.
        XCTAssertEqual(connection.activeVideoStabilizationMode, .standard)
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 30)
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 30)
        XCTAssertEqual(connection.activeVideoStabilizationMode, .cinematic)
        device.activeFormat = device.formats[1]
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        device.unlockForConfiguration()
        capture.advance(milliseconds: 0)
        XCTAssertEqual(reported.withLock { $0.last }, .off)
        let modes = camera.stabilization.withLock { $0.map(VideoStabilization.modes(in:)) }
        XCTAssertEqual(modes, [[], [.standard], [], [.standard], [.cinematic]])
        observation.invalidate()
        withExtendedLifetime(session) {}
        capture.assertNoMisuse()
    }

    func testTheCameraIsConfiguredWithTheModesOfAllItsConnections() throws {
        let (capture, camera) = try makeFixture()
        let outputs = capture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()] }
        let session = try capture.makeSession(camera: "fake.camera", microphone: nil, preset: .high, outputs)
        let connections = try outputs.map { try XCTUnwrap($0.connection(with: .video)) }
        connections[0].preferredVideoStabilizationMode = .cinematic
        connections[1].preferredVideoStabilizationMode = .standard
        func requested() -> [VideoStabilization] {
            VideoStabilization.modes(in: camera.stabilization.withLock { $0.last ?? 0 })
        }
        XCTAssertEqual(requested(), [.standard, .cinematic])
        XCTAssertEqual(connections.map(\.activeVideoStabilizationMode), [.cinematic, .standard])
        session.removeOutput(outputs[0])
        XCTAssertEqual(requested(), [.standard])
        XCTAssertEqual(connections[0].activeVideoStabilizationMode, .off)
    }

    /// A session of a phone in a shaking hand, with two data outputs.
    private struct ShakenPhone {
        let capture: CaptureFixture
        let session: AVCaptureSession
        let frames: [RecordingFrames]
        let connections: [AVCaptureConnection]
        /// The time from capture to delivery of each output's frames, in milliseconds.
        let delays: [Lock<[Int64]>]

        init() throws {
            capture = try CaptureFixture { clock in
                // The marker of a frame contains the frame's number. `RecordingFrames` and `DecodedMovie` read the
                // numbers into `counters`.
                [
                    try SimHost(
                        profile: "phone", scene: .street, shake: HandShake(milliradians: 3), hasMarker: true,
                        clock: clock)
                ]
            }
            let clock = capture.clock
            delays = (0..<2).map { _ in Lock([]) }
            frames = delays.map { delays in
                RecordingFrames { sample in
                    let delay = (clock.now - sample.presentationTimeStamp).nanoseconds
                    delays.withLock { $0.append(delay / 1_000_000) }
                }
            }
            let outputs = capture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()] }
            for (output, frames) in zip(outputs, frames) {
                output.setSampleBufferDelegate(frames, queue: frames.queue)
            }
            session = try capture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .vga640x480, outputs)
            connections = try outputs.map { try XCTUnwrap($0.connection(with: .video)) }
        }
    }

    func testStabilizationOfAConnectionDoesNotAffectOthers() throws {
        let (unstabilizedPhone, mixedPhone) = (try ShakenPhone(), try ShakenPhone())
        mixedPhone.connections[0].preferredVideoStabilizationMode = .cinematic
        for phone in [unstabilizedPhone, mixedPhone] {
            phone.session.startRunning()
            phone.capture.advance(milliseconds: 1000)
        }
        XCTAssertEqual(mixedPhone.connections.map(\.activeVideoStabilizationMode), [.cinematic, .off])
        XCTAssertEqual(mixedPhone.frames[1].frames.map(\.checksum), unstabilizedPhone.frames[1].frames.map(\.checksum))
        XCTAssertEqual(Set(mixedPhone.delays[1].withLock { $0 }), [0])
        XCTAssertEqual(Set(mixedPhone.delays[0].withLock { $0 }), [500])
        let (stabilized, unstabilized) = (mixedPhone.frames[0].frames, unstabilizedPhone.frames[0].frames)
        XCTAssertGreaterThanOrEqual(stabilized.count, 15)
        XCTAssertEqual(stabilized.map(\.time), unstabilized.prefix(stabilized.count).map(\.time))
        XCTAssertTrue(zip(stabilized, unstabilized).allSatisfy { $0.checksum != $1.checksum })
        mixedPhone.session.stopRunning()
        mixedPhone.capture.advance(milliseconds: 1000)
        XCTAssertEqual(mixedPhone.frames[0].frames.count, stabilized.count, "frames that waited are discarded")
        unstabilizedPhone.session.stopRunning()
        mixedPhone.capture.assertNoMisuse()
    }

    func testNoFrameIsLostWhenTheModeOfAConnectionChanges() throws {
        let phone = try ShakenPhone()
        phone.session.startRunning()
        for mode in [AVCaptureVideoStabilizationMode.cinematicExtended, .standard, .cinematic, .off] {
            phone.capture.advance(milliseconds: 1500)
            phone.connections[0].preferredVideoStabilizationMode = mode
        }
        phone.capture.advance(milliseconds: 700)
        for frames in phone.frames {
            XCTAssertEqual(frames.drops, [])
            XCTAssertEqual(frames.counters, (0..<UInt32(frames.counters.count)).map { $0 })
            // Until 6.7 s, at 30 fps.
            XCTAssertGreaterThanOrEqual(frames.counters.count, 200)
        }
        XCTAssertEqual(Set(phone.delays[1].withLock { $0 }), [0])
        phone.session.stopRunning()
        phone.capture.assertNoMisuse()
    }

    func testAStabilizedMovieIsRecordedBesideAnUnstabilizedDataOutput() throws {
        let capture = try CaptureFixture { clock in
            [
                try SimHost(
                    profile: "phone", scene: .street, shake: HandShake(milliradians: 3), hasMarker: true, clock: clock)
            ]
        }
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        let (delayNanoseconds, clock) = (Lock<[Int64]>([]), capture.clock)
        let frames = RecordingFrames { sample in
            delayNanoseconds.withLock { $0.append((clock.now - sample.presentationTimeStamp).nanoseconds) }
        }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let fixture = try MovieRecordingFixture(
            capture, camera: "phone.back-wide", microphone: nil, preset: .vga640x480, otherOutputs: [video])
        let connection = try XCTUnwrap(fixture.movie.connection(with: .video))
        connection.preferredVideoStabilizationMode = .cinematic
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(connection.activeVideoStabilizationMode, .cinematic)
        fixture.stopRecording()
        fixture.advance(milliseconds: 1000)
        // The recording ends without an error.
        try fixture.assertEnd(nil, isPlayable: nil)
        let counters = try fixture.decode().counters
        XCTAssertGreaterThanOrEqual(counters.count, 29)
        XCTAssertEqual(counters, (0..<UInt32(counters.count)).map { $0 })
        XCTAssertEqual(Set(delayNanoseconds.withLock { $0 }), [0])
        fixture.session.stopRunning()
    }

    func testARecordingShorterThanTheLookAheadContainsItsFrames() throws {
        for (milliseconds, isStabilizedBefore) in [(100, true), (300, true), (300, false)] {
            let capture = try CaptureFixture { clock in
                [try SimHost(profile: "phone", scene: .grey, hasMarker: true, clock: clock)]
            }
            let fixture = try MovieRecordingFixture(
                capture, camera: "phone.back-wide", microphone: nil, preset: .vga640x480)
            let connection = try XCTUnwrap(fixture.movie.connection(with: .video))
            if isStabilizedBefore { connection.preferredVideoStabilizationMode = .cinematic }
            fixture.start()
            if !isStabilizedBefore {
                fixture.advance(milliseconds: 200)
                connection.preferredVideoStabilizationMode = .cinematic
            }
            fixture.record()
            fixture.advance(milliseconds: milliseconds)
            fixture.stopRecording()
            fixture.advance(milliseconds: 1000)
            // The recording ends without an error.
            try fixture.assertEnd(nil, isPlayable: nil)
            XCTAssertEqual(Double(try fixture.decode().counters.count), Double(milliseconds) * 0.03, accuracy: 1)
            fixture.session.stopRunning()
        }
    }

    func testFormatsReportTheirModes() throws {
        let (capture, _) = try makeFixture()
        let formats = try capture.device("fake.camera").formats
        XCTAssertTrue(formats[0].isVideoStabilizationModeSupported(.cinematic))
        XCTAssertTrue(formats[0].isVideoStabilizationModeSupported(.auto))
        XCTAssertFalse(formats[0].isVideoStabilizationModeSupported(.lowLatency))
        XCTAssertTrue(formats[1].isVideoStabilizationModeSupported(.off))
        XCTAssertFalse(formats[1].isVideoStabilizationModeSupported(.auto))
        let webcam = try CaptureFixture()
        let output = webcam.inSystem { AVCaptureVideoDataOutput() }
        let session = try webcam.makeSession([output])
        let connection = try XCTUnwrap(output.connection(with: .video))
        XCTAssertFalse(connection.isVideoStabilizationSupported)
        connection.preferredVideoStabilizationMode = .auto
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        withExtendedLifetime(session) {}
    }
}
