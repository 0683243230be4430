import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

/// A delegate that steers recordings by the samples that it sees.
private final class SampleListener: AVCaptureFileOutputDelegate, Sendable {
    private let isExact: Bool
    private let onFrame: @Sendable (AVCaptureFileOutput, Int) -> Void
    private let counts = Lock((frames: 0, chunks: 0, asked: 0))

    init(isExact: Bool = true, _ onFrame: @escaping @Sendable (AVCaptureFileOutput, Int) -> Void) {
        self.isExact = isExact
        self.onFrame = onFrame
    }

    var frames: Int { counts.withLock { $0.frames } }
    var chunks: Int { counts.withLock { $0.chunks } }
    var asked: Int { counts.withLock { $0.asked } }

    func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool {
        counts.withLock { $0.asked += 1 }
        return isExact
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didOutputSampleBuffer sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
    ) {
        guard sampleBuffer.imageBuffer != nil else { return counts.withLock { $0.chunks += 1 } }
        let number = counts.withLock { counts in
            defer { counts.frames += 1 }
            return counts.frames
        }
        onFrame(output, number)
    }
}

final class AVCaptureFileOutputTests: XCTestCase {
    func testADelegateStartsSwitchesAndEndsRecordingsExactlyAtItsFrames() throws {
        for latency in [0, 100] {
            let bench = try CaptureBench { machine in
                guard case .camera(var camera) = machine.devices[0] else { return }
                camera.deliveryLatencyNanoseconds = Int64(latency) * 1_000_000
                machine.devices[0] = .camera(camera)
            }
            let stage = try MovieStage(bench)
            let movies = stage.movies
            let listener = SampleListener { output, number in
                switch number {
                case 10: output.startRecording(to: bench.url("a.mov"), recordingDelegate: movies)
                case 20: output.pauseRecording()
                case 25: output.resumeRecording()
                case 30: output.startRecording(to: bench.url("b.mov"), recordingDelegate: movies)
                case 40: output.stopRecording()
                default: break
                }
            }
            stage.movie.delegate = listener
            stage.start()
            stage.play(1700)
            XCTAssertEqual(listener.asked, 1)
            XCTAssertGreaterThan(listener.chunks, 50)
            XCTAssertEqual(movies.ends.map(\.name), ["a.mov", "b.mov"])
            XCTAssertEqual(movies.ends.map { $0.error?.code }, [nil, nil])
            XCTAssertEqual(try stage.decode("a.mov").counters, (Array(10..<20) + Array(25..<30)).map { UInt32($0) })
            XCTAssertEqual(try stage.decode("b.mov").counters, (30..<40).map { UInt32($0) })
            for (time, expected) in zip(movies.startTimes, [10.0 / 30, 1]) {
                XCTAssertEqual(time.seconds, expected, accuracy: 1e-8)
            }
            XCTAssertEqual(movies.startTimes.count, 2)
            bench.assertNoMisuse()
            stage.session.stopRunning()
        }
    }

    func testARecordingCanBeWatched() throws {
        let stage = try MovieStage()
        let story = Lock<[String]>([])
        let lengths = Lock<[Double]>([])
        let sizes = Lock<[Int64]>([])
        let observations = [
            stage.movie.observe(\.isRecording, options: [.new]) { _, change in
                story.withLock { $0.append(change.newValue == true ? "recording" : "not recording") }
            },
            stage.movie.observe(\.isRecordingPaused, options: [.new]) { _, change in
                story.withLock { $0.append(change.newValue == true ? "paused" : "not paused") }
            },
            stage.movie.observe(\.recordedDuration, options: [.new]) { _, change in
                lengths.withLock { $0.append(change.newValue?.seconds ?? -1) }
            },
            stage.movie.observe(\.recordedFileSize, options: [.new]) { output, change in
                sizes.withLock { $0.append(change.newValue ?? -1) }
                // From inside, as soon as there is something.
                if change.newValue ?? 0 > 20_000 { output.stopRecording() }
            },
        ]
        stage.start()
        stage.record()
        stage.play(200)
        stage.movie.pauseRecording()
        stage.play(100)
        stage.movie.resumeRecording()
        stage.play(5000)
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(story.withLock { $0 }, ["recording", "paused", "not paused", "not recording"])
        let (seconds, bytes) = (lengths.withLock { $0 }, sizes.withLock { $0 })
        XCTAssertGreaterThan(seconds.count, 5)
        XCTAssertEqual(seconds.last, stage.movie.recordedDuration.seconds)
        XCTAssertEqual(Array(seconds.dropLast()), seconds.dropLast().sorted())
        XCTAssertEqual(bytes.last, stage.movie.recordedFileSize)
        for observation in observations { observation.invalidate() }
        stage.session.stopRunning()
    }

    func testAnOutputDoesNotKeepItsDelegate() throws {
        let stage = try MovieStage()
        do {
            let listener = SampleListener { _, _ in }
            stage.movie.delegate = listener
            XCTAssertTrue(stage.movie.delegate === listener)
        }
        XCTAssertNil(stage.movie.delegate)
        stage.start()
        stage.play(100)
        stage.session.stopRunning()
    }
}
