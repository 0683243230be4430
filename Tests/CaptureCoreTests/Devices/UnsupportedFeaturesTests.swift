import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore
@testable import CapturePreview

/// Tests features that no device of this package has. Their properties have the same values as on Apple's devices that
/// lack these features.
final class UnsupportedFeaturesTests: XCTestCase {
    func testFormatsReportThatFeaturesAreNotSupported() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let format = try fixture.device("phone.back-wide").activeFormat
        let flags: [KeyPath<AVCaptureDevice.Format, Bool>] = [
            \.isCenterStageSupported, \.isPortraitEffectSupported, \.isStudioLightSupported, \.isEdgeLightSupported,
            \.isBackgroundReplacementSupported, \.reactionEffectsSupported, \.isSpatialVideoCaptureSupported,
            \.isCinematicVideoCaptureSupported, \.isSmartFramingSupported, \.isCameraLensSmudgeDetectionSupported,
            \.isAutoVideoFrameRateSupported, \.isHighPhotoQualitySupported,
            \.isPortraitEffectsMatteStillImageDeliverySupported, \.isContinuousAutoFocusTrackingSupported,
            \.isCinematicVideoMetadataCaptureSupported, \.isLowLightVideoNoiseReductionSupported,
        ]
        for flag in flags { XCTAssertFalse(format[keyPath: flag]) }
        let ranges: [KeyPath<AVCaptureDevice.Format, AVFrameRateRange?>] = [
            \.videoFrameRateRangeForCenterStage, \.videoFrameRateRangeForPortraitEffect,
            \.videoFrameRateRangeForStudioLight, \.videoFrameRateRangeForBackgroundReplacement,
            \.videoFrameRateRangeForReactionEffectsInProgress, \.videoFrameRateRangeForCinematicVideo,
        ]
        for range in ranges { XCTAssertNil(format[keyPath: range]) }
        XCTAssertEqual(format.geometricDistortionCorrectedVideoFieldOfView, format.videoFieldOfView)
        XCTAssertEqual(format.videoMaxZoomFactorForCenterStage, format.videoMaxZoomFactor)
        XCTAssertEqual(format.videoMaxZoomFactorForCinematicVideo, 1)
        XCTAssertEqual(format.videoFieldOfView(for: .ratio1x1, geometricDistortionCorrected: false), 0)
        XCTAssertTrue(format.supportedDynamicAspectRatios.isEmpty)
        XCTAssertTrue(format.unsupportedCaptureOutputClasses.isEmpty)
        XCTAssertTrue(format.secondaryNativeResolutionZoomFactors.isEmpty)
        fixture.assertNoMisuse()
    }

    /// Settings that a client cannot change while the session decides, and that are not supported otherwise.
    func testASettingThatTheSessionDecidesIsMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (movie, data) = fixture.inSystem { (AVCaptureMovieFileOutput(), AVCaptureVideoDataOutput()) }
        let session = try fixture.makeSession(camera: "phone.back-wide", microphone: nil, preset: .low, [movie, data])
        let device = try fixture.device("phone.back-wide")
        let connection = try XCTUnwrap(movie.connection(with: .video))
        XCTAssertTrue(connection.automaticallyEnablesLowLightVideoNoiseReduction)
        XCTAssertEqual(
            data.connection(with: .video)?.automaticallyEnablesLowLightVideoNoiseReduction, false,
            "only movie file outputs decide")
        XCTAssertTrue(movie.automaticallyAdjustsCinematicVideoMetadataCaptureEnabled)
        try device.lockForConfiguration()
        let uses: [(String, () -> Void)] = [
            ("automaticallyEnablesExposureSignals", { device.enabledExposureSignals = [] }),
            (
                "automaticallyEnablesLowLightVideoNoiseReduction",
                { connection.isLowLightVideoNoiseReductionEnabled = false }
            ),
            (
                "automaticallyAdjustsCinematicVideoMetadataCaptureEnabled",
                { movie.isCinematicVideoMetadataCaptureEnabled = false }
            ),
        ]
        for (decider, use) in uses {
            let message = fixture.assertMisuse(.invalidArgument) { use() }
            XCTAssertTrue(message.contains("while \(decider) is true"), message)
        }
        device.automaticallyEnablesExposureSignals = false
        connection.automaticallyEnablesLowLightVideoNoiseReduction = false
        movie.automaticallyAdjustsCinematicVideoMetadataCaptureEnabled = false
        for (_, use) in uses { use() }
        let unsupported: [(String, () -> Void)] = [
            (
                "AVCaptureMovieFileOutput setCinematicVideoMetadataCaptureEnabled:",
                { movie.isCinematicVideoMetadataCaptureEnabled = true }
            ),
            ("AVCaptureMovieFileOutput setUsesProVideoStorage:", { movie.usesProVideoStorage = true }),
            (
                "AVCaptureConnection setLowLightVideoNoiseReductionEnabled:",
                { connection.isLowLightVideoNoiseReductionEnabled = true }
            ),
        ]
        for (method, use) in unsupported {
            let message = fixture.assertMisuse(.invalidArgument) { use() }
            XCTAssertTrue(message.contains("[\(method)] "), message)
        }
        device.unlockForConfiguration()
        fixture.assertNoMisuse()
        session.stopRunning()
    }

    func testADeviceReportsThatFeaturesAreNotSupported() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let flags: [KeyPath<AVCaptureDevice, Bool>] = [
            \.isCenterStageActive, \.isCenterStageRectOfInterestSupported, \.isPortraitEffectActive,
            \.isStudioLightActive, \.isBackgroundReplacementActive, \.canPerformReactionEffects,
            \.isFocusRectOfInterestSupported, \.isExposureRectOfInterestSupported, \.transportControlsSupported,
            \.isVideoFrameDurationLocked, \.isFollowingExternalSyncDevice, \.isAutoVideoFrameRateEnabled,
            \.isCameraLensSmudgeDetectionEnabled, \.isContinuousAutoFocusTrackingEnabled,
            \.isContinuousAutoFocusTrackingSubjectAcquired,
        ]
        for flag in flags { XCTAssertFalse(device[keyPath: flag]) }
        XCTAssertTrue(device.availableReactionTypes.isEmpty)
        XCTAssertTrue(device.reactionEffectsInProgress.isEmpty)
        XCTAssertTrue(device.inputSources.isEmpty)
        XCTAssertTrue(device.supportedExposureSignals.isEmpty)
        XCTAssertTrue(device.enabledExposureSignals.isEmpty)
        XCTAssertTrue(device.activeExposureSignals.isEmpty)
        XCTAssertTrue(device.automaticallyEnablesExposureSignals)
        XCTAssertEqual(device.continuousAutoFocusTrackingLensPositionBias, 0)
        XCTAssertTrue(device.spatialCaptureDiscomfortReasons.isEmpty)
        XCTAssertTrue(device.cinematicVideoCaptureSceneMonitoringStatuses.isEmpty)
        XCTAssertNil(device.activeInputSource)
        XCTAssertNil(device.companionDeskViewCamera)
        XCTAssertNil(device.dynamicAspectRatio)
        XCTAssertNil(device.smartFramingMonitor)
        XCTAssertEqual(device.dynamicDimensions.width, 0)
        XCTAssertEqual(device.transportControlsPlaybackMode, .notPlaying)
        XCTAssertEqual(device.cameraLensSmudgeDetectionStatus, .disabled)
        XCTAssertFalse(device.minSupportedLockedVideoFrameDuration.isValid)
        XCTAssertTrue(device.defaultRectForFocusPoint(ofInterest: .zero).isNull)
        XCTAssertTrue(device.defaultRectForExposurePoint(ofInterest: .zero).isNull)
        XCTAssertEqual(device.grayWorldDeviceWhiteBalanceGains, device.deviceWhiteBalanceGains)
        fixture.inSystem {
            XCTAssertFalse(AVCaptureDevice.isPortraitEffectEnabled)
            XCTAssertFalse(AVCaptureDevice.isStudioLightEnabled)
            XCTAssertFalse(AVCaptureDevice.reactionEffectsEnabled)
            XCTAssertEqual(AVCaptureDevice.activeMicrophoneMode, .standard)
            AVCaptureDevice.showSystemUserInterface(.videoEffects)
            XCTAssertNil(AVCaptureDevice.extrinsicMatrix(from: device, to: device))
            XCTAssertNil(AVExternalSyncDeviceDiscoverySession.shared)
        }
        fixture.assertNoMisuse()
    }

    func testUsingUnsupportedFeaturesOfConnectionsAndOutputsIsReported() throws {
        let fixture = try CaptureFixture()
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        let session = try fixture.makeSession([video, audio])
        let connection = try XCTUnwrap(video.connection(with: .video))
        XCTAssertEqual(connection.videoFieldMode, .both)
        XCTAssertEqual(audio.spatialAudioChannelLayoutTag, kAudioChannelLayoutTag_Unknown)
        fixture.assertMisuse(.invalidArgument) { audio.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo }
        let items = try XCTUnwrap(
            video.recommendedMovieMetadata(forVideoCodecType: .h264, assetWriterOutputFileType: .mov))
        XCTAssertEqual(items.map(\.identifier), [.commonIdentifierMake, .commonIdentifierModel])
        withExtendedLifetime(session) {}
        let metadata = fixture.inSystem { AVCaptureMetadataOutput() }
        XCTAssertTrue(metadata.requiredMetadataObjectTypesForCinematicVideoCapture.isEmpty)
    }

    func testCenterStageIsEnabledByTheAppOnlyIfItControlsIt() throws {
        let fixture = try CaptureFixture()
        let changes = Lock<[Bool]>([], order: .client)
        let observation = fixture.inSystem {
            AVCaptureDevice.observe(\.isCenterStageEnabled, options: [.new]) { _, change in
                if let value = change.newValue { changes.withLock { $0.append(value) } }
            }
        }
        fixture.assertMisuse(.invalidArgument) { AVCaptureDevice.isCenterStageEnabled = true }
        fixture.inSystem {
            XCTAssertEqual(AVCaptureDevice.centerStageControlMode, .user)
            AVCaptureDevice.centerStageControlMode = .app
            AVCaptureDevice.isCenterStageEnabled = true
            XCTAssertTrue(AVCaptureDevice.isCenterStageEnabled)
        }
        XCTAssertEqual(changes.withLock { $0 }, [true])
        observation.invalidate()
        // Each system has its own settings.
        try CaptureFixture().inSystem { XCTAssertEqual(AVCaptureDevice.centerStageControlMode, .user) }
        fixture.assertNoMisuse()
    }

    func testDisplaysAndTheDeskViewAreNotAvailable() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        let layer = fixture.inSystem { AVCaptureVideoPreviewLayer() }
        let configuration = AVCaptureExternalDisplayConfiguration()
        let configurator = AVCaptureExternalDisplayConfigurator(
            device: device, previewLayer: layer, configuration: configuration)
        XCTAssertFalse(configurator.isActive)
        XCTAssertTrue(configurator.device === device)
        XCTAssertTrue(configurator.previewLayer === layer)
        configuration.shouldMatchFrameRate = true
        fixture.assertMisuse(.invalidArgument) {
            _ = AVCaptureExternalDisplayConfigurator(
                device: device, previewLayer: layer, configuration: configuration)
        }
        XCTAssertNil(fixture.inSystem { AVCaptureScreenInput(displayID: 1) })
        let screen = fixture.inSystem { AVCaptureScreenInput() }
        XCTAssertTrue(screen.ports.isEmpty)
        screen.scaleFactor = 2
        XCTAssertEqual(screen.scaleFactor, 2)
        let codes = Lock<[AVError.Code?]>([], order: .client)
        fixture.inSystem {
            AVCaptureDeskViewApplication().present { error in
                codes.withLock { $0.append((error as? AVError)?.code) }
            }
        }
        fixture.clock.settle()
        XCTAssertEqual(codes.withLock { $0 }, [.operationNotAllowed])
        let generator = AVCaptureSpatialAudioMetadataSampleGenerator()
        XCTAssertEqual(generator.timedMetadataSampleBufferFormatDescription.mediaType, .metadata)
        XCTAssertNil(generator.newTimedMetadataSampleBufferAndResetAnalyzer())
        fixture.assertNoMisuse()
    }

    func testAnAudioPreviewOutputStoresItsSettings() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureAudioPreviewOutput() }
        let session = try fixture.makeSession([output])
        XCTAssertNotNil(output.connection(with: .audio))
        output.volume = 2
        output.outputDeviceUniqueID = "speaker"
        XCTAssertEqual(output.volume, 1)
        XCTAssertEqual(output.outputDeviceUniqueID, "speaker")
        session.startRunning()
        fixture.advance(milliseconds: 100)
        session.stopRunning()
        fixture.assertNoMisuse()
    }
}
