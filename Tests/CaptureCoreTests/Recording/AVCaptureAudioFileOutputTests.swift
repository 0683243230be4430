import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureAudioFileOutputTests: XCTestCase {
    private struct Fixture {
        let capture: CaptureFixture
        let session: AVCaptureSession
        let output: AVCaptureAudioFileOutput
        let files = RecordingMovies()

        init(storage: SimStorage = SimStorage()) throws {
            capture = try CaptureFixture(storage: storage)
            let output = capture.inSystem { AVCaptureAudioFileOutput() }
            self.output = output
            session = try capture.makeSession(camera: nil, [output])
        }

        func record(_ name: String, _ type: AVFileType) {
            output.startRecording(to: capture.url(name), outputFileType: type, recordingDelegate: files)
        }

        func stop() {
            output.stopRecording()
            capture.clock.settle()
        }
    }

    func testAudioIsRecordedToEveryFileType() throws {
        for (type, name, settings) in [
            (AVFileType.m4a, "a.m4a", nil), (.caf, "a.caf", nil), (.wav, "a.wav", nil),
            (.m4a, "b.m4a", [AVFormatIDKey: kAudioFormatAppleLossless]),
            (.caf, "b.caf", [AVFormatIDKey: kAudioFormatAppleLossless]),
            (.wav, "b.wav", [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 24]),
        ] as [(AVFileType, String, [String: Any]?)] {
            let fixture = try Fixture()
            fixture.output.audioSettings = settings
            fixture.session.startRunning()
            fixture.record(name, type)
            XCTAssertTrue(fixture.output.isRecording)
            fixture.capture.advance(milliseconds: 1500)
            fixture.stop()
            XCTAssertEqual(fixture.files.results.count, 1, name)
            XCTAssertNil(fixture.files.results.first?.error, name)
            XCTAssertFalse(fixture.output.isRecording)
            let audio = try DecodedMovie(fixture.capture.url(name))
            XCTAssertEqual(audio.audioDuration, 1.5, accuracy: 0.05, name)
            XCTAssertEqual(fixture.output.recordedDuration.seconds, 1.5, accuracy: 0.03, name)
            XCTAssertGreaterThan(audio.audioSamples.map(abs).max() ?? 0, 0.01, name)
            try AssetWriterFixture.assertDecodesSilently(fixture.capture.url(name))
            fixture.capture.assertNoMisuse()
        }
    }

    func testAPauseLeavesNoGapAndALimitEndsTheRecording() throws {
        let fixture = try Fixture()
        fixture.session.startRunning()
        fixture.output.maxRecordedDuration = CMTime(value: 2, timescale: 1)
        fixture.record("a.wav", .wav)
        fixture.capture.advance(milliseconds: 1000)
        fixture.output.pauseRecording()
        XCTAssertTrue(fixture.output.isRecordingPaused)
        fixture.capture.advance(milliseconds: 1000)
        fixture.output.resumeRecording()
        fixture.capture.advance(milliseconds: 2000)
        XCTAssertEqual(fixture.files.results.first?.error?.code, .maximumDurationReached)
        XCTAssertEqual(fixture.files.results.first?.isPlayable, true)
        XCTAssertEqual(try DecodedMovie(fixture.capture.url("a.wav")).audioDuration, 2, accuracy: 1e-6)
        fixture.capture.assertNoMisuse()
    }

    func testStartingWhileRecordingSwitchesFilesWithoutLoss() throws {
        let fixture = try Fixture()
        fixture.session.startRunning()
        fixture.capture.advance(milliseconds: 100)
        fixture.record("a.wav", .wav)
        fixture.capture.advance(milliseconds: 1003)
        fixture.record("b.wav", .wav)
        fixture.capture.advance(milliseconds: 1000)
        fixture.stop()
        XCTAssertEqual(fixture.files.results.count, 2)
        let (first, second) = (
            try DecodedMovie(fixture.capture.url("a.wav")), try DecodedMovie(fixture.capture.url("b.wav"))
        )
        // The tone is continuous across the files: the difference of adjacent samples is not larger at the boundary.
        let joined = first.audioSamples + second.audioSamples
        let steps = zip(joined, joined.dropFirst()).map { abs($0 - $1) }
        let maximumStep = steps.prefix(first.audioSamples.count - 2).max() ?? 0
        XCTAssertLessThanOrEqual(steps[first.audioSamples.count - 1], maximumStep * 1.05)
    }

    func testAFullDiskLeavesAPlayableFile() throws {
        let fixture = try Fixture()
        fixture.session.startRunning()
        fixture.capture.storage.freeByteCount = 200_000
        fixture.record("a.wav", .wav)
        fixture.capture.advance(milliseconds: 5000)
        XCTAssertEqual(fixture.files.results.count, 1)
        XCTAssertEqual(fixture.files.results.first?.error?.code, .diskFull)
        XCTAssertEqual(fixture.files.results.first?.isPlayable, true)
        XCTAssertGreaterThan(try DecodedMovie(fixture.capture.url("a.wav")).audioSamples.count, 10_000)
    }

    func testUnsupportedFilesAreMisuse() throws {
        let fixture = try Fixture()
        XCTAssertEqual(AVCaptureAudioFileOutput.availableOutputFileTypes(), [.m4a, .caf, .wav])
        fixture.session.startRunning()
        fixture.capture.assertMisuse(.invalidArgument) { fixture.record("a.mov", .mov) }
        fixture.capture.assertMisuse(.invalidArgument) {
            fixture.output.startRecording(to: fixture.capture.url("a"), recordingDelegate: fixture.files)
        }
        fixture.capture.assertMisuse(.invalidArgument) { fixture.output.audioSettings = [AVFormatIDKey: 7] }
        fixture.output.audioSettings = [AVFormatIDKey: kAudioFormatMPEG4AAC]
        fixture.capture.assertMisuse(.invalidArgument) { fixture.record("a.wav", .wav) }
        XCTAssertFalse(fixture.output.isRecording)
        XCTAssertEqual(fixture.files.results.count, 0)
    }
}
