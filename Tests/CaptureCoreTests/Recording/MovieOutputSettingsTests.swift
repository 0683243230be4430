import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests settings of the client: codecs, audio, metadata, orientation tracks, high frame rates.
final class MovieOutputSettingsTests: XCTestCase {
    func testSettingsAreReturnedWithDefaults() throws {
        let fixture = try MovieRecordingFixture()
        let video = try XCTUnwrap(fixture.movie.connection(with: .video))
        let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
        var settings = fixture.movie.outputSettings(for: video)
        XCTAssertEqual(settings[AVVideoCodecKey] as? AVVideoCodecType, fixture.movie.availableVideoCodecTypes.first)
        XCTAssertEqual(settings[AVVideoWidthKey] as? Int, 320)
        XCTAssertEqual(settings[AVVideoHeightKey] as? Int, 240)
        settings = fixture.movie.outputSettings(for: audio)
        XCTAssertEqual(settings[AVFormatIDKey] as? AudioFormatID, kAudioFormatMPEG4AAC)
        XCTAssertEqual(settings[AVSampleRateKey] as? Double, 48000)
        XCTAssertEqual(settings[AVNumberOfChannelsKey] as? Int, 2)
        XCTAssertEqual(
            fixture.movie.supportedOutputSettingsKeys(for: video), [AVVideoCodecKey, AVVideoCompressionPropertiesKey])
        XCTAssertTrue(fixture.movie.supportedOutputSettingsKeys(for: audio).contains(AVFormatIDKey))
        let other = try MovieRecordingFixture(fixture.capture)
        fixture.capture.assertMisuse(.invalidArgument) { _ = other.movie.supportedOutputSettingsKeys(for: video) }
        fixture.capture.assertMisuse(.invalidArgument) { _ = other.movie.outputSettings(for: video) }
    }

    func testTheProfileSelectsTheDefaultCodecOfMovies() throws {
        let codecs: [(MovieCodec, [AVVideoCodecType], String)] = [
            (.h264, [.h264, .hevc, .jpeg], "h264"), (.hevc, [.hevc, .h264, .jpeg], "hevc"),
        ]
        for (codec, available, name) in codecs {
            let capture = try CaptureFixture { $0.movieCodec = codec }
            let frames = capture.inSystem { AVCaptureVideoDataOutput() }
            let fixture = try MovieRecordingFixture(capture, microphone: nil, otherOutputs: [frames])
            XCTAssertEqual(fixture.movie.availableVideoCodecTypes, available)
            XCTAssertEqual(frames.availableVideoCodecTypesForAssetWriter(writingTo: .mov), available)
            let video = try XCTUnwrap(fixture.movie.connection(with: .video))
            fixture.start()
            for (file, settings) in [("default.mov", nil), ("empty.mov", [:])] as [(String, [String: Any]?)] {
                fixture.movie.setOutputSettings(settings, for: video)
                XCTAssertEqual(
                    fixture.movie.outputSettings(for: video)[AVVideoCodecKey] as? AVVideoCodecType, available[0])
                fixture.record(file)
                fixture.advance(milliseconds: 500)
                fixture.stopRecording()
                XCTAssertEqual(try fixture.decode(file).videoCodec, name, file)
            }
            fixture.session.stopRunning()
            capture.assertNoMisuse()
        }
    }

    func testSpatialVideoIsUnsupported() throws {
        let fixture = try MovieRecordingFixture()
        XCTAssertFalse(fixture.movie.isSpatialVideoCaptureSupported)
        fixture.capture.assertMisuse(.invalidArgument) { fixture.movie.isSpatialVideoCaptureEnabled = true }
        XCTAssertFalse(fixture.movie.isSpatialVideoCaptureEnabled)
    }

