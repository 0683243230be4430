import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import SimDevices
import XCTest

@testable import CaptureCore

/// How recordings begin and end when something else happens.
final class RecordingEndTests: XCTestCase {
    func testARecordingNeedsAnActiveEnabledConnection() throws {
        let stage = try MovieStage()
        for connection in stage.movie.connections { connection.isEnabled = false }
        let message = stage.bench.assertMisuse(.invalidArgument) { stage.record() }
        XCTAssertTrue(message.contains("No active/enabled connections"), message)
        let lonely = stage.bench.run { AVCaptureMovieFileOutput() }
        stage.bench.assertMisuse(.invalidArgument) {
            lonely.startRecording(to: stage.bench.url("b.mov"), recordingDelegate: stage.movies)
        }
        XCTAssertFalse(stage.movie.isRecording)
        XCTAssertEqual(stage.movies.story, [])
    }

    func testAURLThatIsNoFileIsMisuse() throws {
        let stage = try MovieStage()
        stage.start()
        let url = try XCTUnwrap(URL(string: "https://example.org/a.mov"))
        stage.bench.assertMisuse(.invalidArgument) {
            stage.movie.startRecording(to: url, recordingDelegate: stage.movies)
        }
        XCTAssertFalse(stage.movie.isRecording)
        stage.session.stopRunning()
    }

    func testARecordingWithoutARunningSessionFails() throws {
        let stage = try MovieStage()
        stage.record()
        stage.bench.clock.settle()
        try stage.assertEnd(.sessionNotRunning, isGood: false)
        XCTAssertEqual(stage.movies.story, ["end a.mov", "finish a.mov"])
        XCTAssertFalse(stage.bench.fileExists("a.mov"))
    }

    func testAFileThatExistsIsNotTouched() throws {
        let stage = try MovieStage()
        let content = Data("precious".utf8)
        try content.write(to: stage.bench.url("a.mov"))
        stage.start()
        stage.record()
        stage.play(100)
        try stage.assertEnd(.fileAlreadyExists, isGood: false)
        XCTAssertEqual(try Data(contentsOf: stage.bench.url("a.mov")), content)
        stage.session.stopRunning()
    }

    func testAFileThatAppearsBeforeTheFirstFrameIsNotTouchedEither() throws {
        let stage = try MovieStage()
        stage.start()
        stage.play(10)
        stage.record()
        let content = Data("precious".utf8)
        try content.write(to: stage.bench.url("a.mov"))
        stage.play(100)
        try stage.assertEnd(.fileAlreadyExists, isGood: false)
        XCTAssertEqual(try Data(contentsOf: stage.bench.url("a.mov")), content)
    }

    func testAFolderThatIsNotThereEndsTheRecordingThroughTheDelegate() throws {
        let stage = try MovieStage()
        stage.start()
        stage.record("no/such/folder/a.mov")
        stage.play(100)
        let end = try stage.end()
        XCTAssertNotNil(end.error)
        XCTAssertEqual(end.isGood, false)
        XCTAssertEqual(stage.movies.story, ["end a.mov", "finish a.mov"])
    }

    func testStoppingBeforeTheFirstFrameLeavesNoFile() throws {
        let stage = try MovieStage()
        stage.start()
        stage.play(10)
        stage.record()
        stage.play(5)
        stage.stopRecording()
        try stage.assertEnd(.noDataCaptured, isGood: false)
        XCTAssertEqual(stage.movies.story, ["end a.mov", "finish a.mov"])
        XCTAssertFalse(stage.bench.fileExists("a.mov"))
    }

    func testStoppingTwiceAndWithoutARecordingIsNothing() throws {
        let stage = try MovieStage()
        stage.stopRecording()
        stage.start()
        stage.stopRecording()
        stage.record()
        stage.play(200)
        stage.movie.stopRecording()
        stage.movie.stopRecording()
        stage.play(100)
        stage.session.stopRunning()
        stage.play(100)
        XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov", "finish a.mov"])
        try stage.assertEnd(nil, isGood: nil)
    }

    func testStoppingTheSessionEndsTheRecordingWell() throws {
        let stage = try MovieStage()
        stage.start()
        stage.record()
        stage.play(500)
        stage.session.stopRunning()
        stage.bench.clock.settle()
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(try stage.decode().frames.count, 15)
    }

