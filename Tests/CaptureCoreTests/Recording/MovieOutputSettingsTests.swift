import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore
@testable import MediaAssets

/// What clients choose: codecs, sound, metadata, orientation tracks, high rates.
final class MovieOutputSettingsTests: XCTestCase {
    func testSettingsReadBackFilledIn() throws {
        let stage = try MovieStage()
        let video = try XCTUnwrap(stage.movie.connection(with: .video))
        let audio = try XCTUnwrap(stage.movie.connection(with: .audio))
        var settings = stage.movie.outputSettings(for: video)
        XCTAssertEqual(settings[AVVideoCodecKey] as? AVVideoCodecType, stage.movie.availableVideoCodecTypes.first)
        XCTAssertEqual(settings[AVVideoWidthKey] as? Int, 320)
        XCTAssertEqual(settings[AVVideoHeightKey] as? Int, 240)
        settings = stage.movie.outputSettings(for: audio)
        XCTAssertEqual(settings[AVFormatIDKey] as? AudioFormatID, kAudioFormatMPEG4AAC)
        XCTAssertEqual(settings[AVSampleRateKey] as? Double, 48000)
        XCTAssertEqual(settings[AVNumberOfChannelsKey] as? Int, 2)
        XCTAssertEqual(
            stage.movie.supportedOutputSettingsKeys(for: video), [AVVideoCodecKey, AVVideoCompressionPropertiesKey])
        XCTAssertTrue(stage.movie.supportedOutputSettingsKeys(for: audio).contains(AVFormatIDKey))
        let other = try MovieStage(stage.bench)
        stage.bench.assertMisuse(.invalidArgument) { _ = other.movie.supportedOutputSettingsKeys(for: video) }
        stage.bench.assertMisuse(.invalidArgument) { _ = other.movie.outputSettings(for: video) }
    }

    func testSpatialVideoIsNotToBeHad() throws {
        let stage = try MovieStage()
        XCTAssertFalse(stage.movie.isSpatialVideoCaptureSupported)
        stage.bench.assertMisuse(.invalidArgument) { stage.movie.isSpatialVideoCaptureEnabled = true }
        XCTAssertFalse(stage.movie.isSpatialVideoCaptureEnabled)
    }

