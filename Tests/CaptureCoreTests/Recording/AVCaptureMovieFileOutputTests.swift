import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore
@testable import MediaAssets

final class AVCaptureMovieFileOutputTests: XCTestCase {
    func testTenSecondsAtThirtyFramesAreThreeHundredFramesAndTenSecondsOfSound() throws {
        let stage = try MovieStage()
        stage.movie.maxRecordedDuration = CMTime(value: 10, timescale: 1)
        stage.start()
        stage.record()
        XCTAssertTrue(stage.movie.isRecording)
        XCTAssertEqual(stage.movie.outputFileURL, stage.bench.url("a.mov"))
        stage.play(11000)
        try stage.assertEnd(.maximumDurationReached, isGood: true)
        XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov", "finish a.mov"])
        let movie = try stage.decode()
        XCTAssertEqual(movie.counters, (0..<300).map { UInt32($0) })
        XCTAssertEqual(movie.soundDuration, 10, accuracy: 1024.0 / 48000)
        for (index, frame) in movie.frames.enumerated() {
            XCTAssertEqual(frame.time.seconds, Double(index) / 30, accuracy: 1e-9)
        }
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 10, accuracy: 1e-9)
        XCTAssertEqual(
            stage.movie.recordedFileSize, Int64(try Data(contentsOf: stage.bench.url("a.mov")).count))
        stage.session.stopRunning()
    }

    func testSoundAndPictureAreInStepToAMillisecond() throws {
        for delay in [0, 17, 333] {
            let stage = try MovieStage()
            stage.start()
            stage.play(delay)
            stage.record()
            stage.play(1100)
            stage.stopRecording()
            try stage.assertEnd(nil, isGood: nil)
            XCTAssertLessThan(abs(try stage.decode().soundOffsetNanoseconds()), 1e6, "started after \(delay) ms")
        }
    }

    func testALateCameraStaysInStepWithSoundThatComesEarly() throws {
        for latency in [20, 140, 600] {
            let bench = try CaptureBench { machine in
                guard case .camera(var camera) = machine.devices[0] else { return }
                camera.deliveryLatencyNanoseconds = Int64(latency) * 1_000_000
                machine.devices[0] = .camera(camera)
            }
            let stage = try MovieStage(bench)
            stage.start()
            stage.play(50)
            stage.record()
            stage.play(1000 + latency)
            stage.stopRecording()
            stage.play(latency + 40)
            try stage.assertEnd(nil, isGood: nil)
            let movie = try stage.decode()
            XCTAssertEqual(movie.frames.first?.marker?.counter, 2)
            XCTAssertLessThan(abs(try movie.soundOffsetNanoseconds()), 1e6, "\(latency) ms late")
            // The sound begins with the first picture, not with the first chunk that came after it.
            XCTAssertEqual(movie.soundStart.seconds, 0, accuracy: 1e-6)
            let head = movie.sound[2000..<4000].map { abs($0) }.max() ?? 0
            XCTAssertGreaterThan(head, 0.08, "\(latency) ms late")
        }
    }

    func testALateMicrophoneStaysInStepToo() throws {
        let bench = try CaptureBench { machine in
            guard case .microphone(var microphone) = machine.devices[1] else { return }
            microphone.deliveryLatencyNanoseconds = 180_000_000
            machine.devices[1] = .microphone(microphone)
        }
        let stage = try MovieStage(bench)
        stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        stage.start()
        stage.record()
        stage.play(2000)
        try stage.assertEnd(.maximumDurationReached, isGood: true)
        let movie = try stage.decode()
        XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) })
        XCTAssertEqual(movie.soundDuration, 1, accuracy: 1024.0 / 48000)
        XCTAssertLessThan(abs(try movie.soundOffsetNanoseconds()), 1e6)
        XCTAssertGreaterThan(movie.sound[46000..<47900].map { abs($0) }.max() ?? 0, 0.08)
    }

    func testStoppingAtAnyMomentLeavesNoFrameBehindTheEnd() throws {
        for milliseconds in [500, 507, 513, 520, 530, 534] {
            let stage = try MovieStage()
            stage.start()
            stage.record()
            stage.play(milliseconds)
            stage.stopRecording()
            try stage.assertEnd(nil, isGood: nil)
            let movie = try stage.decode()
            let duration = stage.movie.recordedDuration
            XCTAssertLessThanOrEqual(duration, .milliseconds(Int64(milliseconds)))
            XCTAssertGreaterThan(duration, .milliseconds(Int64(milliseconds) - 34))
            XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) })
            XCTAssertEqual(stage.movie.recordingStatistics.videoFrameCount, movie.frames.count)
            let last = try XCTUnwrap(movie.frames.last)
            XCTAssertLessThan(last.time, duration, "stopped at \(milliseconds) ms")
            XCTAssertLessThanOrEqual(
                abs(movie.soundDuration - duration.seconds), 1024.0 / 48000, "stopped at \(milliseconds) ms")
        }
    }

    func testSoundAloneMakesAMovie() throws {
        for name in ["a.mov", "a.mp4"] {
            let stage = try MovieStage(CaptureBench(), camera: nil)
            stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 2)
            stage.start()
            stage.play(33)
            stage.record(name)
            stage.play(700)
            try stage.assertEnd(.maximumDurationReached, isGood: true)
            let movie = try stage.decode(name)
            XCTAssertEqual(movie.frames.count, 0)
            XCTAssertEqual(movie.soundDuration, 0.5, accuracy: 1024.0 / 48000)
            XCTAssertEqual(try stage.end().connectionCount, 1)
        }
    }

    func testPicturesAloneMakeAMovie() throws {
        let stage = try MovieStage(microphone: nil)
        stage.start()
        stage.record()
        stage.play(990)
        stage.stopRecording()
        try stage.assertEnd(nil, isGood: nil)
        let movie = try stage.decode()
        XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) })
        XCTAssertNil(movie.audioCodec)
    }

    func testADisabledConnectionIsLeftOut() throws {
        let stage = try MovieStage()
        stage.movie.connection(with: .audio)?.isEnabled = false
        stage.start()
        stage.record()
        stage.play(300)
        stage.stopRecording()
        XCTAssertNil(try stage.decode().audioCodec)
        XCTAssertEqual(try stage.end().connectionCount, 1)
    }

    func testEveryCodecAndContainerPlays() throws {
        let codecs: [(AVVideoCodecType, String)] = [(.h264, "h264"), (.hevc, "hevc"), (.jpeg, "mjpeg")]
        for (codec, decoder) in codecs {
            for name in ["a.mov", "a.mp4"] {
                let stage = try MovieStage()
                let connection = try XCTUnwrap(stage.movie.connection(with: .video))
                stage.movie.setOutputSettings([AVVideoCodecKey: codec], for: connection)
                XCTAssertEqual(
                    stage.movie.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType, codec)
                stage.start()
                stage.record(name)
                stage.play(320)
                stage.stopRecording()
                if codec == .jpeg, name == "a.mp4" {
                    try stage.assertEnd(.unsupportedOutputSettings, isGood: false)
                    XCTAssertFalse(stage.bench.fileExists(name))
                    continue
                }
                try stage.assertEnd(nil, isGood: nil)
                let movie = try stage.decode(name)
                XCTAssertTrue(movie.videoCodec?.hasPrefix(decoder) ?? false, "\(movie.videoCodec ?? "none")")
                XCTAssertEqual(movie.audioCodec, "aac")
                XCTAssertEqual(movie.counters, (0..<10).map { UInt32($0) })
            }
        }
    }

    func testOutputSettingsThatCannotBeMetAreMisuse() throws {
        let stage = try MovieStage()
        let connection = try XCTUnwrap(stage.movie.connection(with: .video))
        func compressed(_ properties: [String: Any]) -> [String: Any] {
            [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoCompressionPropertiesKey: properties]
        }
        let wrong: [[String: Any]] = [
            [AVVideoCodecKey: AVVideoCodecType.proRes422], [AVVideoCodecKey: 7],
            [AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 100_000]],
            compressed([AVVideoAverageBitRateKey: 0]), compressed([AVVideoQualityKey: 2]),
            compressed([AVVideoMaxKeyFrameIntervalKey: "often"]),
        ]
        for settings in wrong {
            stage.bench.assertMisuse(.invalidArgument) { stage.movie.setOutputSettings(settings, for: connection) }
        }
        XCTAssertNil(stage.movie.outputSettings(for: connection)[AVVideoCompressionPropertiesKey])
        let other = try MovieStage(stage.bench)
        stage.bench.assertMisuse(.invalidArgument) {
            other.movie.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.h264], for: connection)
        }
        stage.movie.setOutputSettings(compressed([AVVideoAverageBitRateKey: 100_000]), for: connection)
        stage.movie.setOutputSettings(nil, for: connection)
        XCTAssertNil(stage.movie.outputSettings(for: connection)[AVVideoCompressionPropertiesKey])
        stage.bench.assertNoMisuse()
    }

    func testTheTrackMatrixShowsEveryOrientationAsADataOutputDoes() throws {
        for angle in [0, 90, 180, 270] {
            for isMirrored in [false, true] {
                let stage = try MovieStage(microphone: nil)
                let connection = try XCTUnwrap(stage.movie.connection(with: .video))
                connection.videoRotationAngle = CGFloat(angle)
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = isMirrored
                stage.start()
                stage.record()
                stage.play(100)
                // The matrix is fixed once the movie has begun.
                connection.videoRotationAngle = 0
                stage.stopRecording()
                let matrix = try TrackMatrix(ofVideoIn: stage.bench.url("a.mov"))
                for (x, y) in [(0, 0), (320, 0), (0, 240), (320, 240), (10, 20)] {
                    let seen = matrix.map(Double(x), Double(y))
                    // Turned clockwise, then left and right exchanged.
                    var expected: (Double, Double)
                    var width = 320.0
                    switch angle {
                    case 90: (expected, width) = ((Double(240 - y), Double(x)), 240)
                    case 180: expected = (Double(320 - x), Double(240 - y))
                    case 270: (expected, width) = ((Double(y), Double(320 - x)), 240)
                    default: expected = (Double(x), Double(y))
                    }
                    if isMirrored { expected.0 = width - expected.0 }
                    XCTAssertEqual(seen.0, expected.0, "\(angle) \(isMirrored)")
                    XCTAssertEqual(seen.1, expected.1, "\(angle) \(isMirrored)")
                }
                XCTAssertEqual(try stage.decode().frames.first?.width, 320)
                if !isMirrored { XCTAssertEqual(try stage.decode().rotation.rawValue, angle) }
            }
        }
    }

    func testTheSameRecordingGivesTheSameBytes() throws {
        func bytes() throws -> Data {
            let stage = try MovieStage()
            stage.start()
            stage.record()
            stage.play(500)
            stage.stopRecording()
            return try Data(contentsOf: stage.bench.url("a.mov"))
        }
        XCTAssertEqual(try bytes(), try bytes())
    }
}

/// The matrix in a track's header (ISO/IEC 14496-12, 8.3.2).
struct TrackMatrix {
    /// a, b, u, c, d, v, x, y, w.
    private let numbers: [Double]

    init(ofVideoIn url: URL) throws {
        let data = [UInt8](try Data(contentsOf: url))
        // The first track header of the movie; the version-0 header has its matrix 44 bytes behind the box's begin.
        let index = try XCTUnwrap(
            data.indices.dropLast(4).first { Array(data[$0..<$0 + 4]) == Array("tkhd".utf8) })
        let version = data[index + 4]
        let start = index - 4 + 8 + 4 + (version == 1 ? 32 : 20) + 16
        numbers = (0..<9).map { position in
            let at = start + 4 * position
            let raw = data[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Double(Int32(bitPattern: raw)) / 65536
        }
    }

    func map(_ x: Double, _ y: Double) -> (Double, Double) {
        (numbers[0] * x + numbers[3] * y + numbers[6], numbers[1] * x + numbers[4] * y + numbers[7])
    }
}
