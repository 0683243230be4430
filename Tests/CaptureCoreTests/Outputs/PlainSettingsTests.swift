import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import MediaAssets

/// Tests that clients can cast the values of settings dictionaries to strings and to any numeric type.
final class PlainSettingsTests: XCTestCase {
    private func assertCodec(
        _ settings: [String: Any]?, _ codec: AVVideoCodecType, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(settings?[AVVideoCodecKey] as? String, codec.rawValue, file: file, line: line)
        XCTAssertEqual(settings?[AVVideoCodecKey] as? AVVideoCodecType, codec, file: file, line: line)
    }

    private func assertNumber(
        _ settings: [String: Any]?, _ key: String, _ number: Int, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(settings?[key] as? Int, number, key, file: file, line: line)
        XCTAssertEqual(settings?[key] as? Double, Double(number), key, file: file, line: line)
        XCTAssertEqual(settings?[key] as? NSNumber, NSNumber(value: number), key, file: file, line: line)
    }

    func testOutputsReturnStringsAndNumbers() throws {
        let fixture = try CaptureFixture()
        let (video, audio, movie) = fixture.inSystem {
            (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput(), AVCaptureMovieFileOutput())
        }
        let session = try fixture.makeSession([video, audio, movie])
        let recommended = video.recommendedVideoSettingsForAssetWriter(writingTo: .mov)
        assertCodec(recommended, .h264)
        assertNumber(recommended, AVVideoWidthKey, 320)
        let properties = recommended?[AVVideoCompressionPropertiesKey] as? [String: Any]
        assertNumber(properties, AVVideoExpectedSourceFrameRateKey, 30)
        XCTAssertEqual(properties?[AVVideoProfileLevelKey] as? String, AVVideoProfileLevelH264HighAutoLevel)
        XCTAssertEqual(properties?[AVVideoAllowFrameReorderingKey] as? Bool, false)
        assertCodec(
            video.recommendedVideoSettings(forVideoCodecType: .hevc, assetWriterOutputFileType: .mp4), .hevc)
        let sound = audio.recommendedAudioSettingsForAssetWriter(writingTo: .mov)
        assertNumber(sound, AVFormatIDKey, Int(kAudioFormatMPEG4AAC))
        assertNumber(sound, AVSampleRateKey, 48000)
        assertNumber(
            video.videoSettings, kCVPixelBufferPixelFormatTypeKey, Int(video.availableVideoPixelFormatTypes[0]))
        let connection = try XCTUnwrap(movie.connection(with: .video))
        assertCodec(movie.outputSettings(for: connection), .h264)
        movie.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc.rawValue], for: connection)
        assertCodec(movie.outputSettings(for: connection), .hevc)
        let microphone = try XCTUnwrap(movie.connection(with: .audio))
        assertNumber(movie.outputSettings(for: microphone), AVNumberOfChannelsKey, 2)
        fixture.assertNoMisuse()
        withExtendedLifetime(session) {}
    }

    func testTheSettingsOfAClientAreReturnedAsStringsAndNumbers() throws {
        let fixture = try CaptureFixture()
        let settings: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 320, AVVideoHeightKey: UInt32(240),
            AVVideoCompressionPropertiesKey: [AVVideoQualityKey: Float(0.5)],
        ]
        let input = fixture.inSystem { AVAssetWriterInput(mediaType: .video, outputSettings: settings) }
        assertCodec(input.outputSettings, .jpeg)
        assertNumber(input.outputSettings, AVVideoHeightKey, 240)
        let properties = input.outputSettings?[AVVideoCompressionPropertiesKey] as? [String: Any]
        XCTAssertEqual(properties?[AVVideoQualityKey] as? Double, 0.5)
        assertCodec(AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]).format, .jpeg)
        let pixels = AVCapturePhotoSettings(
            format: [kCVPixelBufferPixelFormatTypeKey: NSNumber(value: kCVPixelFormatType_32BGRA)])
        XCTAssertEqual(pixels.pixelFormat, kCVPixelFormatType_32BGRA)
        assertNumber(pixels.format, kCVPixelBufferPixelFormatTypeKey, Int(kCVPixelFormatType_32BGRA))
        let sound = fixture.inSystem { (AVCaptureAudioDataOutput(), AVCaptureAudioFileOutput()) }
        sound.0.audioSettings = [AVSampleRateKey: Float(16000)]
        assertNumber(sound.0.audioSettings, AVSampleRateKey, 16000)
        sound.1.audioSettings = [AVFormatIDKey: kAudioFormatAppleLossless]
        assertNumber(sound.1.audioSettings, AVFormatIDKey, Int(kAudioFormatAppleLossless))
        fixture.assertNoMisuse()
    }
}
