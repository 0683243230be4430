import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

/// A delegate that counts samples and calls a handler with the number of each frame.
private final class SampleListener: AVCaptureFileOutputDelegate, Sendable {
    private let isExact: Bool
    private let onFrame: @Sendable (AVCaptureFileOutput, Int) -> Void
    private let counts = Lock((frames: 0, chunks: 0, queryCount: 0))

    init(isExact: Bool = true, _ onFrame: @escaping @Sendable (AVCaptureFileOutput, Int) -> Void) {
        self.isExact = isExact
        self.onFrame = onFrame
    }

    var frames: Int { counts.withLock { $0.frames } }
    var chunks: Int { counts.withLock { $0.chunks } }
    var queryCount: Int { counts.withLock { $0.queryCount } }

    func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool {
        counts.withLock { $0.queryCount += 1 }
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
    func testADelegateControlsRecordingsWithFrameAccuracy() throws {
        for latency in [0, 100] {
            let capture = try CaptureFixture { machine in
                guard case .camera(var camera) = machine.devices[0] else { return }
                camera.deliveryLatencyNanoseconds = Int64(latency) * 1_000_000
                machine.devices[0] = .camera(camera)
            }
            let fixture = try MovieRecordingFixture(capture)
            let movies = fixture.movies
            let listener = SampleListener { output, number in
                switch number {
                case 10: output.startRecording(to: capture.url("a.mov"), recordingDelegate: movies)
                case 20: output.pauseRecording()
                case 25: output.resumeRecording()
                case 30: output.startRecording(to: capture.url("b.mov"), recordingDelegate: movies)
                case 40: output.stopRecording()
                default: break
                }
            }
            fixture.movie.delegate = listener
            fixture.start()
            fixture.advance(milliseconds: 1700)
            XCTAssertEqual(listener.queryCount, 1)
            XCTAssertGreaterThan(listener.chunks, 50)
            XCTAssertEqual(movies.results.map(\.name), ["a.mov", "b.mov"])
            XCTAssertEqual(movies.results.map { $0.error?.code }, [nil, nil])
            XCTAssertEqual(try fixture.decode("a.mov").counters, (Array(10..<20) + Array(25..<30)).map { UInt32($0) })
            XCTAssertEqual(try fixture.decode("b.mov").counters, (30..<40).map { UInt32($0) })
            for (time, expected) in zip(movies.startTimes, [10.0 / 30, 1]) {
                XCTAssertEqual(time.seconds, expected, accuracy: 1e-8)
            }
            XCTAssertEqual(movies.startTimes.count, 2)
            capture.assertNoMisuse()
            fixture.session.stopRunning()
        }
    }

    func testSimultaneousCallbacksOnTwoThreadsKeepTheTimesOfTheirSamples() throws {
        let fixture = try MovieRecordingFixture()
        let connection = try XCTUnwrap(fixture.movie.connections.first)
        let sample = try AssetWriterFixture.videoSample(0, at: .zero)
        let (first, second) = (CMTime(value: 1, timescale: 30), CMTime(value: 2, timescale: 30))
        let times = Lock<[CMTime]>([])
        let otherThread = DispatchQueue(label: "test.microphone")
        let listener = SampleListener { output, number in
            if number == 0 {
                // A second callback begins and ends during the first one.
                let isDone = DispatchSemaphore(value: 0)
                otherThread.async {
                    output.callSampleDelegate(with: sample, at: second, from: connection)
                    isDone.signal()
                }
                isDone.wait()
            }
            let time = output.recordingTime
            times.withLock { $0.append(time) }
        }
        fixture.movie.delegate = listener
        fixture.movie.callSampleDelegate(with: sample, at: first, from: connection)
        XCTAssertEqual(times.withLock { $0 }, [second, first])
        XCTAssertEqual(fixture.movie.recordingTime, fixture.capture.clock.now)
        withExtendedLifetime(listener) {}
    }

    func testRecordingPropertiesCanBeObserved() throws {
        let fixture = try MovieRecordingFixture()
        let events = Lock<[String]>([])
        let durations = Lock<[Double]>([])
        let sizes = Lock<[Int64]>([])
        let observations = [
            fixture.movie.observe(\.isRecording, options: [.new]) { _, change in
                events.withLock { $0.append(change.newValue == true ? "recording" : "not recording") }
            },
            fixture.movie.observe(\.isRecordingPaused, options: [.new]) { _, change in
                events.withLock { $0.append(change.newValue == true ? "paused" : "not paused") }
            },
            fixture.movie.observe(\.recordedDuration, options: [.new]) { _, change in
                durations.withLock { $0.append(change.newValue?.seconds ?? -1) }
            },
            fixture.movie.observe(\.recordedFileSize, options: [.new]) { output, change in
                sizes.withLock { $0.append(change.newValue ?? -1) }
                // Stops the recording inside the callback, after 20,000 bytes.
                if change.newValue ?? 0 > 20_000 { output.stopRecording() }
            },
        ]
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 200)
        fixture.movie.pauseRecording()
        fixture.advance(milliseconds: 100)
        fixture.movie.resumeRecording()
        fixture.advance(milliseconds: 5000)
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(events.withLock { $0 }, ["recording", "paused", "not paused", "not recording"])
        let (seconds, bytes) = (durations.withLock { $0 }, sizes.withLock { $0 })
        XCTAssertGreaterThan(seconds.count, 5)
        XCTAssertEqual(seconds.last, fixture.movie.recordedDuration.seconds)
        XCTAssertEqual(Array(seconds.dropLast()), seconds.dropLast().sorted())
        XCTAssertEqual(bytes.last, fixture.movie.recordedFileSize)
        for observation in observations { observation.invalidate() }
        fixture.session.stopRunning()
    }

    func testAnOutputDoesNotRetainItsDelegate() throws {
        let fixture = try MovieRecordingFixture()
        do {
            let listener = SampleListener { _, _ in }
            fixture.movie.delegate = listener
            XCTAssertTrue(fixture.movie.delegate === listener)
        }
        XCTAssertNil(fixture.movie.delegate)
        fixture.start()
        fixture.advance(milliseconds: 100)
        fixture.session.stopRunning()
    }
}
