import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore
@testable import MediaAssets

final class AVCaptureAudioFileOutputTests: XCTestCase {
    private struct Stage {
        let bench: CaptureBench
        let session: AVCaptureSession
        let output: AVCaptureAudioFileOutput
        let files = RecordingMovies()

        init(storage: SimStorage = SimStorage()) throws {
            bench = try CaptureBench(storage: storage)
            let output = bench.run { AVCaptureAudioFileOutput() }
            self.output = output
            session = try bench.makeSession(camera: nil, [output])
        }

        func record(_ name: String, _ type: AVFileType) {
            output.startRecording(to: bench.url(name), outputFileType: type, recordingDelegate: files)
        }

        func stop() {
            output.stopRecording()
            bench.clock.settle()
        }
    }

    func testSoundOfASessionGoesIntoEveryKindOfFile() throws {
        for (type, name, settings) in [
            (AVFileType.m4a, "a.m4a", nil), (.caf, "a.caf", nil), (.wav, "a.wav", nil),
            (.m4a, "b.m4a", [AVFormatIDKey: kAudioFormatAppleLossless]),
            (.caf, "b.caf", [AVFormatIDKey: kAudioFormatAppleLossless]),
            (.wav, "b.wav", [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 24]),
        ] as [(AVFileType, String, [String: Any]?)] {
            let stage = try Stage()
            stage.output.audioSettings = settings
            stage.session.startRunning()
            stage.record(name, type)
            XCTAssertTrue(stage.output.isRecording)
            stage.bench.advance(milliseconds: 1500)
            stage.stop()
            XCTAssertEqual(stage.files.ends.count, 1, name)
            XCTAssertNil(stage.files.ends.first?.error, name)
            XCTAssertFalse(stage.output.isRecording)
            let sound = try DecodedMovie(stage.bench.url(name))
            XCTAssertEqual(sound.soundDuration, 1.5, accuracy: 0.05, name)
            XCTAssertEqual(stage.output.recordedDuration.seconds, 1.5, accuracy: 0.03, name)
            XCTAssertGreaterThan(sound.sound.map(abs).max() ?? 0, 0.01, name)
            try WriterBench.assertDecodesSilently(stage.bench.url(name))
            stage.bench.assertNoMisuse()
        }
    }

    func testAPauseLeavesNoGapAndALimitEndsTheFile() throws {
        let stage = try Stage()
        stage.session.startRunning()
        stage.output.maxRecordedDuration = CMTime(value: 2, timescale: 1)
        stage.record("a.wav", .wav)
        stage.bench.advance(milliseconds: 1000)
        stage.output.pauseRecording()
        XCTAssertTrue(stage.output.isRecordingPaused)
        stage.bench.advance(milliseconds: 1000)
        stage.output.resumeRecording()
        stage.bench.advance(milliseconds: 2000)
        XCTAssertEqual(stage.files.ends.first?.error?.code, .maximumDurationReached)
        XCTAssertEqual(stage.files.ends.first?.isGood, true)
        XCTAssertEqual(try DecodedMovie(stage.bench.url("a.wav")).soundDuration, 2, accuracy: 1e-6)
        stage.bench.assertNoMisuse()
    }

    func testStartingWhileRecordingSwitchesFilesWithoutALoss() throws {
        let stage = try Stage()
        stage.session.startRunning()
        stage.bench.advance(milliseconds: 100)
        stage.record("a.wav", .wav)
        stage.bench.advance(milliseconds: 1003)
        stage.record("b.wav", .wav)
        stage.bench.advance(milliseconds: 1000)
        stage.stop()
        XCTAssertEqual(stage.files.ends.count, 2)
        let (first, second) = (
            try DecodedMovie(stage.bench.url("a.wav")), try DecodedMovie(stage.bench.url("b.wav"))
        )
        // The tone goes on from one file to the next: no sample differs from its neighbours by more than before.
        let joined = first.sound + second.sound
        let steps = zip(joined, joined.dropFirst()).map { abs($0 - $1) }
        let usual = steps.prefix(first.sound.count - 2).max() ?? 0
        XCTAssertLessThanOrEqual(steps[first.sound.count - 1], usual * 1.05)
    }

    func testAFullDiskLeavesWhatWasChecked() throws {
        let stage = try Stage()
        stage.session.startRunning()
        stage.bench.storage.freeByteCount = 200_000
        stage.record("a.wav", .wav)
        stage.bench.advance(milliseconds: 5000)
        XCTAssertEqual(stage.files.ends.count, 1)
        XCTAssertEqual(stage.files.ends.first?.error?.code, .diskFull)
        XCTAssertEqual(stage.files.ends.first?.isGood, true)
        XCTAssertGreaterThan(try DecodedMovie(stage.bench.url("a.wav")).sound.count, 10_000)
    }

    func testWhatCannotBeWrittenIsMisuse() throws {
        let stage = try Stage()
        XCTAssertEqual(AVCaptureAudioFileOutput.availableOutputFileTypes(), [.m4a, .caf, .wav])
        stage.session.startRunning()
        stage.bench.assertMisuse(.invalidArgument) { stage.record("a.mov", .mov) }
        stage.bench.assertMisuse(.invalidArgument) {
            stage.output.startRecording(to: stage.bench.url("a"), recordingDelegate: stage.files)
        }
        stage.bench.assertMisuse(.invalidArgument) { stage.output.audioSettings = [AVFormatIDKey: 7] }
        stage.output.audioSettings = [AVFormatIDKey: kAudioFormatMPEG4AAC]
        stage.bench.assertMisuse(.invalidArgument) { stage.record("a.wav", .wav) }
        XCTAssertFalse(stage.output.isRecording)
        XCTAssertEqual(stage.files.ends.count, 0)
    }
}
