import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests that features which no backend provides are reported as unsupported, and that requesting them is misuse.
final class UnsupportedPhotoFeaturesTests: XCTestCase {
    func testTheOutputSupportsNoneOfTheFeatures() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        let supported: [KeyPath<AVCapturePhotoOutput, Bool>] = [
            \.isResponsiveCaptureSupported, \.isFastCapturePrioritizationSupported,
            \.isLensStabilizationDuringBracketedCaptureSupported,
            \.isStillImageStabilizationScene, \.isVirtualDeviceFusionSupported,
            \.isDualCameraFusionSupported, \.isVirtualDeviceConstituentPhotoDeliverySupported,
            \.isDualCameraDualPhotoDeliverySupported, \.isCameraCalibrationDataDeliverySupported,
            \.isContentAwareDistortionCorrectionSupported,
            \.isConstantColorSupported, \.isShutterSoundSuppressionSupported,
            \.isCameraSensorOrientationCompensationSupported, \.isPortraitEffectsMatteDeliverySupported,
        ]
        for path in supported { XCTAssertFalse(output[keyPath: path]) }
        let enabled: [ReferenceWritableKeyPath<AVCapturePhotoOutput, Bool>] = [
            \.isLivePhotoCaptureSuspended,
            \.isResponsiveCaptureEnabled, \.isFastCapturePrioritizationEnabled,
            \.isVirtualDeviceConstituentPhotoDeliveryEnabled,
            \.isDualCameraDualPhotoDeliveryEnabled, \.isContentAwareDistortionCorrectionEnabled,
            \.isConstantColorEnabled, \.isCameraSensorOrientationCompensationEnabled,
            \.isPortraitEffectsMatteDeliveryEnabled,
        ]
        for path in enabled {
            output[keyPath: path] = false
            fixture.assertNoMisuse()
            fixture.assertMisuse(.invalidArgument) { output[keyPath: path] = true }
            XCTAssertFalse(output[keyPath: path])
        }
        fixture.assertMisuse(.invalidArgument) { output.enabledSemanticSegmentationMatteTypes = [.hair] }
        XCTAssertEqual(output.availableSemanticSegmentationMatteTypes, [])
        XCTAssertEqual(output.availableRawPhotoCodecTypes, [])
        XCTAssertEqual(output.supportedPhotoCodecTypes(for: .jpg), [.jpeg])
        XCTAssertEqual(output.supportedPhotoPixelFormatTypes(for: .tif), [])
        XCTAssertTrue(AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_14Bayer_RGGB))
        XCTAssertFalse(AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_32BGRA))
        XCTAssertTrue(AVCapturePhotoOutput.isAppleProRAWPixelFormat(kCVPixelFormatType_64RGBALE))
        // Clients may observe the properties.
        output.observe(\.isLivePhotoCaptureSupported) { _, _ in }.invalidate()
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testCapturingWithUnsupportedFeaturesOrInvalidSettingsIsMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        let device = try fixture.device("phone.back-wide")
        session.startRunning()
        let exposures = [-2, -1, 1, 2].map {
            AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        }
        var wrong: [AVCapturePhotoSettings] = [
            AVCapturePhotoSettings(
                rawPixelFormatType: 0, rawFileType: nil, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg],
                processedFileType: .heic),
            AVCapturePhotoBracketSettings(
                rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: exposures),
            AVCapturePhotoSettings(format: [
                AVVideoCodecKey: AVVideoCodecType.jpeg,
                AVVideoCompressionPropertiesKey: [AVVideoQualityKey: 3.0],
            ]),
        ]
        let changes: [(AVCapturePhotoSettings) -> Void] = [
            { $0.livePhotoMovieFileURL = URL(fileURLWithPath: "/tmp/live.mov") },
            { $0.virtualDeviceConstituentPhotoDeliveryEnabledDevices = [device] },
            { $0.isDualCameraDualPhotoDeliveryEnabled = true }, { $0.isCameraCalibrationDataDeliveryEnabled = true },
            { $0.isPortraitEffectsMatteDeliveryEnabled = true }, { $0.enabledSemanticSegmentationMatteTypes = [.skin] },
            { $0.isAutoContentAwareDistortionCorrectionEnabled = true }, { $0.isConstantColorEnabled = true },
            { $0.isShutterSoundSuppressionEnabled = true }, { $0.metadata = ["unknown": 1] },
            { $0.rawEmbeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg] },
            { $0.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.hevc] },
            { $0.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_24RGB] },
        ]
        for change in changes {
            let settings = AVCapturePhotoSettings()
            change(settings)
            wrong.append(settings)
        }
        for settings in wrong {
            for settings in [settings, try XCTUnwrap(settings.copy() as? AVCapturePhotoSettings)] {
                fixture.assertMisuse(.invalidArgument) {
                    output.capturePhoto(with: settings, delegate: RecordingPhotos())
                }
            }
        }
        fixture.assertMisuse(.invalidArgument) {
            _ = AVCapturePhotoBracketSettings(
                rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: [])
        }
        session.stopRunning()
    }

    func testSettingsOfUnsupportedFeaturesHaveDefaults() {
        let settings = AVCapturePhotoSettings()
        XCTAssertEqual(settings.processedFileType, .jpg)
        XCTAssertEqual(settings.rawPhotoPixelFormatType, 0)
        XCTAssertTrue(settings.isAutoVirtualDeviceFusionEnabled)
        XCTAssertTrue(settings.embedsPortraitEffectsMatteInPhoto)
        settings.livePhotoMovieMetadata = nil
        XCTAssertEqual(settings.livePhotoMovieMetadata.count, 0)
        let raw = AVCapturePhotoSettings(rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB)
        XCTAssertNil(raw.processedFileType)
        XCTAssertFalse(raw.isAutoStillImageStabilizationEnabled)
        let bracket = AVCapturePhotoBracketSettings(
            rawPixelFormatType: 0, processedFormat: nil,
            bracketedSettings: [
                AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
                    exposureDuration: CMTime(value: 1, timescale: 30), iso: 100)
            ])
        let copy = AVCapturePhotoBracketSettings(from: bracket)
        XCTAssertEqual(copy.bracketedSettings.count, 1)
        XCTAssertNotEqual(copy.uniqueID, bracket.uniqueID)
    }
}