    func testStartingWhileRecordingSwitchesFilesWithoutLosingAFrame() throws {
        let stage = try MovieStage()
        stage.start()
        for name in ["a.mov", "b.mov", "c.mp4"] {
            stage.record(name)
            XCTAssertEqual(stage.movie.outputFileURL?.lastPathComponent, name)
            stage.play(510)
        }
        stage.stopRecording()
        XCTAssertEqual(
            stage.movies.story,
            [
                "start a.mov", "end a.mov", "finish a.mov", "start b.mov", "end b.mov", "finish b.mov", "start c.mp4",
                "end c.mp4", "finish c.mp4",
            ])
        XCTAssertEqual(stage.movies.ends.map { $0.error?.code }, [nil, nil, nil])
        let counters = try ["a.mov", "b.mov", "c.mp4"].flatMap { try stage.decode($0).counters }
        XCTAssertEqual(counters, (0..<counters.count).map { UInt32($0) })
        XCTAssertGreaterThanOrEqual(counters.count, 45)
    }

    func testARecordingCanBeStartedFromTheEndOfAnother() throws {
        let bench = try CaptureBench()
        let again = RecordingMovies()
        let movies = RecordingMovies { output, end in
            if end.name == "a.mov" {
                output.startRecordingAgain(
                    to: bench.url("b.mov"), delegate: again)
            }
        }
        let stage = try MovieStage(bench, movies: movies)
        stage.start()
        stage.record()
        stage.play(200)
        stage.movie.stopRecording()
        stage.play(300)
        stage.stopRecording()
        XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(again.story, ["start b.mov", "end b.mov", "finish b.mov"])
        XCTAssertGreaterThanOrEqual(try stage.decode("b.mov").frames.count, 8)
    }

    func testTheSessionCanBeStoppedFromTheEndOfARecording() throws {
        let bench = try CaptureBench()
        let holder = Lock<AVCaptureSession?>(nil)
        let stage = try MovieStage(bench, movies: RecordingMovies { _, _ in holder.withLock { $0 }?.stopRunning() })
        holder.withLock { $0 = stage.session }
        stage.start()
        stage.record()
        stage.play(200)
        stage.stopRecording()
        XCTAssertFalse(stage.session.isRunning)
        try stage.assertEnd(nil, isGood: nil)
        holder.withLock { $0 = nil }
    }

    func testARecordingStoppedFromAFrameCallbackEndsThere() throws {
        let bench = try CaptureBench()
        let holder = Lock<AVCaptureMovieFileOutput?>(nil)
        let frames = RecordingFrames { sample in
            if sample.presentationTimeStamp.seconds > 0.3 { holder.withLock { $0 }?.stopRecording() }
        }
        let video = bench.run { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let stage = try MovieStage(bench, more: [video])
        holder.withLock { $0 = stage.movie }
        stage.start()
        stage.record()
        stage.play(490)
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 0.333, accuracy: 0.02)
        XCTAssertEqual(frames.counters.count, 15)
        holder.withLock { $0 = nil }
        stage.session.stopRunning()
    }

    func testAnInterruptionEndsTheRecordingWithAGoodFile() throws {
        let stage = try MovieStage()
        stage.start()
        stage.record()
        stage.play(500)
        stage.bench.system.interruptions.begin(.audioInUseByAnotherClient)
        stage.play(300)
        try stage.assertEnd(.sessionWasInterrupted, isGood: true)
        stage.bench.system.interruptions.end(.audioInUseByAnotherClient)
        stage.play(200)
        XCTAssertTrue(stage.session.isRunning)
        XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(try stage.decode().frames.count, 15)
        // The session is ready for another.
        stage.record("b.mov")
        stage.play(200)
        stage.stopRecording()
        XCTAssertEqual(stage.movies.ends.last?.error?.code, nil)
        XCTAssertEqual(try stage.decode("b.mov").frames.count, 5)
    }

    func testUnpluggingWhileRecordingKeepsTheMoviePlayable() throws {
        for device in [CaptureBench.camera, CaptureBench.microphone] {
            let stage = try MovieStage()
            stage.start()
            stage.record()
            stage.play(510)
            try stage.bench.host.disconnect(uniqueID: device)
            stage.play(100)
            try stage.assertEnd(.deviceWasDisconnected, isGood: true)
            XCTAssertEqual(try stage.end().error?.device?.uniqueID, device)
            XCTAssertEqual(try stage.decode().frames.count, 16)
            stage.session.stopRunning()
        }
    }

    func testAStreamThatFailsEndsTheRecordingWithItsError() throws {
        let stage = try MovieStage()
        try stage.bench.host.schedule(.fail(.outOfResources), uniqueID: CaptureBench.camera, at: .frame(10))
        stage.start()
        stage.record()
        stage.play(600)
        try stage.assertEnd(.outOfMemory, isGood: true)
        XCTAssertEqual(try stage.decode().frames.count, 10)
    }

