import KeyValueObserving

extension KeyPathTable {
    static let outputs: [KeyPathTable] = [
        KeyPathTable(
            AVCaptureOutput.self,
            [
                "connections": value(\AVCaptureOutput.connections),
                "deferredStartEnabled": value(\AVCaptureOutput.isDeferredStartEnabled),
            ]),
        KeyPathTable(
            AVCapturePhotoOutput.self,
            [
                "appleProRAWEnabled": value(\AVCapturePhotoOutput.isAppleProRAWEnabled),
                "appleProRAWSupported": value(\AVCapturePhotoOutput.isAppleProRAWSupported),
                "autoDeferredPhotoDeliveryEnabled": value(\AVCapturePhotoOutput.isAutoDeferredPhotoDeliveryEnabled),
                "autoDeferredPhotoDeliverySupported": value(\AVCapturePhotoOutput.isAutoDeferredPhotoDeliverySupported),
                "autoRedEyeReductionSupported": value(\AVCapturePhotoOutput.isAutoRedEyeReductionSupported),
                "availableLivePhotoVideoCodecTypes": value(\AVCapturePhotoOutput.availableLivePhotoVideoCodecTypes),
                "availablePhotoCodecTypes": value(\AVCapturePhotoOutput.availablePhotoCodecTypes),
                "availablePhotoFileTypes": value(\AVCapturePhotoOutput.availablePhotoFileTypes),
                "availablePhotoPixelFormatTypes": value(\AVCapturePhotoOutput.availablePhotoPixelFormatTypes),
                "availableRawPhotoFileTypes": value(\AVCapturePhotoOutput.availableRawPhotoFileTypes),
                "availableRawPhotoPixelFormatTypes": value(\AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes),
                "availableSemanticSegmentationMatteTypes": value(
                    \AVCapturePhotoOutput.availableSemanticSegmentationMatteTypes),
                "cameraCalibrationDataDeliverySupported": value(
                    \AVCapturePhotoOutput.isCameraCalibrationDataDeliverySupported),
                "cameraSensorOrientationCompensationEnabled": value(
                    \AVCapturePhotoOutput.isCameraSensorOrientationCompensationEnabled),
                "captureReadiness": value(\AVCapturePhotoOutput.captureReadiness),
                "constantColorEnabled": value(\AVCapturePhotoOutput.isConstantColorEnabled),
                "constantColorSupported": value(\AVCapturePhotoOutput.isConstantColorSupported),
                "contentAwareDistortionCorrectionEnabled": value(
                    \AVCapturePhotoOutput.isContentAwareDistortionCorrectionEnabled),
                "contentAwareDistortionCorrectionSupported": value(
                    \AVCapturePhotoOutput.isContentAwareDistortionCorrectionSupported),
                "depthDataDeliveryEnabled": value(\AVCapturePhotoOutput.isDepthDataDeliveryEnabled),
                "depthDataDeliverySupported": value(\AVCapturePhotoOutput.isDepthDataDeliverySupported),
                "dualCameraDualPhotoDeliveryEnabled": value(\AVCapturePhotoOutput.isDualCameraDualPhotoDeliveryEnabled),
                "dualCameraDualPhotoDeliverySupported": value(
                    \AVCapturePhotoOutput.isDualCameraDualPhotoDeliverySupported),
                "dualCameraFusionSupported": value(\AVCapturePhotoOutput.isDualCameraFusionSupported),
                "enabledSemanticSegmentationMatteTypes": value(
                    \AVCapturePhotoOutput.enabledSemanticSegmentationMatteTypes),
                "fastCapturePrioritizationEnabled": value(\AVCapturePhotoOutput.isFastCapturePrioritizationEnabled),
                "fastCapturePrioritizationSupported": value(\AVCapturePhotoOutput.isFastCapturePrioritizationSupported),
                "flashScene": value(\AVCapturePhotoOutput.isFlashScene),
                "highResolutionCaptureEnabled": value(\AVCapturePhotoOutput.isHighResolutionCaptureEnabled),
                "lensStabilizationDuringBracketedCaptureSupported": value(
                    \AVCapturePhotoOutput.isLensStabilizationDuringBracketedCaptureSupported),
                "livePhotoAutoTrimmingEnabled": value(\AVCapturePhotoOutput.isLivePhotoAutoTrimmingEnabled),
                "livePhotoCaptureEnabled": value(\AVCapturePhotoOutput.isLivePhotoCaptureEnabled),
                "livePhotoCaptureSupported": value(\AVCapturePhotoOutput.isLivePhotoCaptureSupported),
                "livePhotoCaptureSuspended": value(\AVCapturePhotoOutput.isLivePhotoCaptureSuspended),
                "maxBracketedCapturePhotoCount": value(\AVCapturePhotoOutput.maxBracketedCapturePhotoCount),
                "maxPhotoDimensions": value(\AVCapturePhotoOutput.maxPhotoDimensions),
                "maxPhotoQualityPrioritization": value(\AVCapturePhotoOutput.maxPhotoQualityPrioritization),
                "photoSettingsForSceneMonitoring": value(\AVCapturePhotoOutput.photoSettingsForSceneMonitoring),
                "portraitEffectsMatteDeliveryEnabled": value(
                    \AVCapturePhotoOutput.isPortraitEffectsMatteDeliveryEnabled),
                "portraitEffectsMatteDeliverySupported": value(
                    \AVCapturePhotoOutput.isPortraitEffectsMatteDeliverySupported),
                "preservesLivePhotoCaptureSuspendedOnSessionStop": value(
                    \AVCapturePhotoOutput.preservesLivePhotoCaptureSuspendedOnSessionStop),
                "responsiveCaptureEnabled": value(\AVCapturePhotoOutput.isResponsiveCaptureEnabled),
                "responsiveCaptureSupported": value(\AVCapturePhotoOutput.isResponsiveCaptureSupported),
                "stillImageStabilizationScene": value(\AVCapturePhotoOutput.isStillImageStabilizationScene),
                "stillImageStabilizationSupported": value(\AVCapturePhotoOutput.isStillImageStabilizationSupported),
                "supportedFlashModes": value(\AVCapturePhotoOutput.supportedFlashModes),
                "virtualDeviceConstituentPhotoDeliveryEnabled": value(
                    \AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliveryEnabled),
                "virtualDeviceConstituentPhotoDeliverySupported": value(
                    \AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliverySupported),
                "virtualDeviceFusionSupported": value(\AVCapturePhotoOutput.isVirtualDeviceFusionSupported),
                "zeroShutterLagEnabled": value(\AVCapturePhotoOutput.isZeroShutterLagEnabled),
                "zeroShutterLagSupported": value(\AVCapturePhotoOutput.isZeroShutterLagSupported),
            ]),
        KeyPathTable(
            AVCapturePhotoOutputReadinessCoordinator.self,
            [
                "captureReadiness": value(\AVCapturePhotoOutputReadinessCoordinator.captureReadiness)
            ]),
        KeyPathTable(
            AVCaptureStillImageOutput.self,
            [
                "automaticallyEnablesStillImageStabilizationWhenAvailable": value(
                    \AVCaptureStillImageOutput.automaticallyEnablesStillImageStabilizationWhenAvailable),
                "cameraSensorOrientationCompensationEnabled": value(
                    \AVCaptureStillImageOutput.isCameraSensorOrientationCompensationEnabled),
                "capturingStillImage": value(\AVCaptureStillImageOutput.isCapturingStillImage),
                "highResolutionStillImageOutputEnabled": value(
                    \AVCaptureStillImageOutput.isHighResolutionStillImageOutputEnabled),
                "lensStabilizationDuringBracketedCaptureEnabled": value(
                    \AVCaptureStillImageOutput.isLensStabilizationDuringBracketedCaptureEnabled),
                "lensStabilizationDuringBracketedCaptureSupported": value(
                    \AVCaptureStillImageOutput.isLensStabilizationDuringBracketedCaptureSupported),
                "maxBracketedCaptureStillImageCount": value(
                    \AVCaptureStillImageOutput.maxBracketedCaptureStillImageCount),
                "outputSettings": value(\AVCaptureStillImageOutput.outputSettings),
                "stillImageStabilizationActive": value(\AVCaptureStillImageOutput.isStillImageStabilizationActive),
            ]),
        KeyPathTable(
            AVCaptureVideoDataOutput.self,
            [
                "alwaysDiscardsLateVideoFrames": value(\AVCaptureVideoDataOutput.alwaysDiscardsLateVideoFrames),
                "automaticallyConfiguresOutputBufferDimensions": value(
                    \AVCaptureVideoDataOutput.automaticallyConfiguresOutputBufferDimensions),
                "deliversPreviewSizedOutputBuffers": value(\AVCaptureVideoDataOutput.deliversPreviewSizedOutputBuffers),
                "preparesCellularRadioForNetworkConnection": value(
                    \AVCaptureVideoDataOutput.preparesCellularRadioForNetworkConnection),
                "preservesDynamicHDRMetadata": value(\AVCaptureVideoDataOutput.preservesDynamicHDRMetadata),
                "videoSettings": value(\AVCaptureVideoDataOutput.videoSettings),
            ]),
        KeyPathTable(
            AVCaptureAudioDataOutput.self,
            [
                "audioSettings": value(\AVCaptureAudioDataOutput.audioSettings),
                "spatialAudioChannelLayoutTag": value(\AVCaptureAudioDataOutput.spatialAudioChannelLayoutTag),
            ]),
        KeyPathTable(
            AVCaptureAudioPreviewOutput.self,
            [
                "outputDeviceUniqueID": value(\AVCaptureAudioPreviewOutput.outputDeviceUniqueID),
                "volume": value(\AVCaptureAudioPreviewOutput.volume),
            ]),
        KeyPathTable(
            AVCaptureDepthDataOutput.self,
            [
                "alwaysDiscardsLateDepthData": value(\AVCaptureDepthDataOutput.alwaysDiscardsLateDepthData),
                "filteringEnabled": value(\AVCaptureDepthDataOutput.isFilteringEnabled),
            ]),
        KeyPathTable(
            AVCaptureMetadataOutput.self,
            [
                "availableMetadataObjectTypes": value(\AVCaptureMetadataOutput.availableMetadataObjectTypes),
                "metadataObjectTypes": value(\AVCaptureMetadataOutput.metadataObjectTypes),
                "rectOfInterest": value(\AVCaptureMetadataOutput.rectOfInterest),
            ]),
        KeyPathTable(
            AVCaptureFileOutput.self,
            [
                "delegate": value(\AVCaptureFileOutput.delegate),
                "maxRecordedDuration": value(\AVCaptureFileOutput.maxRecordedDuration),
                "maxRecordedFileSize": value(\AVCaptureFileOutput.maxRecordedFileSize),
                "minFreeDiskSpaceLimit": value(\AVCaptureFileOutput.minFreeDiskSpaceLimit),
                "outputFileURL": value(\AVCaptureFileOutput.outputFileURL),
                "recordedDuration": value(\AVCaptureFileOutput.recordedDuration),
                "recordedFileSize": value(\AVCaptureFileOutput.recordedFileSize),
                "recording": value(\AVCaptureFileOutput.isRecording),
                "recordingPaused": value(\AVCaptureFileOutput.isRecordingPaused),
            ]),
        KeyPathTable(
            AVCaptureMovieFileOutput.self,
            [
                "automaticallyAdjustsCinematicVideoMetadataCaptureEnabled": value(
                    \AVCaptureMovieFileOutput.automaticallyAdjustsCinematicVideoMetadataCaptureEnabled),
                "cinematicVideoMetadataCaptureEnabled": value(
                    \AVCaptureMovieFileOutput.isCinematicVideoMetadataCaptureEnabled),
                "cinematicVideoMetadataCaptureSupported": value(
                    \AVCaptureMovieFileOutput.isCinematicVideoMetadataCaptureSupported),
                "metadata": value(\AVCaptureMovieFileOutput.metadata),
                "movieFragmentInterval": value(\AVCaptureMovieFileOutput.movieFragmentInterval),
                "primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording": value(
                    \AVCaptureMovieFileOutput
                        .primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording),
                "primaryConstituentDeviceSwitchingBehaviorForRecording": value(
                    \AVCaptureMovieFileOutput.primaryConstituentDeviceSwitchingBehaviorForRecording),
                "primaryConstituentDeviceSwitchingBehaviorForRecordingEnabled": value(
                    \AVCaptureMovieFileOutput.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled),
                "proVideoStorageSupported": value(\AVCaptureMovieFileOutput.isProVideoStorageSupported),
                "spatialVideoCaptureEnabled": value(\AVCaptureMovieFileOutput.isSpatialVideoCaptureEnabled),
                "usesProVideoStorage": value(\AVCaptureMovieFileOutput.usesProVideoStorage),
            ]),
        KeyPathTable(
            AVCaptureAudioFileOutput.self,
            [
                "audioSettings": value(\AVCaptureAudioFileOutput.audioSettings),
                "metadata": value(\AVCaptureAudioFileOutput.metadata),
            ]),
    ]
}
