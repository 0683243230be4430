import MediaTypes
import XCTest

@testable import CaptureCore

final class PresetFormatTests: XCTestCase {
    /// Each preset with the format that it selects on the phone's back camera and on the webcam; nil if not supported.
    private let table: [(AVCaptureSession.Preset, String, phone: String?, webcam: String?)] = [
        (.photo, "Photo", "4032x3024", "1920x1080"), (.high, "High", "1920x1080", "1920x1080"),
        (.medium, "Medium", "480x360", "640x360"), (.low, "Low", "192x144", "320x240"),
        (.cif352x288, "352x288", "352x288", nil), (.qvga320x240, "320x240", nil, "320x240"),
        (.vga640x480, "640x480", "640x480", "640x480"), (.qHD960x540, "960x540", "960x540", nil),
        (.hd1280x720, "1280x720", "1280x720", "1280x720"), (.hd1920x1080, "1920x1080", "1920x1080", "1920x1080"),
        (.hd4K3840x2160, "3840x2160", "3840x2160", nil), (.iFrame960x540, "iFrame960x540", "960x540", nil),
        (.iFrame1280x720, "iFrame1280x720", "1280x720", "1280x720"),
    ]

    func testAPresetCanBeSetIfTheCameraSupportsIt() throws {
        for (profile, camera) in [("phone", "phone.back-wide"), ("webcam", "webcam.camera")] {
            let fixture = try CaptureFixture(profile: profile)
            let session = try fixture.makeSession(camera: camera, microphone: nil, preset: .inputPriority, [])
            let device = try fixture.device(camera)
            for (preset, name, phone, webcam) in table {
                XCTAssertEqual(preset.rawValue, "AVCaptureSessionPreset\(name)")
                let expected = profile == "phone" ? phone : webcam
                XCTAssertEqual(device.supportsSessionPreset(preset), expected != nil, "\(profile) \(name)")
                XCTAssertEqual(session.canSetSessionPreset(preset), expected != nil, "\(profile) \(name)")
                guard let expected else {
                    fixture.assertMisuse(.invalidArgument) { session.sessionPreset = preset }
                    continue
                }
                session.sessionPreset = preset
                let size = device.activeFormat.formatDescription.dimensions
                XCTAssertEqual("\(size.width)x\(size.height)", expected, "\(profile) \(name)")
            }
        }
    }

    func testWithoutACameraEveryPresetCanBeSet() throws {
        let session = try CaptureFixture().inSystem { AVCaptureSession() }
        for (preset, _, _, _) in table { XCTAssertTrue(session.canSetSessionPreset(preset)) }
    }
}
