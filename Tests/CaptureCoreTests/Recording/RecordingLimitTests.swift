import AssetTypes
import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class RecordingLimitTests: XCTestCase {
    func testTheMaximumDurationIsExact() throws {
        let limits = [
            CMTime(value: 1, timescale: 10), CMTime(value: 1, timescale: 2), CMTime(value: 713, timescale: 1000),
        ]
        for limit in limits {
            for microphone in [CaptureFixture.microphone, nil] {
                let fixture = try MovieRecordingFixture(microphone: microphone)
                fixture.movie.maxRecordedDuration = limit
                fixture.start()
                fixture.advance(milliseconds: 45)
                fixture.record()
                fixture.advance(milliseconds: 1500)
                try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
                XCTAssertEqual(fixture.movie.recordedDuration.seconds, limit.seconds, accuracy: 1e-9)
                let movie = try fixture.decode()
                XCTAssertEqual(movie.frames.count, Int((limit.seconds * 30).rounded(.up)))
                XCTAssertLessThan(try XCTUnwrap(movie.frames.last).time, limit)
                if microphone != nil {
                    XCTAssertEqual(movie.audioDuration, limit.seconds, accuracy: 1024.0 / 48000)
                }
                XCTAssertEqual(
                    try fixture.end().error?.time?.seconds ?? 0, limit.seconds + 2.0 / 30, accuracy: 1e-6)
            }
        }
    }

    func testAPauseDoesNotCountTowardTheMaximumDuration() throws {
        let fixture = try MovieRecordingFixture()
        fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        fixture.movie.pauseRecording()
        fixture.advance(milliseconds: 2000)
        XCTAssertTrue(fixture.movie.isRecording)
        fixture.movie.resumeRecording()
        fixture.advance(milliseconds: 1000)
        try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
        XCTAssertEqual(
            fixture.movies.events, ["start a.mov", "pause a.mov", "resume a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 1, accuracy: 1e-6)
        let movie = try fixture.decode()
        XCTAssertEqual(movie.frames.count, 30, accuracy: 1)
        XCTAssertEqual(movie.audioDuration, 1, accuracy: 1024.0 / 48000)
    }

    func testAPauseIsCutOutAndAudioAndVideoStayInSync() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 510)
        fixture.movie.pauseRecording()
        XCTAssertTrue(fixture.movie.isRecordingPaused)
        fixture.movie.pauseRecording()
        fixture.advance(milliseconds: 700)
        fixture.movie.resumeRecording()
        XCTAssertFalse(fixture.movie.isRecordingPaused)
        fixture.movie.resumeRecording()
        fixture.advance(milliseconds: 1000)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(
            fixture.movies.events, ["start a.mov", "pause a.mov", "resume a.mov", "end a.mov", "finish a.mov"])
        let movie = try fixture.decode()
        let counters = movie.counters.compactMap { $0 }
        XCTAssertEqual(Array(counters.prefix(16)), (0..<16).map { UInt32($0) })
        // 1.21 s is after frame 36.
        XCTAssertEqual(counters[16], 37)
        XCTAssertEqual(Array(counters.dropFirst(16)), (37..<37 + UInt32(counters.count - 16)).map { $0 })
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 1.51, accuracy: 0.03)
        for frame in movie.frames {
            let marker = try XCTUnwrap(frame.marker)
            let expected = marker.time.seconds - (marker.counter >= 37 ? 0.7 : 0)
            XCTAssertEqual(frame.time.seconds, expected, accuracy: 1e-4)
        }
        XCTAssertEqual(movie.audioDuration, fixture.movie.recordedDuration.seconds, accuracy: 1024.0 / 48000)
    }

    func testAPauseBeforeTheFirstFrameDelaysTheRecording() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.advance(milliseconds: 10)
        fixture.record()
        fixture.movie.pauseRecording()
        XCTAssertTrue(fixture.movie.isRecordingPaused)
        fixture.advance(milliseconds: 300)
        fixture.movie.resumeRecording()
        fixture.advance(milliseconds: 300)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(
            fixture.movies.events, ["pause a.mov", "resume a.mov", "start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(try fixture.decode().counters.first, 10)
    }

    func testARecordingStoppedWhilePausedEndsAtThePause() throws {
        let fixture = try MovieRecordingFixture()
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 510)
        fixture.movie.pauseRecording()
        fixture.advance(milliseconds: 500)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(try fixture.decode().frames.count, 16)
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 0.51, accuracy: 0.02)
    }

    func testTheDurationIsLimitedEvenIfTheCameraStalls() throws {
        let fixture = try MovieRecordingFixture()
        try fixture.capture.host.schedule(.stall(duration: nil), uniqueID: CaptureFixture.camera, at: .frame(5))
        fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 4000)
        try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 1, accuracy: 1e-6)
        XCTAssertEqual(try fixture.decode().frames.count, 5)
    }

    func testTheMaximumFileSizeIsNeverExceeded() throws {
        for name in ["a.mov", "a.mp4"] {
            for limit in [50_000, 60_000, 77_777, 100_000] as [Int64] {
                let fixture = try MovieRecordingFixture(CaptureFixture(scene: .chart))
                fixture.movie.maxRecordedFileSize = limit
                fixture.start()
                fixture.record(name)
                fixture.advance(milliseconds: 8000)
                try fixture.assertEnd(.maximumFileSizeReached, isPlayable: true)
                let size = Int64(try Data(contentsOf: fixture.capture.url(name)).count)
                XCTAssertLessThanOrEqual(size, limit)
                XCTAssertGreaterThan(size, limit / 3)
                XCTAssertEqual(fixture.movie.recordedFileSize, size)
                let frames = try fixture.decode(name).frames
                XCTAssertEqual(frames.map(\.marker?.counter), (0..<frames.count).map { UInt32($0) })
                XCTAssertGreaterThan(frames.count, 3)
            }
        }
    }

    func testALimitThatIsTooSmallLeavesNoFile() throws {
        for limit in [2000, 10_000, 20_000] as [Int64] {
            let fixture = try MovieRecordingFixture(CaptureFixture(scene: .chart))
            fixture.movie.maxRecordedFileSize = limit
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 1000)
            try fixture.assertEnd(.maximumFileSizeReached, isPlayable: false)
            XCTAssertFalse(fixture.capture.fileExists("a.mov"))
        }
    }

    func testTooLittleFreeSpaceFailsTheRecording() throws {
        let capture = try CaptureFixture(profile: CaptureFixture.webcam, storage: SimStorage(freeByteCount: 1_000_000))
        let fixture = try MovieRecordingFixture(capture)
        fixture.movie.minFreeDiskSpaceLimit = 1_000_001
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 100)
        try fixture.assertEnd(.diskFull, isPlayable: false)
        XCTAssertEqual(fixture.movies.events, ["end a.mov", "finish a.mov"])
        XCTAssertFalse(capture.fileExists("a.mov"))
    }

    func testTheFreeSpaceLimitEndsTheRecordingWithAUsableFile() throws {
        let capture = try CaptureFixture(scene: .chart, storage: SimStorage(freeByteCount: 1_000_000))
        let fixture = try MovieRecordingFixture(capture)
        fixture.movie.minFreeDiskSpaceLimit = 960_000
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 10000)
        try fixture.assertEnd(.diskFull, isPlayable: true)
        XCTAssertGreaterThan(try fixture.decode().frames.count, 10)
        XCTAssertGreaterThan(capture.storage.freeByteCount ?? 0, 800_000)
    }
}
