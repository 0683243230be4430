import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureMovieFileOutputTests: XCTestCase {
    func testTenSecondsContainThreeHundredFramesAndTenSecondsOfAudio() throws {
        let fixture = try MovieRecordingFixture()
        fixture.movie.maxRecordedDuration = CMTime(value: 10, timescale: 1)
        fixture.start()
        fixture.record()
        XCTAssertTrue(fixture.movie.isRecording)
        XCTAssertEqual(fixture.movie.outputFileURL, fixture.capture.url("a.mov"))
        fixture.advance(milliseconds: 11000)
        try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
        XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
        let movie = try fixture.decode()
        XCTAssertEqual(movie.counters, (0..<300).map { UInt32($0) })
        XCTAssertEqual(movie.audioDuration, 10, accuracy: 1024.0 / 48000)
        for (index, frame) in movie.frames.enumerated() {
            XCTAssertEqual(frame.time.seconds, Double(index) / 30, accuracy: 1e-9)
        }
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 10, accuracy: 1e-9)
        XCTAssertEqual(
            fixture.movie.recordedFileSize, Int64(try Data(contentsOf: fixture.capture.url("a.mov")).count))
        fixture.session.stopRunning()
    }

    func testAudioAndVideoAreInSyncToAMillisecond() throws {
        for delay in [0, 17, 333] {
            let fixture = try MovieRecordingFixture()
            fixture.start()
            fixture.advance(milliseconds: delay)
            fixture.record()
            fixture.advance(milliseconds: 1100)
            fixture.stopRecording()
            try fixture.assertEnd(nil, isPlayable: nil)
            XCTAssertLessThan(abs(try fixture.decode().audioOffsetNanoseconds()), 1e6, "started after \(delay) ms")
        }
    }

    func testALateCameraStaysInSyncWithEarlyAudio() throws {
        for latency in [20, 140, 600] {
            let capture = try CaptureFixture { machine in
                guard case .camera(var camera) = machine.devices[0] else { return }
                camera.deliveryLatencyNanoseconds = Int64(latency) * 1_000_000
                machine.devices[0] = .camera(camera)
            }
            let fixture = try MovieRecordingFixture(capture)
            fixture.start()
            fixture.advance(milliseconds: 50)
            fixture.record()
            fixture.advance(milliseconds: 1000 + latency)
            fixture.stopRecording()
            fixture.advance(milliseconds: latency + 40)
            try fixture.assertEnd(nil, isPlayable: nil)
            let movie = try fixture.decode()
            XCTAssertEqual(movie.frames.first?.marker?.counter, 2)
            XCTAssertLessThan(abs(try movie.audioOffsetNanoseconds()), 1e6, "\(latency) ms late")
            // The audio starts with the first frame, not with the first chunk that arrived after it.
            XCTAssertEqual(movie.audioStart.seconds, 0, accuracy: 1e-6)
            let head = movie.audioSamples[2000..<4000].map { abs($0) }.max() ?? 0
            XCTAssertGreaterThan(head, 0.08, "\(latency) ms late")
        }
    }

    func testALateMicrophoneStaysInSync() throws {
        let capture = try CaptureFixture { machine in
            guard case .microphone(var microphone) = machine.devices[1] else { return }
            microphone.deliveryLatencyNanoseconds = 180_000_000
            machine.devices[1] = .microphone(microphone)
        }
        let fixture = try MovieRecordingFixture(capture)
        fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 2000)
        try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
        let movie = try fixture.decode()
        XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) })
        XCTAssertEqual(movie.audioDuration, 1, accuracy: 1024.0 / 48000)
        XCTAssertLessThan(abs(try movie.audioOffsetNanoseconds()), 1e6)
        XCTAssertGreaterThan(movie.audioSamples[46000..<47900].map { abs($0) }.max() ?? 0, 0.08)
    }

    func testStoppingAtAnyTimeLeavesNoFrameAfterTheEnd() throws {
        for milliseconds in [500, 507, 513, 520, 530, 534] {
            let fixture = try MovieRecordingFixture()
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: milliseconds)
            fixture.stopRecording()
            try fixture.assertEnd(nil, isPlayable: nil)
            let movie = try fixture.decode()
            let duration = fixture.movie.recordedDuration
            XCTAssertLessThanOrEqual(duration, .milliseconds(Int64(milliseconds)))
            XCTAssertGreaterThan(duration, .milliseconds(Int64(milliseconds) - 34))
            XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) })
            XCTAssertEqual(fixture.movie.recordingStatistics.videoFrameCount, movie.frames.count)
            let last = try XCTUnwrap(movie.frames.last)
            XCTAssertLessThan(last.time, duration, "stopped at \(milliseconds) ms")
            XCTAssertLessThanOrEqual(
                abs(movie.audioDuration - duration.seconds), 1024.0 / 48000, "stopped at \(milliseconds) ms")
        }
    }

    func testAMovieCanContainAudioOnly() throws {
        for name in ["a.mov", "a.mp4"] {
            let fixture = try MovieRecordingFixture(CaptureFixture(), camera: nil)
            fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 2)
            fixture.start()
            fixture.advance(milliseconds: 33)
            fixture.record(name)
            fixture.advance(milliseconds: 700)
            try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
            let movie = try fixture.decode(name)
            XCTAssertEqual(movie.frames.count, 0)
            XCTAssertEqual(movie.audioDuration, 0.5, accuracy: 1024.0 / 48000)
            XCTAssertEqual(try fixture.end().connectionCount, 1)
        }
    }

    func testAMovieCanContainVideoOnly() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 990)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        let movie = try fixture.decode()
        XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) })
        XCTAssertNil(movie.audioCodec)
    }

    func testADisabledConnectionIsNotRecorded() throws {
        let fixture = try MovieRecordingFixture()
        fixture.movie.connection(with: .audio)?.isEnabled = false
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 300)
        fixture.stopRecording()
        XCTAssertNil(try fixture.decode().audioCodec)
        XCTAssertEqual(try fixture.end().connectionCount, 1)
    }

    func testEveryCodecAndContainerPlays() throws {
        let codecs: [(AVVideoCodecType, String)] = [(.h264, "h264"), (.hevc, "hevc"), (.jpeg, "mjpeg")]
        for (codec, decoder) in codecs {
            for name in ["a.mov", "a.mp4"] {
                let fixture = try MovieRecordingFixture()
                let connection = try XCTUnwrap(fixture.movie.connection(with: .video))
                fixture.movie.setOutputSettings([AVVideoCodecKey: codec], for: connection)
                XCTAssertEqual(
                    fixture.movie.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType, codec)
                fixture.start()
                fixture.record(name)
                fixture.advance(milliseconds: 320)
                fixture.stopRecording()
                if codec == .jpeg, name == "a.mp4" {
                    try fixture.assertEnd(.unsupportedOutputSettings, isPlayable: false)
                    XCTAssertFalse(fixture.capture.fileExists(name))
                    continue
                }
                try fixture.assertEnd(nil, isPlayable: nil)
                let movie = try fixture.decode(name)
                XCTAssertTrue(movie.videoCodec?.hasPrefix(decoder) ?? false, "\(movie.videoCodec ?? "none")")
                XCTAssertEqual(movie.audioCodec, "aac")
                XCTAssertEqual(movie.counters, (0..<10).map { UInt32($0) })
            }
        }
    }

    func testUnsupportedOutputSettingsAreMisuse() throws {
        let fixture = try MovieRecordingFixture()
        let connection = try XCTUnwrap(fixture.movie.connection(with: .video))
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
            fixture.capture.assertMisuse(.invalidArgument) {
                fixture.movie.setOutputSettings(settings, for: connection)
            }
        }
        XCTAssertNil(fixture.movie.outputSettings(for: connection)[AVVideoCompressionPropertiesKey])
        let other = try MovieRecordingFixture(fixture.capture)
        fixture.capture.assertMisuse(.invalidArgument) {
            other.movie.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.h264], for: connection)
        }
        fixture.movie.setOutputSettings(compressed([AVVideoAverageBitRateKey: 100_000]), for: connection)
        fixture.movie.setOutputSettings(nil, for: connection)
        XCTAssertNil(fixture.movie.outputSettings(for: connection)[AVVideoCompressionPropertiesKey])
        fixture.capture.assertNoMisuse()
    }

    func testTheTrackMatrixMatchesTheOrientationOfADataOutput() throws {
        for angle in [0, 90, 180, 270] {
            for isMirrored in [false, true] {
                let fixture = try MovieRecordingFixture(microphone: nil)
                let connection = try XCTUnwrap(fixture.movie.connection(with: .video))
                connection.videoRotationAngle = CGFloat(angle)
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = isMirrored
                fixture.start()
                fixture.record()
                fixture.advance(milliseconds: 100)
                // The matrix does not change after the start of the movie.
                connection.videoRotationAngle = 0
                fixture.stopRecording()
                let matrix = try TrackMatrix(ofVideoIn: fixture.capture.url("a.mov"))
                for (x, y) in [(0, 0), (320, 0), (0, 240), (320, 240), (10, 20)] {
                    let actual = matrix.map(Double(x), Double(y))
                    // Rotated clockwise, then mirrored horizontally.
                    var expected: (Double, Double)
                    var width = 320.0
                    switch angle {
                    case 90: (expected, width) = ((Double(240 - y), Double(x)), 240)
                    case 180: expected = (Double(320 - x), Double(240 - y))
                    case 270: (expected, width) = ((Double(y), Double(320 - x)), 240)
                    default: expected = (Double(x), Double(y))
                    }
                    if isMirrored { expected.0 = width - expected.0 }
                    XCTAssertEqual(actual.0, expected.0, "\(angle) \(isMirrored)")
                    XCTAssertEqual(actual.1, expected.1, "\(angle) \(isMirrored)")
                }
                XCTAssertEqual(try fixture.decode().frames.first?.width, 320)
                if !isMirrored { XCTAssertEqual(try fixture.decode().rotation.rawValue, angle) }
            }
        }
    }

    func testTheSameRecordingProducesTheSameBytes() throws {
        func bytes() throws -> Data {
            let fixture = try MovieRecordingFixture()
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 500)
            fixture.stopRecording()
            return try Data(contentsOf: fixture.capture.url("a.mov"))
        }
        XCTAssertEqual(try bytes(), try bytes())
    }
}

/// The matrix in a track's header (ISO/IEC 14496-12, 8.3.2).
struct TrackMatrix {
    /// The elements a, b, u, c, d, v, x, y, w.
    private let elements: [Double]

    init(ofVideoIn url: URL) throws {
        let data = [UInt8](try Data(contentsOf: url))
        // `tkhd` is the type of the first track header. The matrix follows the header of the box (8 bytes), version and
        // flags (4), times and track ID (20 in version 0, 32 in version 1), and the fields up to the volume (16).
        let index = try XCTUnwrap(
            data.indices.dropLast(4).first { Array(data[$0..<$0 + 4]) == Array("tkhd".utf8) })
        let version = data[index + 4]
        let start = index - 4 + 8 + 4 + (version == 1 ? 32 : 20) + 16
        elements = (0..<9).map { position in
            let offset = start + 4 * position
            let raw = data[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Double(Int32(bitPattern: raw)) / 65536
        }
    }

    func map(_ x: Double, _ y: Double) -> (Double, Double) {
        (elements[0] * x + elements[3] * y + elements[6], elements[1] * x + elements[4] * y + elements[7])
    }
}
