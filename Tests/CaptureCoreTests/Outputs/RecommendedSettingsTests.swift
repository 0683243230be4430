import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import MediaAssets

final class RecommendedSettingsTests: XCTestCase {
    func testRecommendedSettingsMatchTheDeliveredSamples() throws {
        let fixture = try CaptureFixture()
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        XCTAssertNil(video.recommendedVideoSettingsForAssetWriter(writingTo: .mov))
        let session = try fixture.makeSession([video, audio])
        for (type, codecs) in [
            (AVFileType.mov, [AVVideoCodecType.h264, .hevc, .jpeg]), (.mp4, [.h264, .hevc]), (.m4a, []), (.jpg, []),
        ] {
            XCTAssertEqual(video.availableVideoCodecTypesForAssetWriter(writingTo: type), codecs)
            for codec in codecs {
                let settings = try XCTUnwrap(
                    video.recommendedVideoSettings(forVideoCodecType: codec, assetWriterOutputFileType: type))
                XCTAssertEqual(settings[AVVideoWidthKey] as? Int, 320)
                let writer = try fixture.inSystem { try AVAssetWriter(outputURL: fixture.url("a"), fileType: type) }
                XCTAssertTrue(writer.canApply(outputSettings: settings, forMediaType: .video))
            }
            XCTAssertEqual(video.recommendedVideoSettingsForAssetWriter(writingTo: type) == nil, codecs.isEmpty)
        }
        for type in [AVFileType.mov, .m4a, .caf, .wav] {
            let settings = try XCTUnwrap(audio.recommendedAudioSettingsForAssetWriter(writingTo: type))
            let writer = try fixture.inSystem { try AVAssetWriter(outputURL: fixture.url("a"), fileType: type) }
            XCTAssertTrue(writer.canApply(outputSettings: settings, forMediaType: .audio))
        }
        XCTAssertNil(audio.recommendedAudioSettingsForAssetWriter(writingTo: .heic))
        let connection = try XCTUnwrap(video.connection(with: .video))
        connection.videoRotationAngle = 90
        let rotated = try XCTUnwrap(video.recommendedVideoSettingsForAssetWriter(writingTo: .mov))
        XCTAssertEqual(rotated[AVVideoWidthKey] as? Int, 240)
        XCTAssertEqual(rotated[AVVideoHeightKey] as? Int, 320)
        withExtendedLifetime(session) {}
        fixture.assertNoMisuse()
    }

    func testACodecThatTheFileTypeDoesNotSupportIsMisuse() throws {
        let fixture = try CaptureFixture()
        let video = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [video])
        for (codec, type) in [(AVVideoCodecType.jpeg, AVFileType.mp4), (.h264, .m4a), (.proRes422, .mov)] {
            for url in [nil, fixture.url("a")] {
                let message = fixture.assertMisuse(.invalidArgument) {
                    XCTAssertNil(
                        video.recommendedVideoSettings(
                            forVideoCodecType: codec, assetWriterOutputFileType: type, outputFileURL: url))
                }
                XCTAssertTrue(message.contains("assetWriterOutputFileType:outputFileURL:]"), message)
            }
            fixture.assertMisuse(.invalidArgument) {
                XCTAssertNil(
                    video.recommendedVideoSettings(forVideoCodecType: codec, assetWriterOutputFileType: type))
            }
            let message = fixture.assertMisuse(.invalidArgument) {
                XCTAssertNil(
                    video.recommendedMovieMetadata(forVideoCodecType: codec, assetWriterOutputFileType: type))
            }
            XCTAssertTrue(
                message.contains("recommendedMovieMetadataForVideoCodecType:assetWriterOutputFileType:]"), message)
        }
        XCTAssertNil(video.recommendedVideoSettingsForAssetWriter(writingTo: .m4a))
        fixture.assertNoMisuse()
        withExtendedLifetime(session) {}
    }

    func testASessionsSamplesAreWrittenToAMovie() throws {
        let fixture = try CaptureFixture()
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        let session = try fixture.makeSession([video, audio])
        let settings = (
            video.recommendedVideoSettingsForAssetWriter(writingTo: .mov),
            audio.recommendedAudioSettingsForAssetWriter(writingTo: .mov)
        )
        let (writer, videoInput, audioInput) = try fixture.inSystem {
            (
                try AVAssetWriter(outputURL: fixture.url("a.mov"), fileType: .mov),
                AVAssetWriterInput(mediaType: .video, outputSettings: settings.0),
                AVAssetWriterInput(mediaType: .audio, outputSettings: settings.1)
            )
        }
        let client = AppendingClient(writer, videoInput, audioInput)
        video.setSampleBufferDelegate(client, queue: DispatchQueue(label: "video"))
        audio.setSampleBufferDelegate(client, queue: DispatchQueue(label: "audio"))
        for input in [videoInput, audioInput] {
            input.expectsMediaDataInRealTime = true
            writer.add(input)
        }
        XCTAssertTrue(writer.startWriting())
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        session.stopRunning()
        writer.finishWriting {}
        fixture.clock.settle()
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        let movie = try DecodedMovie(fixture.url("a.mov"))
        XCTAssertGreaterThan(movie.frames.count, 50)
        let first = try XCTUnwrap(movie.counters.first ?? nil)
        XCTAssertEqual(movie.counters, movie.frames.indices.map { first + UInt32($0) })
        XCTAssertEqual(try movie.audioOffsetNanoseconds(), 0, accuracy: 1_000_000)
        fixture.assertNoMisuse()
    }
}

/// Appends the samples of a session, starting with the first video frame.
private final class AppendingClient: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureAudioDataOutputSampleBufferDelegate, Sendable
{
    private let writer: AVAssetWriter
    private let video: AVAssetWriterInput
    private let audio: AVAssetWriterInput
    private let hasBegun = Lock(false)

    init(_ writer: AVAssetWriter, _ video: AVAssetWriterInput, _ audio: AVAssetWriterInput) {
        self.writer = writer
        self.video = video
        self.audio = audio
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let isVideo = output is AVCaptureVideoDataOutput
        let begins = hasBegun.withLock { hasBegun in
            defer { hasBegun = hasBegun || isVideo }
            return isVideo && !hasBegun
        }
        if begins { writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp) }
        guard hasBegun.withLock({ $0 }) else { return }
        let input = isVideo ? video : audio
        if input.isReadyForMoreMediaData { input.append(sampleBuffer) }
    }

    func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
}
