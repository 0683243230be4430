import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests eyes that reflect the flash.
final class RedEyeTests: XCTestCase {
    private struct Capture {
        let fixture: CaptureFixture
        let session: AVCaptureSession
        let output: AVCapturePhotoOutput

        init(lux: Double) throws {
            var phone = try DeviceProfile.builtIn("phone")
            for index in phone.devices.indices {
                guard case .camera(var camera) = phone.devices[index] else { continue }
                for format in camera.formats.indices where camera.formats[format].dimensions.width == 640 {
                    camera.formats[format].photoDimensions = [CMVideoDimensions(width: 1600, height: 1200)]
                }
                phone.devices[index] = .camera(camera)
            }
            let profile = phone
            fixture = try CaptureFixture { clock in
                [
                    try SimHost(
                        profiles: [profile], scene: .portrait, light: SceneLight(lux: lux, kelvin: 3000),
                        orientation: .landscapeLeft, clock: clock)
                ]
            }
            let output = fixture.inSystem { AVCapturePhotoOutput() }
            self.output = output
            session = try fixture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
            session.startRunning()
            fixture.advance(milliseconds: 2000)
        }

        /// Returns the number of red pixels in a photo.
        func redPixels(flash: AVCaptureDevice.FlashMode, reduction: Bool) throws -> (count: Int, isReduced: Bool) {
            let settings = fixture.inSystem {
                AVCapturePhotoSettings(format: [
                    kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
                ])
            }
            XCTAssertTrue(settings.isAutoRedEyeReductionEnabled)
            settings.flashMode = flash
            settings.isAutoRedEyeReductionEnabled = reduction
            let photos = RecordingPhotos()
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 500)
            let photo = try XCTUnwrap(photos.photos.first)
            let pixels = try XCTUnwrap(photo.pixelBuffer)
            var count = 0
            pixels.withPlane(0) { plane in
                for row in 0..<pixels.height {
                    for column in 0..<pixels.width {
                        let pixel = plane.baseAddress + row * plane.bytesPerRow + column * 4
                        let (blue, green, red) = (
                            Int(pixel.load(as: UInt8.self)), Int(pixel.load(fromByteOffset: 1, as: UInt8.self)),
                            Int(pixel.load(fromByteOffset: 2, as: UInt8.self))
                        )
                        if red - green > 110, red - blue > 110 { count += 1 }
                    }
                }
            }
            return (count, photo.resolvedSettings.isRedEyeReductionEnabled)
        }
    }

    func testTheFlashShowsInTheEyesUnlessTheCameraCorrectsThem() throws {
        let capture = try Capture(lux: 3)
        XCTAssertTrue(capture.output.isAutoRedEyeReductionSupported)
        let red = try capture.redPixels(flash: .on, reduction: false)
        let corrected = try capture.redPixels(flash: .on, reduction: true)
        let unlit = try capture.redPixels(flash: .off, reduction: false)
        XCTAssertFalse(red.isReduced)
        XCTAssertTrue(corrected.isReduced)
        XCTAssertFalse(unlit.isReduced)
        // Two pupils of about 6 mm at 0.9 m, and smaller ones of two people behind. The lips are red in both photos.
        XCTAssertGreaterThan(red.count - corrected.count, 40)
        XCTAssertLessThan(red.count - corrected.count, 300)
        capture.fixture.assertNoMisuse()
    }

    func testSmallPupilsInBrightLightDoNotGlow() throws {
        let capture = try Capture(lux: 300)
        XCTAssertLessThan(try capture.redPixels(flash: .on, reduction: false).count, 5)
    }

    func testBracketsAndRAWPhotosAreNotCorrected() {
        XCTAssertFalse(
            AVCapturePhotoSettings(rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB).isAutoRedEyeReductionEnabled)
        XCTAssertTrue(
            AVCapturePhotoSettings(
                rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB,
                processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg]
            ).isAutoRedEyeReductionEnabled)
        let bracket = AVCapturePhotoBracketSettings(
            rawPixelFormatType: 0, processedFormat: nil,
            bracketedSettings: [
                AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0)
            ])
        XCTAssertFalse(bracket.isAutoRedEyeReductionEnabled)
    }
}