    func testAudioIsWrittenWithTheSelectedSettings() throws {
        let cases: [([String: Any], String, Double)] = [
            ([AVFormatIDKey: kAudioFormatLinearPCM], "pcm_s16le", 48000),
            ([AVFormatIDKey: kAudioFormatAppleLossless], "alac", 48000),
            ([AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 1], "aac", 44100),
        ]
        for (settings, codec, rate) in cases {
            let fixture = try MovieRecordingFixture()
            let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
            fixture.movie.setOutputSettings(settings, for: audio)
            fixture.capture.assertNoMisuse()
            XCTAssertEqual(
                fixture.movie.outputSettings(for: audio)[AVFormatIDKey] as? AudioFormatID,
                settings[AVFormatIDKey] as? AudioFormatID)
            fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 2)
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 1000)
            try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
            let movie = try fixture.decode()
            XCTAssertEqual(movie.audioCodec, codec)
            XCTAssertEqual(movie.sampleRate, rate)
            XCTAssertEqual(movie.audioDuration, 0.5, accuracy: 0.1)
            XCTAssertLessThan(abs(try movie.audioOffsetNanoseconds()), 1e6, codec)
            fixture.session.stopRunning()
        }
    }

    func testTheAudioSettingsOfRecorderAppsAreRecorded() throws {
        let stereo: [String: Any] = [AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 2]
        func lossless(_ depth: Int) -> [String: Any] {
            [
                AVFormatIDKey: Int(kAudioFormatAppleLossless), AVEncoderBitDepthHintKey: depth,
                AVEncoderAudioQualityKey: 127,
            ]
        }
        func linear(_ depth: Int, isFloat: Bool = false, isBigEndian: Bool = false) -> [String: Any] {
            [
                AVFormatIDKey: Int(kAudioFormatLinearPCM), AVLinearPCMBitDepthKey: depth,
                AVLinearPCMIsFloatKey: isFloat, AVLinearPCMIsBigEndianKey: isBigEndian,
                AVLinearPCMIsNonInterleaved: false,
            ]
        }
        let cases: [([String: Any], codec: String, depth: Int?)] = [
            (lossless(16), "alac", 16), (lossless(24), "alac", 24), (linear(16), "pcm_s16le", nil),
            (linear(24), "pcm_s24le", nil), (linear(32, isFloat: true), "pcm_f32le", nil),
            (linear(16, isBigEndian: true), "pcm_s16be", nil),
            ([AVFormatIDKey: kAudioFormatMPEG4AAC, AVEncoderBitRatePerChannelKey: 96000], "aac", nil),
        ]
        for (settings, codec, depth) in cases {
            let fixture = try MovieRecordingFixture()
            let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
            let supported = fixture.movie.supportedOutputSettingsKeys(for: audio)
            XCTAssertEqual(settings.keys.filter { !supported.contains($0) }, [], codec)
            fixture.movie.setOutputSettings(settings.merging(stereo) { $1 }, for: audio)
            fixture.capture.assertNoMisuse()
            fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 2)
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 1000)
            try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
            let movie = try fixture.decode()
            XCTAssertEqual(movie.audioCodec, codec)
            XCTAssertEqual(movie.sampleRate, 44100, codec)
            XCTAssertEqual(movie.audioDuration, 0.5, accuracy: 0.1, codec)
            XCTAssertLessThan(abs(try movie.audioOffsetNanoseconds()), 1e6, codec)
            if let depth {
                // `ALACSpecificConfig` follows version and flags; its sixth byte is the bit depth.
                let bytes = try Data(contentsOf: fixture.capture.url("a.mov"))
                let box = try XCTUnwrap(bytes.range(of: Data("alac".utf8), options: .backwards))
                XCTAssertEqual(Int(bytes[box.upperBound + 4 + 5]), depth)
            }
            fixture.session.stopRunning()
        }
    }

    func testReturnedSettingsCanBeSetAgain() throws {
        let fixture = try MovieRecordingFixture()
        let video = try XCTUnwrap(fixture.movie.connection(with: .video))
        let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
        let properties = [AVVideoAverageBitRateKey: 400_000, AVVideoMaxKeyFrameIntervalKey: 10]
        let videoSettings: [[String: Any]?] = [
            nil, [AVVideoCodecKey: AVVideoCodecType.hevc],
            [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoCompressionPropertiesKey: properties],
        ]
        let audioSettings: [[String: Any]?] = [
            nil, [:], [AVFormatIDKey: kAudioFormatAppleLossless, AVEncoderBitDepthHintKey: 24],
            [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true],
            [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 32000, AVNumberOfChannelsKey: 1],
        ]
        for (connection, cases) in [(video, videoSettings), (audio, audioSettings)] {
            for settings in cases {
                fixture.movie.setOutputSettings(settings, for: connection)
                let returned = fixture.movie.outputSettings(for: connection)
                fixture.movie.setOutputSettings(returned, for: connection)
                fixture.capture.assertNoMisuse()
                XCTAssertEqual(
                    NSDictionary(dictionary: fixture.movie.outputSettings(for: connection)),
                    NSDictionary(dictionary: returned))
            }
        }
        // The size is that of the frames.
        let message = fixture.capture.assertMisuse(.invalidArgument) {
            fixture.movie.setOutputSettings(
                [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 640, AVVideoHeightKey: 480], for: video)
        }
        XCTAssertTrue(message.contains("320x240"), message)
    }

    func testAnEmptyDictionaryKeepsTheAudioOfTheDevice() throws {
        let fixture = try MovieRecordingFixture()
        let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
        fixture.movie.setOutputSettings([:], for: audio)
        XCTAssertTrue(fixture.movie.outputSettings(for: audio).isEmpty)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        let movie = try fixture.decode()
        XCTAssertEqual(movie.audioCodec, "pcm_s16le")
        XCTAssertEqual(movie.sampleRate, 48000)
        fixture.movie.setOutputSettings(nil, for: audio)
        XCTAssertEqual(fixture.movie.outputSettings(for: audio)[AVFormatIDKey] as? AudioFormatID, kAudioFormatMPEG4AAC)
        fixture.capture.assertNoMisuse()
    }

    func testAnEmptyDictionaryKeepsTheFramesOfACameraThatCompresses() throws {
        let camera = Lock<FakeCameraDevice?>(nil)
        let capture = try CaptureFixture { clock in
            let created = try FakeCameraDevice(clock: clock)
            camera.withLock { $0 = created }
            return [FakeHost(created)]
        }
        let frameData = try XCTUnwrap(camera.withLock { $0?.frameData })
        let fixture = try MovieRecordingFixture(capture, camera: "fake.camera", microphone: nil, preset: .high)
        let video = try XCTUnwrap(fixture.movie.connection(with: .video))
        fixture.movie.setOutputSettings([:], for: video)
        XCTAssertTrue(fixture.movie.outputSettings(for: video).isEmpty)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        let movie = try fixture.decode()
        XCTAssertEqual(movie.videoCodec, "mjpeg")
        XCTAssertGreaterThan(movie.frames.count, 5)
        var rest = try Data(contentsOf: capture.url("a.mov"))
        var count = 0
        while let range = rest.range(of: frameData) {
            count += 1
            rest = rest[range.upperBound...]
        }
        XCTAssertEqual(count, movie.frames.count)
    }

    func testSettingsThatTheConnectionDoesNotSupportAreMisuse() throws {
        let fixture = try MovieRecordingFixture()
        let video = try XCTUnwrap(fixture.movie.connection(with: .video))
        let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
        let invalid: [([String: Any], AVCaptureConnection)] = [
            ([AVVideoWidthKey: 640], video), ([AVFormatIDKey: kAudioFormatMPEG4AAC], video),
            ([AVVideoCompressionPropertiesKey: ["Sharpness": 1]], video),
            ([AVFormatIDKey: kAudioFormatMPEG4AAC_HE], audio), ([AVSampleRateKey: "fast"], audio),
            ([AVNumberOfChannelsKey: 0], audio), ([AVVideoCodecKey: AVVideoCodecType.h264], audio),
        ]
        for (settings, connection) in invalid {
            fixture.capture.assertMisuse(.invalidArgument) {
                fixture.movie.setOutputSettings(settings, for: connection)
            }
        }
    }

    func testMetadataSetWhileRecordingIsInTheFile() throws {
        for name in ["a.mov", "a.mp4"] {
            let fixture = try MovieRecordingFixture()
            let location = AVMutableMetadataItem()
            location.identifier = .quickTimeMetadataLocationISO6709
            location.value = "+48.8577+002.2950+035.000/" as NSString
            fixture.movie.metadata = [location]
            fixture.start()
            fixture.record(name)
            fixture.advance(milliseconds: 500)
            let take = AVMutableMetadataItem()
            take.keySpace = .quickTimeMetadata
            take.key = "com.example.take" as NSString
            take.value = 7 as NSNumber
            let maker = AVMutableMetadataItem()
            maker.identifier = .commonIdentifierMake
            maker.value = "Someone" as NSString
            fixture.movie.metadata = [location, take, maker]
            XCTAssertEqual(fixture.movie.metadata?.count, 3)
            fixture.advance(milliseconds: 200)
            fixture.stopRecording()
            try fixture.assertEnd(nil, isPlayable: nil)
            let bytes = try Data(contentsOf: fixture.capture.url(name))
            for text in ["+48.8577+002.2950+035.000/", "com.example.take", "Someone", "sim-webcam-1", "Obscura"] {
                XCTAssertNotNil(bytes.range(of: Data(text.utf8)), "\(name) lacks \(text)")
            }
            // The next recording also contains the metadata, with the client's manufacturer instead of the camera's.
            fixture.record("b.mov")
            fixture.advance(milliseconds: 200)
            fixture.stopRecording()
            XCTAssertNotNil(try Data(contentsOf: fixture.capture.url("b.mov")).range(of: Data("Someone".utf8)))
        }
    }

    func testOrientationChangesAreRecordedOnRequest() throws {
        for isRequested in [true, false] {
            let fixture = try MovieRecordingFixture()
            let connection = try XCTUnwrap(fixture.movie.connection(with: .video))
            XCTAssertFalse(fixture.movie.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for: connection))
            fixture.movie.setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(isRequested, for: connection)
            connection.videoRotationAngle = 90
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 500)
            connection.videoRotationAngle = 180
            fixture.advance(milliseconds: 300)
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = true
            connection.videoRotationAngle = 0
            fixture.advance(milliseconds: 300)
            fixture.stopRecording()
            try fixture.assertEnd(nil, isPlayable: nil)
            let bytes = try Data(contentsOf: fixture.capture.url("a.mov"))
            // The metadata samples: the size 10, the key 1, and an EXIF orientation in 16 bits.
            let samples = [6, 3, 2].map { Data([0, 0, 0, 10, 0, 0, 0, 1, 0, UInt8($0)]) }
            for sample in samples { XCTAssertEqual(bytes.range(of: sample) != nil, isRequested) }
            XCTAssertEqual(bytes.range(of: Data("com.apple.quicktime.video-orientation".utf8)) != nil, isRequested)
            XCTAssertEqual(try fixture.decode().frames.count, 33)
        }
        let fixture = try MovieRecordingFixture()
        let audio = try XCTUnwrap(fixture.movie.connection(with: .audio))
        fixture.capture.assertMisuse(.invalidArgument) {
            fixture.movie.setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(true, for: audio)
        }
    }

    func testHighRatesAreRecordedFrameByFrame() throws {
        for rate in [60, 120, 240] {
            let capture = try CaptureFixture { machine in
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
            let fixture = try MovieRecordingFixture(capture)
            let device = try capture.device(CaptureFixture.camera)
            try device.lockForConfiguration()
            device.activeFormat = try XCTUnwrap(device.formats.last)
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: Int32(rate))
            device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: Int32(rate))
            device.unlockForConfiguration()
            fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 1500)
            try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
            let movie = try fixture.decode()
            XCTAssertEqual(movie.counters, (0..<rate).map { UInt32($0) }, "\(rate)")
            for (index, frame) in movie.frames.enumerated() {
                XCTAssertEqual(frame.time.seconds, Double(index) / Double(rate), accuracy: 1e-9)
            }
            XCTAssertEqual(fixture.movie.recordingStatistics.videoFrameCount, rate)
            // `sdtp` has one entry per frame: 8 means that no other frame depends on it.
            let bytes = try Data(contentsOf: capture.url("a.mov"))
            let table = try XCTUnwrap(bytes.range(of: Data("sdtp".utf8), options: .backwards)).upperBound + 4
            XCTAssertEqual(bytes[table..<table + rate].filter { $0 & 12 == 8 }.count, rate / 2)
            fixture.session.stopRunning()
        }
    }

    func testCompressionPropertiesRequireACodec() throws {
        let fixture = try MovieRecordingFixture()
        let video = try XCTUnwrap(fixture.movie.connection(with: .video))
        let properties = [AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 1_000_000]]
        let message = fixture.capture.assertMisuse(.invalidArgument) {
            fixture.movie.setOutputSettings(properties, for: video)
        }
        XCTAssertTrue(message.contains(AVVideoCodecKey), message)
        XCTAssertNil(fixture.movie.outputSettings(for: video)[AVVideoCompressionPropertiesKey])
    }
}
