import KeyValueObserving

extension KeyPathTable {
    static let devices: [KeyPathTable] = [
        KeyPathTable(
            AVCaptureDevice.self,
            [
                "ISO": value(\AVCaptureDevice.iso),
                "activeColorSpace": value(\AVCaptureDevice.activeColorSpace),
                "activeDepthDataFormat": value(\AVCaptureDevice.activeDepthDataFormat),
                "activeDepthDataMinFrameDuration": value(\AVCaptureDevice.activeDepthDataMinFrameDuration),
                "activeExposureSignals": value(\AVCaptureDevice.activeExposureSignals),
                "activeFormat": value(\AVCaptureDevice.activeFormat),
                "activeInputSource": value(\AVCaptureDevice.activeInputSource),
                "activeMaxExposureDuration": value(\AVCaptureDevice.activeMaxExposureDuration),
                "activePrimaryConstituent": value(\AVCaptureDevice.activePrimaryConstituent),
                "activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions": value(
                    \AVCaptureDevice.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions),
                "activePrimaryConstituentDeviceSwitchingBehavior": value(
                    \AVCaptureDevice.activePrimaryConstituentDeviceSwitchingBehavior),
                "activeVideoMaxFrameDuration": value(\AVCaptureDevice.activeVideoMaxFrameDuration),
                "activeVideoMinFrameDuration": value(\AVCaptureDevice.activeVideoMinFrameDuration),
                "adjustingExposure": value(\AVCaptureDevice.isAdjustingExposure),
                "adjustingFocus": value(\AVCaptureDevice.isAdjustingFocus),
                "adjustingWhiteBalance": value(\AVCaptureDevice.isAdjustingWhiteBalance),
                "autoExposureLensApertureRateLimit": value(\AVCaptureDevice.autoExposureLensApertureRateLimit),
                "autoFocusRangeRestriction": value(\AVCaptureDevice.autoFocusRangeRestriction),
                "autoVideoFrameRateEnabled": value(\AVCaptureDevice.isAutoVideoFrameRateEnabled),
                "automaticallyAdjustsFaceDrivenAutoExposureEnabled": value(
                    \AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoExposureEnabled),
                "automaticallyAdjustsFaceDrivenAutoFocusEnabled": value(
                    \AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoFocusEnabled),
                "automaticallyAdjustsVideoHDREnabled": value(\AVCaptureDevice.automaticallyAdjustsVideoHDREnabled),
                "automaticallyEnablesExposureSignals": value(\AVCaptureDevice.automaticallyEnablesExposureSignals),
                "automaticallyEnablesLowLightBoostWhenAvailable": value(
                    \AVCaptureDevice.automaticallyEnablesLowLightBoostWhenAvailable),
                "availableReactionTypes": value(\AVCaptureDevice.availableReactionTypes),
                "backgroundReplacementActive": value(\AVCaptureDevice.isBackgroundReplacementActive),
                "cameraLensSmudgeDetectionEnabled": value(\AVCaptureDevice.isCameraLensSmudgeDetectionEnabled),
                "cameraLensSmudgeDetectionInterval": value(\AVCaptureDevice.cameraLensSmudgeDetectionInterval),
                "cameraLensSmudgeDetectionStatus": value(\AVCaptureDevice.cameraLensSmudgeDetectionStatus),
                "canPerformReactionEffects": value(\AVCaptureDevice.canPerformReactionEffects),
                "centerStageActive": value(\AVCaptureDevice.isCenterStageActive),
                "centerStageRectOfInterest": value(\AVCaptureDevice.centerStageRectOfInterest),
                "cinematicVideoCaptureSceneMonitoringStatuses": value(
                    \AVCaptureDevice.cinematicVideoCaptureSceneMonitoringStatuses),
                "connected": value(\AVCaptureDevice.isConnected),
                "continuousAutoFocusTrackingEnabled": value(\AVCaptureDevice.isContinuousAutoFocusTrackingEnabled),
                "continuousAutoFocusTrackingLensPositionBias": value(
                    \AVCaptureDevice.continuousAutoFocusTrackingLensPositionBias),
                "continuousAutoFocusTrackingSubjectAcquired": value(
                    \AVCaptureDevice.isContinuousAutoFocusTrackingSubjectAcquired),
                "deviceType": value(\AVCaptureDevice.deviceType),
                "deviceWhiteBalanceGains": value(\AVCaptureDevice.deviceWhiteBalanceGains),
                "displayVideoZoomFactorMultiplier": value(\AVCaptureDevice.displayVideoZoomFactorMultiplier),
                "dynamicAspectRatio": value(\AVCaptureDevice.dynamicAspectRatio),
                "dynamicDimensions": value(\AVCaptureDevice.dynamicDimensions),
                "enabledExposureSignals": value(\AVCaptureDevice.enabledExposureSignals),
                "exposureDuration": value(\AVCaptureDevice.exposureDuration),
                "exposureMode": value(\AVCaptureDevice.exposureMode),
                "exposurePointOfInterest": value(\AVCaptureDevice.exposurePointOfInterest),
                "exposureRectOfInterest": value(\AVCaptureDevice.exposureRectOfInterest),
                "exposureTargetBias": value(\AVCaptureDevice.exposureTargetBias),
                "exposureTargetOffset": value(\AVCaptureDevice.exposureTargetOffset),
                "faceDrivenAutoExposureEnabled": value(\AVCaptureDevice.isFaceDrivenAutoExposureEnabled),
                "faceDrivenAutoFocusEnabled": value(\AVCaptureDevice.isFaceDrivenAutoFocusEnabled),
                "fallbackPrimaryConstituentDevices": value(\AVCaptureDevice.fallbackPrimaryConstituentDevices),
                "flashActive": value(\AVCaptureDevice.isFlashActive),
                "flashAvailable": value(\AVCaptureDevice.isFlashAvailable),
                "flashMode": value(\AVCaptureDevice.flashMode),
                "focusMode": value(\AVCaptureDevice.focusMode),
                "focusPointOfInterest": value(\AVCaptureDevice.focusPointOfInterest),
                "focusRectOfInterest": value(\AVCaptureDevice.focusRectOfInterest),
                "followingExternalSyncDevice": value(\AVCaptureDevice.isFollowingExternalSyncDevice),
                "formats": value(\AVCaptureDevice.formats),
                "geometricDistortionCorrectionEnabled": value(\AVCaptureDevice.isGeometricDistortionCorrectionEnabled),
                "globalToneMappingEnabled": value(\AVCaptureDevice.isGlobalToneMappingEnabled),
                "hasFlash": value(\AVCaptureDevice.hasFlash),
                "hasTorch": value(\AVCaptureDevice.hasTorch),
                "inUseByAnotherApplication": value(\AVCaptureDevice.isInUseByAnotherApplication),
                "inputSources": value(\AVCaptureDevice.inputSources),
                "lensAperture": value(\AVCaptureDevice.lensAperture),
                "lensPosition": value(\AVCaptureDevice.lensPosition),
                "localizedName": value(\AVCaptureDevice.localizedName),
                "lowLightBoostEnabled": value(\AVCaptureDevice.isLowLightBoostEnabled),
                "maxAvailableVideoZoomFactor": value(\AVCaptureDevice.maxAvailableVideoZoomFactor),
                "minAvailableVideoZoomFactor": value(\AVCaptureDevice.minAvailableVideoZoomFactor),
                "modelID": value(\AVCaptureDevice.modelID),
                "portraitEffectActive": value(\AVCaptureDevice.isPortraitEffectActive),
                "position": value(\AVCaptureDevice.position),
                "primaryConstituentDeviceRestrictedSwitchingBehaviorConditions": value(
                    \AVCaptureDevice.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions),
                "primaryConstituentDeviceSwitchingBehavior": value(
                    \AVCaptureDevice.primaryConstituentDeviceSwitchingBehavior),
                "rampingVideoZoom": value(\AVCaptureDevice.isRampingVideoZoom),
                "reactionEffectsInProgress": value(\AVCaptureDevice.reactionEffectsInProgress),
                "smoothAutoFocusEnabled": value(\AVCaptureDevice.isSmoothAutoFocusEnabled),
                "spatialCaptureDiscomfortReasons": value(\AVCaptureDevice.spatialCaptureDiscomfortReasons),
                "studioLightActive": value(\AVCaptureDevice.isStudioLightActive),
                "subjectAreaChangeMonitoringEnabled": value(\AVCaptureDevice.isSubjectAreaChangeMonitoringEnabled),
                "supportedExposureSignals": value(\AVCaptureDevice.supportedExposureSignals),
                "suspended": value(\AVCaptureDevice.isSuspended),
                "systemPressureState": value(\AVCaptureDevice.systemPressureState),
                "torchActive": value(\AVCaptureDevice.isTorchActive),
                "torchAvailable": value(\AVCaptureDevice.isTorchAvailable),
                "torchLevel": value(\AVCaptureDevice.torchLevel),
                "torchMode": value(\AVCaptureDevice.torchMode),
                "transportControlsPlaybackMode": value(\AVCaptureDevice.transportControlsPlaybackMode),
                "transportControlsSpeed": value(\AVCaptureDevice.transportControlsSpeed),
                "uniqueID": value(\AVCaptureDevice.uniqueID),
                "videoFrameDurationLocked": value(\AVCaptureDevice.isVideoFrameDurationLocked),
                "videoHDREnabled": value(\AVCaptureDevice.isVideoHDREnabled),
                "videoZoomFactor": value(\AVCaptureDevice.videoZoomFactor),
                "whiteBalanceMode": value(\AVCaptureDevice.whiteBalanceMode),
            ]),
        KeyPathTable(
            AVCaptureDevice.SystemPressureState.self,
            [
                "factors": value(\AVCaptureDevice.SystemPressureState.factors),
                "level": value(\AVCaptureDevice.SystemPressureState.level),
            ]),
        KeyPathTable(
            AVCaptureDevice.DiscoverySession.self,
            [
                "devices": value(\AVCaptureDevice.DiscoverySession.devices)
            ]),
        KeyPathTable(
            AVCaptureSmartFramingMonitor.self,
            [
                "enabledFramings": value(\AVCaptureSmartFramingMonitor.enabledFramings),
                "monitoring": value(\AVCaptureSmartFramingMonitor.isMonitoring),
                "recommendedFraming": value(\AVCaptureSmartFramingMonitor.recommendedFraming),
            ]),
        KeyPathTable(
            AVCaptureControl.self,
            [
                "enabled": value(\AVCaptureControl.isEnabled)
            ]),
        KeyPathTable(
            AVCaptureIndexPicker.self,
            [
                "accessibilityIdentifier": value(\AVCaptureIndexPicker.accessibilityIdentifier),
                "selectedIndex": value(\AVCaptureIndexPicker.selectedIndex),
            ]),
        KeyPathTable(
            AVCaptureSlider.self,
            [
                "accessibilityIdentifier": value(\AVCaptureSlider.accessibilityIdentifier),
                "localizedValueFormat": value(\AVCaptureSlider.localizedValueFormat),
                "prominentValues": value(\AVCaptureSlider.prominentValues),
                "value": value(\AVCaptureSlider.value),
            ]),
    ]
}
