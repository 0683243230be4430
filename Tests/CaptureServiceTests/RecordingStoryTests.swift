import AVFoundation
import CaptureTesting
import TestSupport
import XCTest

@testable import CaptureService

/// The requirements S2-9, S2-15, S2-17, S2-20 to S2-26, S2-28 and S2-31 of docs/tutorials.md, about movies.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS2_9…` tests S2-9.
final class RecordingStoryTests: XCTestCase {
    func testS2_9ASlowClientReceivesFewerFramesAndTheMovieContainsAll() throws {
        let app = try ServiceApp(hasSound: true)
        app.start()
        app.client.frameHandler.add { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.2) }
        let count = app.client.receivedFrames.count
        app.service.startRecording()
        app.advance(.seconds(2))
        XCTAssertEqual(app.client.receivedFrames.count - count, 10, accuracy: 2)
        let movie = try app.finish()
        XCTAssertEqual(try DecodedMovie(movie.url).frames.count, 60, accuracy: 2)
        XCTAssertGreaterThan(app.client.receivedAudioBuffers.count, 10)
        XCTAssertEqual(Set(app.client.queues.all), ["output"])
    }

    func testS2_15AnInterruptionCancelsTheMovie() throws {
        let app = try ServiceApp()
        app.start()
        app.service.startRecording()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.files.count, 1)
        app.simulated.system.interruptions.begin(.videoInUseByAnotherClient)
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.events, ["started", "recording", "not recorded"])
        XCTAssertEqual((app.client.errors.last as? AVError)?.code, .sessionWasInterrupted)
        XCTAssertEqual(app.files, [])
        app.simulated.system.interruptions.end(.videoInUseByAnotherClient)
        app.advance(.seconds(1))
        XCTAssertEqual(try app.record(.milliseconds(500)).duration.seconds, 0.5, accuracy: 0.1)
    }

    func testS2_17StoppingTheServiceDeletesTheMovies() throws {
        let app = try ServiceApp()
        app.start()
        _ = try app.record(.milliseconds(200))
        app.service.startRecording()
        app.advance(.milliseconds(200))
        XCTAssertEqual(app.files.count, 2)
        app.service.stopRunning()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.files, [])
        XCTAssertEqual(app.events, ["started", "recording", "recorded", "recording", "stopped"])
    }

    func testS2_17MoviesThatCannotBeDeletedAreReported() throws {
        let app = try ServiceApp()
        app.start()
        // Files that even the superuser cannot delete.
        app.service.folder = URL(fileURLWithPath: "/proc/self/fdinfo", isDirectory: true)
        app.service.stopRunning()
        app.advance(.milliseconds(500))
        XCTAssertEqual(Set(app.events), ["started", "failed", "stopped"])
    }

    func testS2_20EachRecordingIsASeparateMP4File() throws {
        let app = try ServiceApp()
        app.start()
        var urls: [URL] = []
        for _ in 0..<2 {
            app.service.startRecording()
            // A second start during a recording has no effect.
            app.service.startRecording()
            app.advance(.milliseconds(300))
            urls.append(try app.finish().url)
        }
        XCTAssertEqual(app.events, ["started", "recording", "recorded", "recording", "recorded"])
        XCTAssertNotEqual(urls[0], urls[1])
        for url in urls {
            XCTAssertTrue(url.lastPathComponent.hasPrefix("Record-"))
            let movie = try DecodedMovie(url)
            XCTAssertEqual(movie.frames.count, 9, accuracy: 2)
            XCTAssertEqual(try Data(contentsOf: url)[4..<8], Data("ftyp".utf8))
            XCTAssertNotEqual(try Data(contentsOf: url)[8..<10], Data("qt".utf8), "an MP4 file")
            try MovieInspection.assertNoProblems(url)
        }
    }

    func testS2_21UnsupportedWriterSettingsHaveTheirErrorCodes() throws {
        let proRes: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 288, AVVideoHeightKey: 352,
        ]
        let pcm: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1, AVSampleRateKey: 44_100,
            AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
            AVLinearPCMIsNonInterleaved: false,
        ]
        for (code, configure) in [
            (-2210, { (service: CaptureService) in service.videoSettings = proRes }),
            (-2211, { (service: CaptureService) in service.audioSettings = pcm }),
        ] {
            let app = try ServiceApp(hasSound: true)
            configure(app.service)
            app.start()
            app.service.startRecording()
            app.advance(.milliseconds(300))
            XCTAssertEqual(app.events, ["started", "not recorded"], "no start is reported")
            let error = try XCTUnwrap(app.client.errors.last as? CaptureServiceError)
            XCTAssertEqual(error.nsError.code, code)
            XCTAssertEqual(error.nsError.domain, "com.caixindong.captureservice.writter")
        }
    }

    func testS2_21AMovieThatCannotBeStartedHasItsErrorCode() throws {
        let app = try ServiceApp()
        app.start()
        app.simulated.storage.freeByteCount = 0
        app.service.startRecording()
        app.advance(.milliseconds(300))
        XCTAssertEqual(app.events, ["started", "not recorded"])
        let error = try XCTUnwrap(app.client.errors.last as? CaptureServiceError)
        XCTAssertEqual(error.nsError.code, -2212)
        XCTAssertEqual(error.nsError.domain, "com.xindong.captureservice.writter")
        XCTAssertNotNil(error.underlyingError)
        app.simulated.storage.freeByteCount = nil
        XCTAssertGreaterThan(try app.record(.milliseconds(300)).duration.seconds, 0.2)
    }

    func testS2_21AFullDiskHasTheErrorCodeOfTheUnwrittenMedia() throws {
        for (code, frameRate, hasSound) in [(-2213, 30, false), (-2214, 1, true)] {
            let app = try ServiceApp(hasSound: hasSound)
            app.service.frameRate = frameRate
            app.start()
            app.service.startRecording()
            app.advance(.milliseconds(1500))
            app.simulated.storage.freeByteCount = 0
            app.advance(.seconds(3))
            XCTAssertEqual(app.events, ["started", "recording", "not recorded"], "\(code)")
            let error = try XCTUnwrap(app.client.errors.last as? CaptureServiceError)
            XCTAssertEqual(error.code.rawValue, code)
            XCTAssertEqual(app.files, [])
        }
    }

    func testS2_22AMovieBeginsWithItsFirstFrameAndEarlierAudioIsDropped() throws {
        let app = try ServiceApp(hasSound: true)
        app.start()
        let stall = SimFault.stall(duration: CMTime(value: 1, timescale: 1))
        try app.simulated.host.schedule(stall, uniqueID: "phone.front", at: .time(app.simulated.clock.now))
        app.advance(.milliseconds(100))
        let audioBufferCount = app.client.receivedAudioBuffers.count
        let movie = try app.record(.milliseconds(1900))
        XCTAssertGreaterThan(app.client.receivedAudioBuffers.count, audioBufferCount + 10)
        XCTAssertEqual(movie.duration.seconds, 1, accuracy: 0.15)
        let tracks = movie.tracks
        XCTAssertEqual(tracks.count, 2)
        for track in tracks {
            XCTAssertEqual(track.timeRange.start.seconds, 0, accuracy: 0.05)
            XCTAssertEqual(track.timeRange.duration.seconds, 1, accuracy: 0.15)
        }
    }

    func testS2_23FramesAreSkippedWhileTheWriterIsNotReady() throws {
        let app = try ServiceApp(hasSound: true)
        app.service.frameRate = 5
        app.start()
        // The writer waits for the first audio, and after ten seconds it is not ready for more frames.
        let stall = SimFault.stall(duration: CMTime(value: 15, timescale: 1))
        try app.simulated.host.schedule(stall, uniqueID: "phone.microphone", at: .time(app.simulated.clock.now))
        app.advance(.milliseconds(100))
        app.service.startRecording()
        app.advance(.seconds(14))
        let count = app.client.receivedFrames.count
        let movie = try app.finish()
        XCTAssertGreaterThan(count, 68)
        XCTAssertEqual(try DecodedMovie(movie.url).frames.count, 51, accuracy: 2)
        XCTAssertEqual(app.events, ["started", "recording", "recorded"])
    }

    func testS2_24TheEndOfAMovieIsReportedWithOrWithoutAnError() throws {
        let app = try ServiceApp()
        app.start()
        XCTAssertGreaterThan(try app.record(.milliseconds(300)).duration.seconds, 0.2)
        XCTAssertEqual(app.events, ["started", "recording", "recorded"])
        // No frame arrives, so there is no movie to complete.
        app.simulated.system.interruptions.begin(.videoInUseByAnotherClient)
        app.advance(.milliseconds(300))
        app.service.startRecording()
        app.service.stopRecording()
        app.advance(.milliseconds(300))
        XCTAssertEqual(app.events.suffix(2), ["recording", "not recorded"])
        XCTAssertEqual((app.client.errors.last as? AVError)?.code, .noDataCaptured)
        XCTAssertEqual(app.files.count, 1, "the first movie")
        XCTAssertEqual(Set(app.client.areOnMain.all), [true])
    }

    func testS2_25StoppingWithoutARecordingIsLogged() throws {
        let app = try ServiceApp()
        app.start()
        app.service.stopRecording()
        app.advance(.milliseconds(100))
        XCTAssertEqual(app.log.all, ["no movie is being recorded"])
        app.service.startRecording()
        app.advance(.milliseconds(300))
        app.service.stopRecording()
        app.service.stopRecording()
        app.advance(.milliseconds(300))
        XCTAssertEqual(app.events, ["started", "recording", "recorded"])
        XCTAssertEqual(app.log.count, 2)
    }

    func testS2_26MissingAudioSettingsAreLoggedAsAWarning() throws {
        let app = try ServiceApp(hasSound: true)
        app.service.audioSettings = nil
        app.start()
        let movie = try app.record(.milliseconds(500))
        XCTAssertEqual(app.log.all, ["warning: there are no soun settings"])
        XCTAssertEqual(movie.tracks.map(\.mediaType), [.video])
        XCTAssertEqual(movie.duration.seconds, 0.5, accuracy: 0.1)
    }

    func testS2_26WithoutVideoSettingsTheMovieHasOnlyAudio() throws {
        let app = try ServiceApp(hasSound: true)
        app.start()
        // The service has default settings for video; its writer accepts that there are none.
        let service = app.service
        let url = app.simulated.folder.appendingPathComponent("sound.mp4")
        try service.writingQueue.sync {
            let writer = try VideoWriter(
                url: url, videoSettings: nil, hasSound: true, audioSettings: service.audioSettings,
                session: service.session, queue: service.writingQueue, log: service.log)
            writer.delegate = service
            try writer.startWriting()
            service.writer = writer
            service.lock.withLock { (service.shared.recordURL, service.shared.isWriting) = (url, true) }
        }
        app.advance(.milliseconds(500))
        let movie = try app.finish()
        XCTAssertEqual(app.log.all, ["warning: there are no vide settings"])
        XCTAssertEqual(movie.tracks.map(\.mediaType), [.audio])
        XCTAssertEqual(movie.duration.seconds, 0.5, accuracy: 0.1)
    }

    func testS2_28ACancelledMovieIsDeleted() throws {
        let app = try ServiceApp()
        app.start()
        app.service.startRecording()
        app.advance(.milliseconds(300))
        XCTAssertEqual(app.files.count, 1)
        app.service.cancelRecording()
        app.advance(.milliseconds(300))
        XCTAssertEqual(app.files, [])
        XCTAssertEqual(app.events, ["started", "recording"])
        app.service.startRecording()
        app.service.cancelRecording()
        app.advance(.milliseconds(300))
        XCTAssertEqual(app.files, [])
        XCTAssertEqual(try app.record(.milliseconds(300)).duration.seconds, 0.3, accuracy: 0.1)
    }

    func testS2_31AudioIsRecordedOnlyIfRequested() throws {
        for hasSound in [false, true] {
            let app = try ServiceApp(hasSound: hasSound)
            app.start()
            let movie = try app.record(.milliseconds(500))
            XCTAssertEqual(movie.tracks(withMediaType: .audio).count, hasSound ? 1 : 0)
            XCTAssertEqual(app.client.receivedAudioBuffers.count > 0, hasSound)
        }
    }

    func testS2_31WithoutTheMicrophoneMoviesHaveNoAudioTrack() throws {
        let app = try ServiceApp(authorization: [.audio: .denied], hasSound: true)
        app.start()
        let movie = try app.record(.milliseconds(500))
        XCTAssertEqual(movie.tracks.map(\.mediaType), [.video])
        XCTAssertEqual(app.log.all, ["movies have no sound: there is no microphone, or it is not allowed"])
    }
}
