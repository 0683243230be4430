import MediaTypes
import TestSupport
import XCTest

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

    func testTheAspectRatioIsKeptAndVideoIsNeverEnlarged() throws {
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
