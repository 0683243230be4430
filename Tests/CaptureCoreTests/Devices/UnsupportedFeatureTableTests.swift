import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

/// Tests that using a feature of which `is…Supported` is false is misuse with the exception of Apple's header, and that
/// its message names the method and the value or feature.
final class UnsupportedFeatureTableTests: XCTestCase {
    /// The use of an unsupported feature.
    private struct Row {
        /// The property or method that reports whether the feature is supported.
        let query: String
        let isSupported: Bool
        let exception: Misuse.Exception
        /// The Objective-C name of the method that raises the exception.
        let method: String
        /// A part of the message: the value or feature.
        let text: String
        let use: () throws -> Void

        init(
            _ query: String, _ isSupported: Bool, _ exception: Misuse.Exception, _ method: String, _ text: String,
            _ use: @escaping () throws -> Void
        ) {
            (self.query, self.isSupported, self.exception) = (query, isSupported, exception)
            (self.method, self.text, self.use) = (method, text, use)
        }

        /// Creates the row of a feature whose use raises `NSInvalidArgumentException`.
        init(
            _ query: String, _ isSupported: Bool, _ method: String, _ text: String,
            _ use: @escaping () throws -> Void
        ) {
            self.init(query, isSupported, .invalidArgument, method, text, use)
        }
    }

    private func check(_ rows: [Row], _ type: String, _ fixture: CaptureFixture) throws {
        for row in rows {
            XCTAssertFalse(row.isSupported, "\(row.query) \(row.text)")
            let message = try fixture.assertMisuse(row.exception) { try row.use() }
            XCTAssertTrue(message.contains("[\(type) \(row.method)] "), "\(row.method): \(message)")
            XCTAssertTrue(message.contains(row.text), "\(row.text): \(message)")
        }
    }

    /// Checks rows that require the device to be locked, and that they are other misuse without the lock.
    private func checkLocked(_ rows: [Row], _ device: AVCaptureDevice, _ fixture: CaptureFixture) throws {
        for row in rows {
            let message = try fixture.assertMisuse(.generic) { try row.use() }
            XCTAssertTrue(message.contains("lockForConfiguration"), "\(row.method): \(message)")
        }
        try device.lockForConfiguration()
        device.automaticallyAdjustsVideoHDREnabled = false
        device.automaticallyEnablesExposureSignals = false
        try check(rows, "AVCaptureDevice", fixture)
        device.unlockForConfiguration()
    }

    // MARK: Rows

