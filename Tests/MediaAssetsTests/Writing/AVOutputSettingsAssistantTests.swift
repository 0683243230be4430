import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVOutputSettingsAssistantTests: XCTestCase {
    func testAWriterAcceptsTheSettingsOfEveryPreset() throws {
        let fixture = try AssetWriterFixture()
        for preset in AVOutputSettingsAssistant.availableOutputSettingsPresets() {
            let assistant = try XCTUnwrap(AVOutputSettingsAssistant(preset: preset))
            let writer = try fixture.makeWriter("a.mov", assistant.outputFileType)
            XCTAssertTrue(writer.canApply(outputSettings: assistant.videoSettings, forMediaType: .video))
            XCTAssertTrue(writer.canApply(outputSettings: assistant.audioSettings, forMediaType: .audio))
        }
        XCTAssertNil(AVOutputSettingsAssistant(preset: AVOutputSettingsPreset(rawValue: "none")))
    }

    func testSettingsCanBeCastToStringsAndNumbers() throws {
        let assistant = try XCTUnwrap(AVOutputSettingsAssistant(preset: .hevc1920x1080))
        let video = try XCTUnwrap(assistant.videoSettings)
        XCTAssertEqual(video[AVVideoCodecKey] as? String, "hvc1")
        XCTAssertEqual(video[AVVideoCodecKey] as? AVVideoCodecType, .hevc)
        XCTAssertEqual(video[AVVideoWidthKey] as? Double, 1920)
        let properties = try XCTUnwrap(video[AVVideoCompressionPropertiesKey] as? [String: Any])
        XCTAssertEqual(properties[AVVideoExpectedSourceFrameRateKey] as? Float, 30)
        let audio = try XCTUnwrap(assistant.audioSettings)
        XCTAssertEqual(audio[AVFormatIDKey] as? Int, Int(kAudioFormatMPEG4AAC))
        XCTAssertEqual(audio[AVFormatIDKey] as? UInt32, kAudioFormatMPEG4AAC)
        XCTAssertEqual(audio[AVSampleRateKey] as? Int, 44100)
    }

    func testSizesKeepTheAspectRatioAndDoNotExceedTheSource() throws {
        let assistant = try XCTUnwrap(AVOutputSettingsAssistant(preset: .preset1280x720))
        XCTAssertEqual(assistant.videoSettings?[AVVideoWidthKey] as? Int, 1280)
        assistant.sourceVideoFormat = try CMFormatDescription(imageBuffer: AssetWriterFixture.pixelBuffer(0))
        XCTAssertEqual(assistant.videoSettings?[AVVideoWidthKey] as? Int, 320)
        XCTAssertEqual(assistant.videoSettings?[AVVideoHeightKey] as? Int, 240)
        let large = try XCTUnwrap(
            CVPixelBuffer(width: 2000, height: 2000, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        assistant.sourceVideoFormat = try CMFormatDescription(imageBuffer: large)
        XCTAssertEqual(assistant.videoSettings?[AVVideoWidthKey] as? Int, 720)
        XCTAssertEqual(assistant.videoSettings?[AVVideoHeightKey] as? Int, 720)
    }
}