    func testChangingTheSessionEndsTheRecordingWithAGoodFile() throws {
        let bench = try CaptureBench()
        let photo = bench.run { AVCapturePhotoOutput() }
        let changes: [(String, Bool, (MovieStage) throws -> Void)] = [
            ("removing the output", true, { $0.session.removeOutput($0.movie) }),
            ("removing the microphone", true, { $0.session.removeInput($0.session.inputs[1]) }),
            ("removing the camera", true, { $0.session.removeInput($0.session.inputs[0]) }),
            ("another preset", true, { $0.session.sessionPreset = .vga640x480 }),
            (
                "another format", true,
                { stage in
                    let device = try stage.bench.device(CaptureBench.camera)
                    try device.lockForConfiguration()
                    device.activeFormat = device.formats[3]
                    device.unlockForConfiguration()
                }
            ),
            ("another output", false, { $0.session.addOutput(photo) }),
            (
                "another frame rate", false,
                { stage in
                    let device = try stage.bench.device(CaptureBench.camera)
                    try device.lockForConfiguration()
                    device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
                    device.unlockForConfiguration()
                }
            ),
        ]
        for (what, ends, change) in changes {
            let stage = try MovieStage(bench)
            let name = "\(what).mov"
            stage.start()
            stage.record(name)
            stage.play(510)
            try change(stage)
            stage.play(200)
            if ends {
                try stage.assertEnd(.sessionConfigurationChanged, isGood: true)
            } else {
                XCTAssertTrue(stage.movie.isRecording, what)
                stage.stopRecording()
                try stage.assertEnd(nil, isGood: nil)
            }
            let movie = try stage.decode(name)
            XCTAssertGreaterThanOrEqual(movie.frames.count, ends ? 16 : 19, what)
            XCTAssertEqual(Set(movie.frames.map(\.width)), [320], what)
            stage.session.stopRunning()
        }
    }

    func testARefusedChangeDoesNotEndTheRecording() throws {
        let bench = try CaptureBench()
        let stage = try MovieStage(bench, microphone: nil)
        try bench.host.schedule(.refuseOpen(count: 1), uniqueID: CaptureBench.microphone, at: .time(.zero))
        stage.start()
        stage.record()
        stage.play(200)
        stage.session.addInput(try bench.input(CaptureBench.microphone))
        XCTAssertEqual(stage.session.inputs.count, 1)
        stage.play(200)
        stage.stopRecording()
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(try stage.decode().counters, (0..<12).map { UInt32($0) })
    }

    func testAFileThatEndsEndsTheRecordingWell() throws {
        // First a movie, then that movie as the camera and the microphone of another system.
        let first = try MovieStage()
        first.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        first.start()
        first.record()
        first.play(1500)
        let path = first.bench.url("a.mov").path
        let bench = try CaptureBench { clock in [try MediaFileHost(path: path, clock: clock)] }
        let devices = bench.run { (AVCaptureDevice.default(for: .video), AVCaptureDevice.default(for: .audio)) }
        let stage = try MovieStage(
            bench, camera: devices.0?.uniqueID, microphone: devices.1?.uniqueID, preset: .high)
        stage.record()
        stage.bench.clock.settle()
        XCTAssertEqual(stage.movies.ends.map { $0.error?.code }, [.sessionNotRunning])
        stage.start()
        stage.record("b.mov")
        stage.play(3000)
        XCTAssertEqual(stage.movies.story, ["end a.mov", "finish a.mov", "start b.mov", "end b.mov", "finish b.mov"])
        XCTAssertNil(stage.movies.ends.last?.error)
        let movie = try stage.decode("b.mov")
        XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) })
        XCTAssertEqual(movie.soundDuration, 1, accuracy: 1024.0 / 48000)
        XCTAssertLessThan(abs(try movie.soundOffsetNanoseconds()), 1e6)
        XCTAssertTrue(stage.session.isRunning)
        stage.session.stopRunning()
        bench.assertNoMisuse()
    }
}

extension AVCaptureFileOutput {
    /// Starts another recording; for delegates, which are told of the base class only.
    fileprivate func startRecordingAgain(to url: URL, delegate: any AVCaptureFileOutputRecordingDelegate) {
        (self as? AVCaptureMovieFileOutput)?.startRecording(to: url, recordingDelegate: delegate)
    }
}
