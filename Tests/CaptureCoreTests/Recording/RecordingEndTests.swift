import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import SimDevices
import XCTest

@testable import CaptureCore

/// Tests the start and end of recordings in combination with other events.
final class RecordingEndTests: XCTestCase {
    func testARecordingRequiresAnActiveEnabledConnection() throws {
        let fixture = try MovieRecordingFixture()
        for connection in fixture.movie.connections { connection.isEnabled = false }
        let message = fixture.capture.assertMisuse(.invalidArgument) { fixture.record() }
        XCTAssertTrue(message.contains("No active/enabled connections"), message)
        let unconnected = fixture.capture.inSystem { AVCaptureMovieFileOutput() }
        fixture.capture.assertMisuse(.invalidArgument) {
            unconnected.startRecording(to: fixture.capture.url("b.mov"), recordingDelegate: fixture.movies)
        }
        XCTAssertFalse(fixture.movie.isRecording)
        XCTAssertEqual(fixture.movies.events, [])
    }

    func testAURLThatIsNotAFileURLIsMisuse() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        let url = try XCTUnwrap(URL(string: "https://example.org/a.mov"))
        fixture.capture.assertMisuse(.invalidArgument) {
            fixture.movie.startRecording(to: url, recordingDelegate: fixture.movies)
        }
        XCTAssertFalse(fixture.movie.isRecording)
        fixture.session.stopRunning()
    }

    func testARecordingWithoutARunningSessionFails() throws {
        let fixture = try MovieRecordingFixture()
        fixture.record()
        fixture.capture.clock.settle()
        try fixture.assertEnd(.sessionNotRunning, isPlayable: false)
        XCTAssertEqual(fixture.movies.events, ["end a.mov", "finish a.mov"])
        XCTAssertFalse(fixture.capture.fileExists("a.mov"))
    }

    func testAnExistingFileIsNotModified() throws {
        let fixture = try MovieRecordingFixture()
        let content = Data("precious".utf8)
        try content.write(to: fixture.capture.url("a.mov"))
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 100)
        try fixture.assertEnd(.fileAlreadyExists, isPlayable: false)
        XCTAssertEqual(try Data(contentsOf: fixture.capture.url("a.mov")), content)
        fixture.session.stopRunning()
    }

    func testAFileCreatedBeforeTheFirstFrameIsNotModified() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.advance(milliseconds: 10)
        fixture.record()
        let content = Data("precious".utf8)
        try content.write(to: fixture.capture.url("a.mov"))
        fixture.advance(milliseconds: 100)
        try fixture.assertEnd(.fileAlreadyExists, isPlayable: false)
        XCTAssertEqual(try Data(contentsOf: fixture.capture.url("a.mov")), content)
    }

    func testAMissingFolderFailsTheRecording() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.record("no/such/folder/a.mov")
        fixture.advance(milliseconds: 100)
        let end = try fixture.end()
        XCTAssertNotNil(end.error)
        XCTAssertEqual(end.isPlayable, false)
        XCTAssertEqual(fixture.movies.events, ["end a.mov", "finish a.mov"])
    }

    func testStoppingBeforeTheFirstFrameLeavesNoFile() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.advance(milliseconds: 10)
        fixture.record()
        fixture.advance(milliseconds: 5)
        fixture.stopRecording()
        try fixture.assertEnd(.noDataCaptured, isPlayable: false)
        XCTAssertEqual(fixture.movies.events, ["end a.mov", "finish a.mov"])
        XCTAssertFalse(fixture.capture.fileExists("a.mov"))
    }

    func testStoppingTwiceOrWithoutARecordingHasNoEffect() throws {
        let fixture = try MovieRecordingFixture()
        fixture.stopRecording()
        fixture.start()
        fixture.stopRecording()
        fixture.record()
        fixture.advance(milliseconds: 200)
        fixture.movie.stopRecording()
        fixture.movie.stopRecording()
        fixture.advance(milliseconds: 100)
        fixture.session.stopRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
        try fixture.assertEnd(nil, isPlayable: nil)
    }

    func testStoppingTheSessionEndsTheRecordingSuccessfully() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        fixture.session.stopRunning()
        fixture.capture.clock.settle()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(try fixture.decode().frames.count, 15)
    }

    func testStartingWhileRecordingSwitchesFilesWithoutLosingAFrame() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        for name in ["a.mov", "b.mov", "c.mp4"] {
            fixture.record(name)
            XCTAssertEqual(fixture.movie.outputFileURL?.lastPathComponent, name)
            fixture.advance(milliseconds: 510)
        }
        fixture.stopRecording()
        XCTAssertEqual(
            fixture.movies.events,
            [
                "start a.mov", "end a.mov", "finish a.mov", "start b.mov", "end b.mov", "finish b.mov", "start c.mp4",
                "end c.mp4", "finish c.mp4",
            ])
        XCTAssertEqual(fixture.movies.results.map { $0.error?.code }, [nil, nil, nil])
        let counters = try ["a.mov", "b.mov", "c.mp4"].flatMap { try fixture.decode($0).counters }
        XCTAssertEqual(counters, (0..<counters.count).map { UInt32($0) })
        XCTAssertGreaterThanOrEqual(counters.count, 45)
    }

    func testARecordingCanBeStartedInDidFinish() throws {
        let capture = try CaptureFixture()
        let secondMovies = RecordingMovies()
        let movies = RecordingMovies { output, end in
            if end.name == "a.mov" {
                output.startAnotherRecording(
                    to: capture.url("b.mov"), delegate: secondMovies)
            }
        }
        let fixture = try MovieRecordingFixture(capture, movies: movies)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 200)
        fixture.movie.stopRecording()
        fixture.advance(milliseconds: 300)
        fixture.stopRecording()
        XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(secondMovies.events, ["start b.mov", "end b.mov", "finish b.mov"])
        XCTAssertGreaterThanOrEqual(try fixture.decode("b.mov").frames.count, 8)
    }

    func testTheSessionCanBeStoppedInDidFinish() throws {
        let capture = try CaptureFixture()
        let reference = Lock<AVCaptureSession?>(nil)
        let fixture = try MovieRecordingFixture(
            capture, movies: RecordingMovies { _, _ in reference.withLock { $0 }?.stopRunning() })
        reference.withLock { $0 = fixture.session }
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 200)
        fixture.stopRecording()
        XCTAssertFalse(fixture.session.isRunning)
        try fixture.assertEnd(nil, isPlayable: nil)
        reference.withLock { $0 = nil }
    }

    func testARecordingStoppedInAFrameCallbackEndsAtThatFrame() throws {
        let capture = try CaptureFixture()
        let reference = Lock<AVCaptureMovieFileOutput?>(nil)
        let frames = RecordingFrames { sample in
            if sample.presentationTimeStamp.seconds > 0.3 { reference.withLock { $0 }?.stopRecording() }
        }
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let fixture = try MovieRecordingFixture(capture, otherOutputs: [video])
        reference.withLock { $0 = fixture.movie }
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 490)
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 0.333, accuracy: 0.02)
        XCTAssertEqual(frames.counters.count, 15)
        reference.withLock { $0 = nil }
        fixture.session.stopRunning()
    }

    func testAnInterruptionEndsTheRecordingWithAUsableFile() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        fixture.capture.system.interruptions.begin(.audioInUseByAnotherClient)
        fixture.advance(milliseconds: 300)
        try fixture.assertEnd(.sessionWasInterrupted, isPlayable: true)
        fixture.capture.system.interruptions.end(.audioInUseByAnotherClient)
        fixture.advance(milliseconds: 200)
        XCTAssertTrue(fixture.session.isRunning)
        XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(try fixture.decode().frames.count, 15)
        // The session can record again.
        fixture.record("b.mov")
        fixture.advance(milliseconds: 200)
        fixture.stopRecording()
        XCTAssertEqual(fixture.movies.results.last?.error?.code, nil)
        XCTAssertEqual(try fixture.decode("b.mov").frames.count, 5)
    }

    func testUnpluggingWhileRecordingKeepsTheMoviePlayable() throws {
        for device in [CaptureFixture.camera, CaptureFixture.microphone] {
            let fixture = try MovieRecordingFixture()
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 510)
            try fixture.capture.host.disconnect(uniqueID: device)
            fixture.advance(milliseconds: 100)
            try fixture.assertEnd(.deviceWasDisconnected, isPlayable: true)
            XCTAssertEqual(try fixture.end().error?.device?.uniqueID, device)
            XCTAssertEqual(try fixture.decode().frames.count, 16)
            fixture.session.stopRunning()
        }
    }

    func testAStreamFailureEndsTheRecordingWithItsError() throws {
        let fixture = try MovieRecordingFixture()
        try fixture.capture.host.schedule(.fail(.outOfResources), uniqueID: CaptureFixture.camera, at: .frame(10))
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 600)
        try fixture.assertEnd(.outOfMemory, isPlayable: true)
        XCTAssertEqual(try fixture.decode().frames.count, 10)
    }

    func testChangingTheSessionEndsTheRecordingWithAUsableFile() throws {
        let capture = try CaptureFixture()
        let photo = capture.inSystem { AVCapturePhotoOutput() }
        let changes: [(String, Bool, (MovieRecordingFixture) throws -> Void)] = [
            ("removing the output", true, { $0.session.removeOutput($0.movie) }),
            ("removing the microphone", true, { $0.session.removeInput($0.session.inputs[1]) }),
            ("removing the camera", true, { $0.session.removeInput($0.session.inputs[0]) }),
            ("another preset", true, { $0.session.sessionPreset = .vga640x480 }),
            (
                "another format", true,
                { fixture in
                    let device = try fixture.capture.device(CaptureFixture.camera)
                    try device.lockForConfiguration()
                    device.activeFormat = device.formats[3]
                    device.unlockForConfiguration()
                }
            ),
            ("another output", false, { $0.session.addOutput(photo) }),
            (
                "another frame rate", false,
                { fixture in
                    let device = try fixture.capture.device(CaptureFixture.camera)
                    try device.lockForConfiguration()
                    device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
                    device.unlockForConfiguration()
                }
            ),
        ]
        for (what, ends, change) in changes {
            let fixture = try MovieRecordingFixture(capture)
            let name = "\(what).mov"
            fixture.start()
            fixture.record(name)
            fixture.advance(milliseconds: 510)
            try change(fixture)
            fixture.advance(milliseconds: 200)
            if ends {
                try fixture.assertEnd(.sessionConfigurationChanged, isPlayable: true)
            } else {
                XCTAssertTrue(fixture.movie.isRecording, what)
                fixture.stopRecording()
                try fixture.assertEnd(nil, isPlayable: nil)
            }
            let movie = try fixture.decode(name)
            XCTAssertGreaterThanOrEqual(movie.frames.count, ends ? 16 : 19, what)
            XCTAssertEqual(Set(movie.frames.map(\.width)), [320], what)
            fixture.session.stopRunning()
        }
    }

    func testARejectedChangeDoesNotEndTheRecording() throws {
        let capture = try CaptureFixture()
        let fixture = try MovieRecordingFixture(capture, microphone: nil)
        try capture.host.schedule(.refuseOpen(count: 1), uniqueID: CaptureFixture.microphone, at: .time(.zero))
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 200)
        fixture.session.addInput(try capture.input(CaptureFixture.microphone))
        XCTAssertEqual(fixture.session.inputs.count, 1)
        fixture.advance(milliseconds: 200)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(try fixture.decode().counters, (0..<12).map { UInt32($0) })
    }

    func testTheEndOfAMediaFileEndsTheRecordingSuccessfully() throws {
        // Record a movie, then play it as the camera and the microphone of another system.
        let first = try MovieRecordingFixture()
        first.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        first.start()
        first.record()
        first.advance(milliseconds: 1500)
        let path = first.capture.url("a.mov").path
        let capture = try CaptureFixture { clock in [try MediaFileHost(path: path, clock: clock)] }
        let devices = capture.inSystem { (AVCaptureDevice.default(for: .video), AVCaptureDevice.default(for: .audio)) }
        let fixture = try MovieRecordingFixture(
            capture, camera: devices.0?.uniqueID, microphone: devices.1?.uniqueID, preset: .high)
        fixture.record()
        fixture.capture.clock.settle()
        XCTAssertEqual(fixture.movies.results.map { $0.error?.code }, [.sessionNotRunning])
        fixture.start()
        fixture.record("b.mov")
        fixture.advance(milliseconds: 3000)
        XCTAssertEqual(
            fixture.movies.events, ["end a.mov", "finish a.mov", "start b.mov", "end b.mov", "finish b.mov"])
        XCTAssertNil(fixture.movies.results.last?.error)
        let movie = try fixture.decode("b.mov")
        XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) })
        XCTAssertEqual(movie.audioDuration, 1, accuracy: 1024.0 / 48000)
        XCTAssertLessThan(abs(try movie.audioOffsetNanoseconds()), 1e6)
        XCTAssertTrue(fixture.session.isRunning)
        fixture.session.stopRunning()
        capture.assertNoMisuse()
    }
}

extension AVCaptureFileOutput {
    /// Starts another recording. Delegates receive the output as its base class, which has no such method.
    fileprivate func startAnotherRecording(to url: URL, delegate: any AVCaptureFileOutputRecordingDelegate) {
        (self as? AVCaptureMovieFileOutput)?.startRecording(to: url, recordingDelegate: delegate)
    }
}