    func testSoundIsWrittenAsChosen() throws {
        let cases: [([String: Any], String, Double)] = [
            ([AVFormatIDKey: kAudioFormatLinearPCM], "pcm_s16le", 48000),
            ([AVFormatIDKey: kAudioFormatAppleLossless], "alac", 48000),
            ([AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 1], "aac", 44100),
        ]
        for (settings, codec, rate) in cases {
            let stage = try MovieStage()
            let audio = try XCTUnwrap(stage.movie.connection(with: .audio))
            stage.movie.setOutputSettings(settings, for: audio)
            stage.bench.assertNoMisuse()
            XCTAssertEqual(
                stage.movie.outputSettings(for: audio)[AVFormatIDKey] as? AudioFormatID,
                settings[AVFormatIDKey] as? AudioFormatID)
            stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 2)
            stage.start()
            stage.record()
            stage.play(1000)
            try stage.assertEnd(.maximumDurationReached, isGood: true)
            let movie = try stage.decode()
            XCTAssertEqual(movie.audioCodec, codec)
            XCTAssertEqual(movie.sampleRate, rate)
            XCTAssertEqual(movie.soundDuration, 0.5, accuracy: 0.1)
            XCTAssertLessThan(abs(try movie.soundOffsetNanoseconds()), 1e6, codec)
            stage.session.stopRunning()
        }
    }

    func testSettingsThatWouldHaveNoEffectAreMisuse() throws {
        let stage = try MovieStage()
        let video = try XCTUnwrap(stage.movie.connection(with: .video))
        let audio = try XCTUnwrap(stage.movie.connection(with: .audio))
        let wrong: [([String: Any], AVCaptureConnection)] = [
            ([AVVideoWidthKey: 640], video), ([AVFormatIDKey: kAudioFormatMPEG4AAC], video),
            ([AVVideoCompressionPropertiesKey: ["Sharpness": 1]], video),
            ([AVFormatIDKey: kAudioFormatMPEG4AAC_HE], audio), ([AVSampleRateKey: "fast"], audio),
            ([AVNumberOfChannelsKey: 0], audio), ([AVVideoCodecKey: AVVideoCodecType.h264], audio),
        ]
        for (settings, connection) in wrong {
            stage.bench.assertMisuse(.invalidArgument) { stage.movie.setOutputSettings(settings, for: connection) }
        }
    }

    func testMetadataSetWhileRecordingIsInTheFile() throws {
        for name in ["a.mov", "a.mp4"] {
            let stage = try MovieStage()
            let place = AVMutableMetadataItem()
            place.identifier = .quickTimeMetadataLocationISO6709
            place.value = "+48.8577+002.2950+035.000/" as NSString
            stage.movie.metadata = [place]
            stage.start()
            stage.record(name)
            stage.play(500)
            let take = AVMutableMetadataItem()
            take.keySpace = .quickTimeMetadata
            take.key = "com.example.take" as NSString
            take.value = 7 as NSNumber
            let maker = AVMutableMetadataItem()
            maker.identifier = .commonIdentifierMake
            maker.value = "Someone" as NSString
            stage.movie.metadata = [place, take, maker]
            XCTAssertEqual(stage.movie.metadata?.count, 3)
            stage.play(200)
            stage.stopRecording()
            try stage.assertEnd(nil, isGood: nil)
            let bytes = try Data(contentsOf: stage.bench.url(name))
            for text in ["+48.8577+002.2950+035.000/", "com.example.take", "Someone", "sim-webcam-1", "Obscura"] {
                XCTAssertNotNil(bytes.range(of: Data(text.utf8)), "\(name) lacks \(text)")
            }
            // The next recording has it, too, and nothing is left of the camera's own maker.
            stage.record("b.mov")
            stage.play(200)
            stage.stopRecording()
            XCTAssertNotNil(try Data(contentsOf: stage.bench.url("b.mov")).range(of: Data("Someone".utf8)))
        }
    }

    func testChangesOfOrientationAreRecordedWhereThatIsWished() throws {
        for isWished in [true, false] {
            let stage = try MovieStage()
            let connection = try XCTUnwrap(stage.movie.connection(with: .video))
            XCTAssertFalse(stage.movie.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for: connection))
            stage.movie.setRecordsVideoOrientationAndMirroringChanges(isWished, asMetadataTrackFor: connection)
            connection.videoRotationAngle = 90
            stage.start()
            stage.record()
            stage.play(500)
            connection.videoRotationAngle = 180
            stage.play(300)
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = true
            connection.videoRotationAngle = 0
            stage.play(300)
            stage.stopRecording()
            try stage.assertEnd(nil, isGood: nil)
            let bytes = try Data(contentsOf: stage.bench.url("a.mov"))
            let samples = [6, 3, 2].map { Data([0, 0, 0, 10, 0, 0, 0, 1, 0, UInt8($0)]) }
            for sample in samples { XCTAssertEqual(bytes.range(of: sample) != nil, isWished) }
            XCTAssertEqual(bytes.range(of: Data("com.apple.quicktime.video-orientation".utf8)) != nil, isWished)
            XCTAssertEqual(try stage.decode().frames.count, 33)
        }
        let stage = try MovieStage()
        let audio = try XCTUnwrap(stage.movie.connection(with: .audio))
        stage.bench.assertMisuse(.invalidArgument) {
            stage.movie.setRecordsVideoOrientationAndMirroringChanges(true, asMetadataTrackFor: audio)
        }
    }

    func testHighRatesAreRecordedFrameByFrame() throws {
        for rate in [60, 120, 240] {
            let bench = try CaptureBench { machine in
                guard case .camera(var camera) = machine.devices[0],
                    var format = camera.formats.first(where: { $0.dimensions.width == 320 })
                else { return }
                format.frameDurations = [
                    FrameDurationRange(
                        minimum: CMTime(value: 1, timescale: 240), maximum: CMTime(value: 1, timescale: 1))
                ]
                camera.formats.append(format)
                machine.devices[0] = .camera(camera)
            }
            let stage = try MovieStage(bench)
            let device = try bench.device(CaptureBench.camera)
            try device.lockForConfiguration()
            device.activeFormat = try XCTUnwrap(device.formats.last)
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: Int32(rate))
            device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: Int32(rate))
            device.unlockForConfiguration()
            stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
            stage.start()
            stage.record()
            stage.play(1500)
            try stage.assertEnd(.maximumDurationReached, isGood: true)
            let movie = try stage.decode()
            XCTAssertEqual(movie.counters, (0..<rate).map { UInt32($0) }, "\(rate)")
            for (index, frame) in movie.frames.enumerated() {
                XCTAssertEqual(frame.time.seconds, Double(index) / Double(rate), accuracy: 1e-9)
            }
            XCTAssertEqual(stage.movie.recordingStatistics.videoFrameCount, rate)
            // `sdtp`, an entry a frame: 8 says that no other frame needs it.
            let bytes = try Data(contentsOf: bench.url("a.mov"))
            let table = try XCTUnwrap(bytes.range(of: Data("sdtp".utf8), options: .backwards)).upperBound + 4
            XCTAssertEqual(bytes[table..<table + rate].filter { $0 & 12 == 8 }.count, rate / 2)
            stage.session.stopRunning()
        }
    }

    func testCompressionIsNotSetWithoutACodec() throws {
        let stage = try MovieStage()
        let video = try XCTUnwrap(stage.movie.connection(with: .video))
        let properties = [AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 1_000_000]]
        let message = stage.bench.assertMisuse(.invalidArgument) {
            stage.movie.setOutputSettings(properties, for: video)
        }
        XCTAssertTrue(message.contains(AVVideoCodecKey), message)
        XCTAssertNil(stage.movie.outputSettings(for: video)[AVVideoCompressionPropertiesKey])
    }
}