    private func modeRows(_ device: AVCaptureDevice) -> [Row] {
        let focusModes: [AVCaptureDevice.FocusMode] = [.locked, .autoFocus, .continuousAutoFocus]
        let exposureModes: [AVCaptureDevice.ExposureMode] = [.locked, .autoExpose, .continuousAutoExposure, .custom]
        let balanceModes: [AVCaptureDevice.WhiteBalanceMode] = [
            .locked, .autoWhiteBalance, .continuousAutoWhiteBalance,
        ]
        let torchModes: [AVCaptureDevice.TorchMode] = [.off, .on, .auto]
        let flashModes: [AVCaptureDevice.FlashMode] = [.off, .on, .auto]
        let gains = AVCaptureDevice.WhiteBalanceGains(redGain: 1.5, greenGain: 1, blueGain: 1)
        var rows = focusModes.map { mode in
            Row("isFocusModeSupported", device.isFocusModeSupported(mode), "setFocusMode:", "focus mode \(mode)") {
                device.focusMode = mode
            }
        }
        rows += exposureModes.map { mode in
            Row(
                "isExposureModeSupported", device.isExposureModeSupported(mode), "setExposureMode:",
                "exposure mode \(mode)"
            ) { device.exposureMode = mode }
        }
        rows += balanceModes.map { mode in
            Row(
                "isWhiteBalanceModeSupported", device.isWhiteBalanceModeSupported(mode), "setWhiteBalanceMode:",
                "white balance mode \(mode)"
            ) { device.whiteBalanceMode = mode }
        }
        rows += torchModes.map { mode in
            Row("isTorchModeSupported", device.isTorchModeSupported(mode), "setTorchMode:", "torch mode \(mode)") {
                device.torchMode = mode
            }
        }
        rows += flashModes.map { mode in
            Row("isFlashModeSupported", device.isFlashModeSupported(mode), "setFlashMode:", "flash mode \(mode)") {
                device.flashMode = mode
            }
        }
        rows += [
            Row(
                "isTorchModeSupported", device.isTorchModeSupported(.on), "setTorchModeOnWithLevel:error:",
                "torch mode on"
            ) { try device.setTorchModeOn(level: 0.5) },
            Row(
                "isLockingFocusWithCustomLensPositionSupported", device.isLockingFocusWithCustomLensPositionSupported,
                "setFocusModeLockedWithLensPosition:completionHandler:", "lens position 0.5"
            ) { device.setFocusModeLocked(lensPosition: 0.5) },
            Row(
                "isExposureModeSupported", device.isExposureModeSupported(.custom),
                "setExposureModeCustomWithDuration:ISO:completionHandler:", "exposure mode custom"
            ) { device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 60), iso: 100) },
            Row(
                "isLockingWhiteBalanceWithCustomDeviceGainsSupported",
                device.isLockingWhiteBalanceWithCustomDeviceGainsSupported,
                "setWhiteBalanceModeLockedWithDeviceWhiteBalanceGains:completionHandler:", "the gains [1.5, 1.0, 1.0]"
            ) { device.setWhiteBalanceModeLocked(with: gains) },
        ]
        return rows
    }

    private func controlRows(_ device: AVCaptureDevice) -> [Row] {
        let point = CGPoint(x: 0.25, y: 0.75)
        let restrictions: [AVCaptureDevice.AutoFocusRangeRestriction] = [.none, .near, .far]
        var rows = [
            Row(
                "isFocusPointOfInterestSupported", device.isFocusPointOfInterestSupported, "setFocusPointOfInterest:",
                "the point of interest (0.25, 0.75)"
            ) { device.focusPointOfInterest = point },
            Row(
                "isExposurePointOfInterestSupported", device.isExposurePointOfInterestSupported,
                "setExposurePointOfInterest:", "the point of interest (0.25, 0.75)"
            ) { device.exposurePointOfInterest = point },
            Row("", false, .range, "setExposureTargetBias:completionHandler:", "1.0") {
                device.setExposureTargetBias(1)
            },
            Row("", false, .range, "setActiveMaxExposureDuration:", "0.5 s") {
                device.activeMaxExposureDuration = CMTime(value: 1, timescale: 2)
            },
            Row("", false, .range, "setVideoZoomFactor:", "2.0") { device.videoZoomFactor = 2 },
            Row("", false, .range, "rampToVideoZoomFactor:withRate:", "2.0") {
                device.ramp(toVideoZoomFactor: 2, withRate: 1)
            },
            Row("", false, "setAutomaticallyAdjustsFaceDrivenAutoFocusEnabled:", "no automatic mode") {
                device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false
            },
            Row("", false, "setFaceDrivenAutoFocusEnabled:", "no automatic mode") {
                device.isFaceDrivenAutoFocusEnabled = false
            },
            Row("", false, "setAutomaticallyAdjustsFaceDrivenAutoExposureEnabled:", "no automatic mode") {
                device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false
            },
            Row("", false, "setFaceDrivenAutoExposureEnabled:", "no automatic mode") {
                device.isFaceDrivenAutoExposureEnabled = false
            },
            Row(
                "isVideoHDRSupported", device.activeFormat.isVideoHDRSupported, .generic, "setVideoHDREnabled:",
                "isVideoHDRSupported"
            ) { device.isVideoHDREnabled = true },
            Row("", false, "setActiveColorSpace:", "color space HLG_BT2020") {
                device.activeColorSpace = .HLG_BT2020
            },
        ]
        // Each value is misuse, also that of a device without the feature.
        for isEnabled in [true, false] {
            rows += [
                Row(
                    "isSmoothAutoFocusSupported", device.isSmoothAutoFocusSupported, "setSmoothAutoFocusEnabled:",
                    "smooth autofocus"
                ) { device.isSmoothAutoFocusEnabled = isEnabled },
                Row(
                    "isLowLightBoostSupported", device.isLowLightBoostSupported,
                    "setAutomaticallyEnablesLowLightBoostWhenAvailable:", "low-light boost"
                ) { device.automaticallyEnablesLowLightBoostWhenAvailable = isEnabled },
            ]
        }
        rows += restrictions.map { restriction in
            Row(
                "isAutoFocusRangeRestrictionSupported", device.isAutoFocusRangeRestrictionSupported,
                "setAutoFocusRangeRestriction:", "autofocus range restriction \(restriction)"
            ) { device.autoFocusRangeRestriction = restriction }
        }
        return rows
    }

    /// The features that no device has.
    private func missingFeatureRows(_ device: AVCaptureDevice) -> [Row] {
        let rect = CGRect(x: 0, y: 0, width: 1, height: 1)
        let source = AVCaptureDevice.InputSource(id: "1", localizedName: "HDMI")
        let format = device.activeFormat
        var rows = [
            Row(
                "isGlobalToneMappingSupported", format.isGlobalToneMappingSupported, .generic,
                "setGlobalToneMappingEnabled:", "isGlobalToneMappingSupported"
            ) { device.isGlobalToneMappingEnabled = true },
            Row(
                "isGeometricDistortionCorrectionSupported", device.isGeometricDistortionCorrectionSupported,
                "setGeometricDistortionCorrectionEnabled:", "geometric distortion correction"
            ) { device.isGeometricDistortionCorrectionEnabled = true },
            Row(
                "isCenterStageRectOfInterestSupported", device.isCenterStageRectOfInterestSupported,
                "setCenterStageRectOfInterest:", "a rectangle of interest"
            ) { device.centerStageRectOfInterest = rect },
            Row(
                "isFocusRectOfInterestSupported", device.isFocusRectOfInterestSupported, "setFocusRectOfInterest:",
                "a rectangle of interest"
            ) { device.focusRectOfInterest = rect },
            Row(
                "isExposureRectOfInterestSupported", device.isExposureRectOfInterestSupported,
                "setExposureRectOfInterest:", "a rectangle of interest"
            ) { device.exposureRectOfInterest = rect },
            Row(
                "isContinuousAutoFocusTrackingSupported", format.isContinuousAutoFocusTrackingSupported,
                "setContinuousAutoFocusTrackingEnabled:", "autofocus tracking"
            ) { device.isContinuousAutoFocusTrackingEnabled = true },
            Row("", false, "setContinuousAutoFocusTrackingLensPositionBias:", "0.5") {
                device.continuousAutoFocusTrackingLensPositionBias = 0.5
            },
            Row("", false, "setEnabledExposureSignals:", "AVCaptureDeviceExposureSignalFlicker") {
                device.enabledExposureSignals = [.flicker]
            },
            Row("", false, "setActiveInputSource:", "HDMI") { device.activeInputSource = source },
            Row("", device.transportControlsSupported, "setTransportControlsPlaybackMode:speed:", "transport") {
                device.setTransportControlsPlaybackMode(.playing, speed: 1)
            },
            Row("", false, "setDynamicAspectRatio:completionHandler:", "AVCaptureAspectRatio1x1") {
                device.setDynamicAspectRatio(.ratio1x1, completionHandler: nil)
            },
            Row(
                "isCinematicVideoCaptureSupported", format.isCinematicVideoCaptureSupported,
                "setCinematicVideoTrackingFocusWithDetectedObjectID:focusMode:", "Cinematic Video"
            ) { device.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .strong) },
            Row(
                "isCinematicVideoCaptureSupported", format.isCinematicVideoCaptureSupported,
                "setCinematicVideoTrackingFocusAtPoint:focusMode:", "Cinematic Video"
            ) { device.setCinematicVideoTrackingFocus(at: .zero, focusMode: .weak) },
            Row(
                "isCinematicVideoCaptureSupported", format.isCinematicVideoCaptureSupported,
                "setCinematicVideoFixedFocusAtPoint:focusMode:", "Cinematic Video"
            ) { device.setCinematicVideoFixedFocus(at: .zero, focusMode: .none) },
        ]
        for isEnabled in [true, false] {
            rows += [
                Row(
                    "isAutoVideoFrameRateSupported", format.isAutoVideoFrameRateSupported,
                    "setAutoVideoFrameRateEnabled:", "auto video frame rate"
                ) { device.isAutoVideoFrameRateEnabled = isEnabled },
                Row(
                    "isCameraLensSmudgeDetectionSupported", format.isCameraLensSmudgeDetectionSupported,
                    "setCameraLensSmudgeDetectionEnabled:detectionInterval:", "lens smudge detection"
                ) { device.setCameraLensSmudgeDetectionEnabled(isEnabled, detectionInterval: .invalid) },
            ]
        }
        return rows
    }

    private func inputRows(_ input: AVCaptureDeviceInput) -> [Row] {
        let duration = CMTime(value: 1, timescale: 30)
        let syncDevice = AVExternalSyncDevice(uuid: UUID(), vendorID: 0, productID: 0)
        var rows = [
            Row(
                "isWindNoiseRemovalSupported", input.isWindNoiseRemovalSupported, "setWindNoiseRemovalEnabled:",
                "wind noise removal"
            ) { input.isWindNoiseRemovalEnabled = true },
            Row("isAudioZoomSupported", input.isAudioZoomSupported, "setAudioZoomEnabled:", "audio zoom") {
                input.isAudioZoomEnabled = true
            },
            Row(
                "isCinematicVideoCaptureSupported", input.isCinematicVideoCaptureSupported,
                "setCinematicVideoCaptureEnabled:", "Cinematic Video"
            ) { input.isCinematicVideoCaptureEnabled = true },
            Row("", false, "setSimulatedAperture:", "the aperture 2.0") { input.simulatedAperture = 2 },
            Row(
                "isExternalSyncSupported", input.isExternalSyncSupported,
                "followExternalSyncDevice:videoFrameDuration:delegate:", "external sync"
            ) { input.follow(syncDevice, videoFrameDuration: duration, delegate: nil) },
        ]
        rows += [AVCaptureMultichannelAudioMode.stereo, .firstOrderAmbisonics].map { mode in
            Row(
                "isMultichannelAudioModeSupported", input.isMultichannelAudioModeSupported(mode),
                "setMultichannelAudioMode:", "multichannel audio mode \(mode)"
            ) { input.multichannelAudioMode = mode }
        }
        rows += [duration, .invalid].map { duration in
            Row(
                "isLockedVideoFrameDurationSupported", input.isLockedVideoFrameDurationSupported,
                "setActiveLockedVideoFrameDuration:", "a locked frame duration"
            ) { input.activeLockedVideoFrameDuration = duration }
        }
        return rows
    }

    /// The settings of a connection that carries no video, or whose camera and output lack the feature.
    private func connectionRows(audio: AVCaptureConnection, video: AVCaptureConnection) -> [Row] {
        let noVideo = "the connection carries no video"
        return [
            Row(
                "isVideoRotationAngleSupported", audio.isVideoRotationAngleSupported(90), "setVideoRotationAngle:",
                noVideo
            ) { audio.videoRotationAngle = 90 },
            Row(
                "isVideoRotationAngleSupported", video.isVideoRotationAngleSupported(45), "setVideoRotationAngle:",
                "45.0 is not 0, 90, 180 or 270 degrees"
            ) { video.videoRotationAngle = 45 },
            Row("isVideoOrientationSupported", audio.isVideoOrientationSupported, "setVideoOrientation:", noVideo) {
                audio.videoOrientation = .portrait
            },
            Row("isVideoMirroringSupported", audio.isVideoMirroringSupported, "setVideoMirrored:", noVideo) {
                audio.isVideoMirrored = true
            },
            Row(
                "isCameraIntrinsicMatrixDeliverySupported", audio.isCameraIntrinsicMatrixDeliverySupported,
                "setCameraIntrinsicMatrixDeliveryEnabled:", "isCameraIntrinsicMatrixDeliverySupported"
            ) { audio.isCameraIntrinsicMatrixDeliveryEnabled = true },
            Row("isVideoFieldModeSupported", video.isVideoFieldModeSupported, "setVideoFieldMode:", "field mode") {
                video.videoFieldMode = .deinterlace
            },
            Row("", false, .range, "setVideoScaleAndCropFactor:", "2.0") { video.videoScaleAndCropFactor = 2 },
        ]
    }

    @available(*, deprecated)
    private func deprecatedConnectionRows(audio: AVCaptureConnection, video: AVCaptureConnection) -> [Row] {
        let duration = CMTime(value: 1, timescale: 15)
        var rows = [
            Row(
                "isVideoMinFrameDurationSupported", audio.isVideoMinFrameDurationSupported, "setVideoMinFrameDuration:",
                "video data output"
            ) { audio.videoMinFrameDuration = duration },
            Row(
                "isVideoMaxFrameDurationSupported", video.isVideoMaxFrameDurationSupported, "setVideoMaxFrameDuration:",
                "isVideoMaxFrameDurationSupported"
            ) { video.videoMaxFrameDuration = duration },
        ]
        rows += [true, false].map { isEnabled in
            Row(
                "isVideoStabilizationSupported", video.isVideoStabilizationSupported,
                "setEnablesVideoStabilizationWhenAvailable:", "video stabilization"
            ) { video.enablesVideoStabilizationWhenAvailable = isEnabled }
        }
        return rows
    }

    private func photoRows(_ output: AVCapturePhotoOutput) -> [Row] {
        typealias Flag = ReferenceWritableKeyPath<AVCapturePhotoOutput, Bool>
        let features: [(String, KeyPath<AVCapturePhotoOutput, Bool>, Flag, String, String)] = [
            (
                "isAppleProRAWSupported", \.isAppleProRAWSupported, \.isAppleProRAWEnabled, "setAppleProRAWEnabled:",
                "Apple ProRAW"
            ),
            (
                "isLivePhotoCaptureSupported", \.isLivePhotoCaptureSupported, \.isLivePhotoCaptureEnabled,
                "setLivePhotoCaptureEnabled:", "Live Photo capture"
            ),
            (
                "isLivePhotoCaptureSupported", \.isLivePhotoCaptureSupported, \.isLivePhotoCaptureSuspended,
                "setLivePhotoCaptureSuspended:", "Live Photo capture"
            ),
            (
                "isResponsiveCaptureSupported", \.isResponsiveCaptureSupported, \.isResponsiveCaptureEnabled,
                "setResponsiveCaptureEnabled:", "Responsive capture"
            ),
            (
                "isFastCapturePrioritizationSupported", \.isFastCapturePrioritizationSupported,
                \.isFastCapturePrioritizationEnabled, "setFastCapturePrioritizationEnabled:",
                "Fast capture prioritization"
            ),
            (
                "isAutoDeferredPhotoDeliverySupported", \.isAutoDeferredPhotoDeliverySupported,
                \.isAutoDeferredPhotoDeliveryEnabled, "setAutoDeferredPhotoDeliveryEnabled:", "Deferred photo delivery"
            ),
            (
                "isVirtualDeviceConstituentPhotoDeliverySupported", \.isVirtualDeviceConstituentPhotoDeliverySupported,
                \.isVirtualDeviceConstituentPhotoDeliveryEnabled, "setVirtualDeviceConstituentPhotoDeliveryEnabled:",
                "Virtual device constituent photo delivery"
            ),
            (
                "isDualCameraDualPhotoDeliverySupported", \.isDualCameraDualPhotoDeliverySupported,
                \.isDualCameraDualPhotoDeliveryEnabled, "setDualCameraDualPhotoDeliveryEnabled:", "Dual photo delivery"
            ),
            (
                "isContentAwareDistortionCorrectionSupported", \.isContentAwareDistortionCorrectionSupported,
                \.isContentAwareDistortionCorrectionEnabled, "setContentAwareDistortionCorrectionEnabled:",
                "Content aware distortion correction"
            ),
            (
                "isConstantColorSupported", \.isConstantColorSupported, \.isConstantColorEnabled,
                "setConstantColorEnabled:", "Constant color"
            ),
            (
                "isCameraSensorOrientationCompensationSupported", \.isCameraSensorOrientationCompensationSupported,
                \.isCameraSensorOrientationCompensationEnabled, "setCameraSensorOrientationCompensationEnabled:",
                "Camera sensor orientation compensation"
            ),
            (
                "isPortraitEffectsMatteDeliverySupported", \.isPortraitEffectsMatteDeliverySupported,
                \.isPortraitEffectsMatteDeliveryEnabled, "setPortraitEffectsMatteDeliveryEnabled:",
                "Portrait effects matte delivery"
            ),
            (
                "isDepthDataDeliverySupported", \.isDepthDataDeliverySupported, \.isDepthDataDeliveryEnabled,
                "setDepthDataDeliveryEnabled:", "Depth data delivery"
            ),
        ]
        var rows = features.map { query, isSupported, isEnabled, method, text in
            Row(query, output[keyPath: isSupported], method, "\(text) is not supported") {
                output[keyPath: isEnabled] = true
            }
        }
        rows.append(
            Row("", false, "setEnabledSemanticSegmentationMatteTypes:", "Semantic segmentation matte delivery") {
                output.enabledSemanticSegmentationMatteTypes = [.hair]
            })
        // Without a camera, there are no frames from before a request.
        let unconnected = output.system.run { AVCapturePhotoOutput() }
        rows.append(
            Row(
                "isZeroShutterLagSupported", unconnected.isZeroShutterLagSupported, "setZeroShutterLagEnabled:",
                "Zero shutter lag is not supported"
            ) { unconnected.isZeroShutterLagEnabled = true })
        return rows
    }

    private func stillImageRows(_ output: AVCaptureStillImageOutput) -> [Row] {
        var rows: [Row] = []
        for isEnabled in [true, false] {
            rows += [
                Row(
                    "isStillImageStabilizationSupported", output.isStillImageStabilizationSupported,
                    "setAutomaticallyEnablesStillImageStabilizationWhenAvailable:", "Still image stabilization"
                ) { output.automaticallyEnablesStillImageStabilizationWhenAvailable = isEnabled },
                Row(
                    "isLensStabilizationDuringBracketedCaptureSupported",
                    output.isLensStabilizationDuringBracketedCaptureSupported,
                    "setLensStabilizationDuringBracketedCaptureEnabled:", "Lens stabilization"
                ) { output.isLensStabilizationDuringBracketedCaptureEnabled = isEnabled },
            ]
        }
        rows.append(
            Row(
                "isCameraSensorOrientationCompensationSupported", output.isCameraSensorOrientationCompensationSupported,
                "setCameraSensorOrientationCompensationEnabled:", "Camera sensor orientation compensation"
            ) { output.isCameraSensorOrientationCompensationEnabled = true })
        return rows
    }

    private func movieRows(_ output: AVCaptureMovieFileOutput) -> [Row] {
        [
            Row(
                "isSpatialVideoCaptureSupported", output.isSpatialVideoCaptureSupported,
                "setSpatialVideoCaptureEnabled:", "spatial video is not supported"
            ) { output.isSpatialVideoCaptureEnabled = true }
        ]
    }

    // MARK: Tests

    /// A session of a webcam and its microphone, and a camera without controls.
    private struct Machine {
        let webcam: CaptureFixture
        let bare: CaptureFixture
        let camera: AVCaptureDevice
        let microphone: AVCaptureDevice
        let input: AVCaptureDeviceInput
        let session: AVCaptureSession
        let frames: AVCaptureVideoDataOutput
        let sound: AVCaptureAudioDataOutput
        let photo: AVCapturePhotoOutput
        let movie: AVCaptureMovieFileOutput
        let stillImage: AVCaptureStillImageOutput
    }

    private func makeMachine() throws -> Machine {
        let webcam = try CaptureFixture()
        let bare = try CaptureFixture { clock in [FakeHost(try FakeCameraDevice(clock: clock))] }
        return try webcam.inSystem {
            let outputs = (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput(), AVCapturePhotoOutput())
            return Machine(
                webcam: webcam, bare: bare, camera: try bare.device("fake.camera"),
                microphone: try webcam.device(CaptureFixture.microphone),
                input: try webcam.input(CaptureFixture.microphone),
                session: try webcam.makeSession([outputs.0, outputs.1, outputs.2]), frames: outputs.0,
                sound: outputs.1, photo: outputs.2, movie: AVCaptureMovieFileOutput(),
                stillImage: AVCaptureStillImageOutput())
        }
    }

    private func connections(_ machine: Machine) throws -> (audio: AVCaptureConnection, video: AVCaptureConnection) {
        (
            try XCTUnwrap(machine.sound.connection(with: .audio)),
            try XCTUnwrap(machine.frames.connection(with: .video))
        )
    }

    func testUsingAnUnsupportedFeatureOfADeviceIsMisuse() throws {
        let machine = try makeMachine()
        for (device, fixture) in [(machine.camera, machine.bare), (machine.microphone, machine.webcam)] {
            try checkLocked(modeRows(device), device, fixture)
            try checkLocked(controlRows(device), device, fixture)
            try checkLocked(missingFeatureRows(device), device, fixture)
            fixture.assertMisuse(.invalidArgument) { device.performEffect(for: .heart) }
        }
        let phone = try CaptureFixture(profile: "phone")
        let device = try phone.device("phone.back-wide")
        try checkLocked(missingFeatureRows(device), device, phone)
    }

    @available(*, deprecated)
    func testUsingAnUnsupportedFeatureOfASessionsPartsIsMisuse() throws {
        let machine = try makeMachine()
        try check(inputRows(machine.input), "AVCaptureDeviceInput", machine.webcam)
        let (audio, video) = try connections(machine)
        try check(
            connectionRows(audio: audio, video: video) + deprecatedConnectionRows(audio: audio, video: video),
            "AVCaptureConnection", machine.webcam)
        try check(photoRows(machine.photo), "AVCapturePhotoOutput", machine.webcam)
        try check(movieRows(machine.movie), "AVCaptureMovieFileOutput", machine.webcam)
        try check(stillImageRows(machine.stillImage), "AVCaptureStillImageOutput", machine.webcam)
    }

    func testDisablingAFeatureThatIsNotSupportedIsNoMisuse() throws {
        let machine = try makeMachine()
        try machine.camera.lockForConfiguration()
        machine.camera.automaticallyAdjustsVideoHDREnabled = false
        machine.camera.isVideoHDREnabled = false
        machine.camera.isGlobalToneMappingEnabled = false
        machine.camera.isGeometricDistortionCorrectionEnabled = false
        machine.camera.unlockForConfiguration()
        machine.bare.assertNoMisuse()
        machine.input.multichannelAudioMode = .none
        machine.input.isWindNoiseRemovalEnabled = false
        machine.input.isAudioZoomEnabled = false
        machine.input.isCinematicVideoCaptureEnabled = false
        let (audio, video) = try connections(machine)
        audio.isCameraIntrinsicMatrixDeliveryEnabled = false
        // The header of the preferred mode names no exception: the active mode is off.
        video.preferredVideoStabilizationMode = .cinematic
        XCTAssertEqual(video.activeVideoStabilizationMode, .off)
        machine.photo.isLivePhotoCaptureEnabled = false
        machine.photo.isDepthDataDeliveryEnabled = false
        machine.movie.isSpatialVideoCaptureEnabled = false
        machine.webcam.assertNoMisuse()
    }

    /// The members `is…Supported` of features that cannot be set here.
    private static let readOnlyFeatures: [String: String] = [
        "isMultiCamSupported": "formats and sessions; see AVCaptureMultiCamSessionTests",
        "isManualDeferredStartSupported": "always true", "isDeferredStartSupported": "always true",
        "isMultitaskingCameraAccessSupported": "always true",
        "isVideoStabilizationModeSupported": "an unsupported preferred mode is off",
        "isHighestPhotoQualitySupported": "a property of the format",
        "isHighPhotoQualitySupported": "a property of the format",
        "isPortraitEffectsMatteStillImageDeliverySupported": "a property of the format",
        "isSmartFramingSupported": "there is no monitor", "isCenterStageSupported": "enabled for all cameras",
        "isPortraitEffectSupported": "the user enables it", "isStudioLightSupported": "the user enables it",
        "isEdgeLightSupported": "the user enables it", "isBackgroundReplacementSupported": "the user enables it",
        "isSignalCompensationDelaySupported": "there is no device",
        "isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported": "see AVCaptureDeviceVirtualTests",
        "isCinematicVideoMetadataCaptureSupported": "see UnsupportedFeaturesTests",
        "isLowLightVideoNoiseReductionSupported": "see UnsupportedFeaturesTests",
        "isMatchingFrameRateSupported": "see UnsupportedFeaturesTests", "isProVideoStorageSupported": "as the previous",
        "isBypassingColorSpaceConversionSupported": "see UnsupportedFeaturesTests",
        "isPreferredResolutionSupported": "see UnsupportedFeaturesTests",
        "isOrientationSupported": "a deprecated name of the connection's",
        "isMirroringSupported": "a deprecated name of the connection's",
        "isVirtualDeviceFusionSupported": "a setting of photos", "isDualCameraFusionSupported": "a setting of photos",
        "isCameraCalibrationDataDeliverySupported": "a setting of photos",
        "isAutoRedEyeReductionSupported": "a setting of photos",
        "isShutterSoundSuppressionSupported": "a setting of photos",
    ]

    @available(*, deprecated)
    func testTheTableContainsAllMembersThatReportSupport() throws {
        let machine = try makeMachine()
        let (audio, video) = try connections(machine)
        let rows: [Row] = [
            modeRows(machine.camera), controlRows(machine.camera), missingFeatureRows(machine.camera),
            inputRows(machine.input), connectionRows(audio: audio, video: video),
            deprecatedConnectionRows(audio: audio, video: video), photoRows(machine.photo), movieRows(machine.movie),
            stillImageRows(machine.stillImage),
        ].flatMap { $0 }
        let listed = Set(rows.map(\.query)).subtracting([""]).union(Self.readOnlyFeatures.keys)
        var declared: Set<String> = []
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        for module in ["CaptureCore", "CapturePreview"] {
            let sources = root.appendingPathComponent("Sources/\(module)")
            let files = try XCTUnwrap(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /public (?:final |class )*(?:var|func) (is\w+Supported)\b/) {
                    declared.insert(String(match.1))
                }
            }
        }
        XCTAssertEqual(declared.subtracting(listed).sorted(), [], "add them to the table")
        XCTAssertEqual(listed.subtracting(declared).sorted(), [], "remove them from the table")
    }
}
