import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class RecordingLimitTests: XCTestCase {
    func testTheMaximumDurationIsKeptExactly() throws {
        let limits = [
            CMTime(value: 1, timescale: 10), CMTime(value: 1, timescale: 2), CMTime(value: 713, timescale: 1000),
        ]
        for limit in limits {
            for microphone in [CaptureBench.microphone, nil] {
                let stage = try MovieStage(microphone: microphone)
                stage.movie.maxRecordedDuration = limit
                stage.start()
                stage.play(45)
                stage.record()
                stage.play(1500)
                try stage.assertEnd(.maximumDurationReached, isGood: true)
                XCTAssertEqual(stage.movie.recordedDuration.seconds, limit.seconds, accuracy: 1e-9)
                let movie = try stage.decode()
                XCTAssertEqual(movie.frames.count, Int((limit.seconds * 30).rounded(.up)))
                XCTAssertLessThan(try XCTUnwrap(movie.frames.last).time, limit)
                if microphone != nil {
                    XCTAssertEqual(movie.soundDuration, limit.seconds, accuracy: 1024.0 / 48000)
                }
                XCTAssertEqual(
                    try stage.end().error?.time?.seconds ?? 0, limit.seconds + 2.0 / 30, accuracy: 1e-6)
            }
        }
    }

    func testAPauseDoesNotCountTowardsTheMaximumDuration() throws {
        let stage = try MovieStage()
        stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        stage.start()
        stage.record()
        stage.play(500)
        stage.movie.pauseRecording()
        stage.play(2000)
        XCTAssertTrue(stage.movie.isRecording)
        stage.movie.resumeRecording()
        stage.play(1000)
        try stage.assertEnd(.maximumDurationReached, isGood: true)
        XCTAssertEqual(stage.movies.story, ["start a.mov", "pause a.mov", "resume a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 1, accuracy: 1e-6)
        let movie = try stage.decode()
        XCTAssertEqual(movie.frames.count, 30, accuracy: 1)
        XCTAssertEqual(movie.soundDuration, 1, accuracy: 1024.0 / 48000)
    }

    func testAPausedSpanIsTakenOutAndSoundAndPictureStayInStep() throws {
        let stage = try MovieStage()
        stage.start()
        stage.record()
        stage.play(510)
        stage.movie.pauseRecording()
        XCTAssertTrue(stage.movie.isRecordingPaused)
        stage.movie.pauseRecording()
        stage.play(700)
        stage.movie.resumeRecording()
        XCTAssertFalse(stage.movie.isRecordingPaused)
        stage.movie.resumeRecording()
        stage.play(1000)
        stage.stopRecording()
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(stage.movies.story, ["start a.mov", "pause a.mov", "resume a.mov", "end a.mov", "finish a.mov"])
        let movie = try stage.decode()
        let counters = movie.counters.compactMap { $0 }
        XCTAssertEqual(Array(counters.prefix(16)), (0..<16).map { UInt32($0) })
        // 1.21 s is behind frame 36.
        XCTAssertEqual(counters[16], 37)
        XCTAssertEqual(Array(counters.dropFirst(16)), (37..<37 + UInt32(counters.count - 16)).map { $0 })
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 1.51, accuracy: 0.03)
        for frame in movie.frames {
            let marker = try XCTUnwrap(frame.marker)
            let expected = marker.time.seconds - (marker.counter >= 37 ? 0.7 : 0)
            XCTAssertEqual(frame.time.seconds, expected, accuracy: 1e-4)
        }
        XCTAssertEqual(movie.soundDuration, stage.movie.recordedDuration.seconds, accuracy: 1024.0 / 48000)
    }

    func testAPauseBeforeTheFirstFrameHoldsTheRecordingBack() throws {
        let stage = try MovieStage()
        stage.start()
        stage.play(10)
        stage.record()
        stage.movie.pauseRecording()
        XCTAssertTrue(stage.movie.isRecordingPaused)
        stage.play(300)
        stage.movie.resumeRecording()
        stage.play(300)
        stage.stopRecording()
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(stage.movies.story, ["pause a.mov", "resume a.mov", "start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(try stage.decode().counters.first, 10)
    }

    func testARecordingStoppedInAPauseEndsWithThePause() throws {
        let stage = try MovieStage()
        stage.start()
        stage.record()
        stage.play(510)
        stage.movie.pauseRecording()
        stage.play(500)
        stage.stopRecording()
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(try stage.decode().frames.count, 16)
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 0.51, accuracy: 0.02)
    }

    func testTheDurationIsLimitedEvenWhereTheCameraStalls() throws {
        let stage = try MovieStage()
        try stage.bench.host.schedule(.stall(duration: nil), uniqueID: CaptureBench.camera, at: .frame(5))
        stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        stage.start()
        stage.record()
        stage.play(4000)
        try stage.assertEnd(.maximumDurationReached, isGood: true)
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 1, accuracy: 1e-6)
        XCTAssertEqual(try stage.decode().frames.count, 5)
    }

    func testTheMaximumFileSizeIsNeverExceeded() throws {
        for name in ["a.mov", "a.mp4"] {
            for limit in [50_000, 60_000, 77_777, 100_000] as [Int64] {
                let stage = try MovieStage(CaptureBench(scene: .chart))
                stage.movie.maxRecordedFileSize = limit
                stage.start()
                stage.record(name)
                stage.play(8000)
                try stage.assertEnd(.maximumFileSizeReached, isGood: true)
                let size = Int64(try Data(contentsOf: stage.bench.url(name)).count)
                XCTAssertLessThanOrEqual(size, limit)
                XCTAssertGreaterThan(size, limit / 3)
                XCTAssertEqual(stage.movie.recordedFileSize, size)
                let frames = try stage.decode(name).frames
                XCTAssertEqual(frames.map(\.marker?.counter), (0..<frames.count).map { UInt32($0) })
                XCTAssertGreaterThan(frames.count, 3)
            }
        }
    }

    func testALimitThatNothingFitsIntoLeavesNoFile() throws {
        for limit in [2000, 10_000, 20_000] as [Int64] {
            let stage = try MovieStage(CaptureBench(scene: .chart))
            stage.movie.maxRecordedFileSize = limit
            stage.start()
            stage.record()
            stage.play(1000)
            try stage.assertEnd(.maximumFileSizeReached, isGood: false)
            XCTAssertFalse(stage.bench.fileExists("a.mov"))
        }
    }

    func testTooLittleFreeSpaceRefusesTheRecording() throws {
        let bench = try CaptureBench(profile: CaptureBench.webcam, storage: SimStorage(freeByteCount: 1_000_000))
        let stage = try MovieStage(bench)
        stage.movie.minFreeDiskSpaceLimit = 1_000_001
        stage.start()
        stage.record()
        stage.play(100)
        try stage.assertEnd(.diskFull, isGood: false)
        XCTAssertEqual(stage.movies.story, ["end a.mov", "finish a.mov"])
        XCTAssertFalse(bench.fileExists("a.mov"))
    }

    func testTheFreeSpaceLimitEndsTheRecordingWithAGoodFile() throws {
        let bench = try CaptureBench(scene: .chart, storage: SimStorage(freeByteCount: 1_000_000))
        let stage = try MovieStage(bench)
        stage.movie.minFreeDiskSpaceLimit = 960_000
        stage.start()
        stage.record()
        stage.play(10000)
        try stage.assertEnd(.diskFull, isGood: true)
        XCTAssertGreaterThan(try stage.decode().frames.count, 10)
        XCTAssertGreaterThan(bench.storage.freeByteCount ?? 0, 800_000)
    }
}
