import KeyValueObserving

extension KeyPathTable {
    static let session: [KeyPathTable] = [
        KeyPathTable(
            AVCaptureSession.self,
            [
                "automaticallyConfiguresApplicationAudioSession": value(
                    \AVCaptureSession.automaticallyConfiguresApplicationAudioSession),
                "automaticallyConfiguresCaptureDeviceForWideColor": value(
                    \AVCaptureSession.automaticallyConfiguresCaptureDeviceForWideColor),
                "automaticallyRunsDeferredStart": value(\AVCaptureSession.automaticallyRunsDeferredStart),
                "configuresApplicationAudioSessionForBluetoothHighQualityRecording": value(
                    \AVCaptureSession.configuresApplicationAudioSessionForBluetoothHighQualityRecording),
                "configuresApplicationAudioSessionToMixWithOthers": value(
                    \AVCaptureSession.configuresApplicationAudioSessionToMixWithOthers),
                "connections": value(\AVCaptureSession.connections),
                "controls": value(\AVCaptureSession.controls),
                "controlsDelegate": value(\AVCaptureSession.controlsDelegate),
                "controlsDelegateCallbackQueue": value(\AVCaptureSession.controlsDelegateCallbackQueue),
                "deferredStartDelegate": value(\AVCaptureSession.deferredStartDelegate),
                "deferredStartDelegateCallbackQueue": value(\AVCaptureSession.deferredStartDelegateCallbackQueue),
                "hardwareCost": value(\AVCaptureSession.hardwareCost),
                "inputs": value(\AVCaptureSession.inputs),
                "interrupted": value(\AVCaptureSession.isInterrupted),
                "multitaskingCameraAccessEnabled": value(\AVCaptureSession.isMultitaskingCameraAccessEnabled),
                "multitaskingCameraAccessSupported": value(\AVCaptureSession.isMultitaskingCameraAccessSupported),
                "outputs": value(\AVCaptureSession.outputs),
                "running": value(\AVCaptureSession.isRunning),
                "sessionPreset": value(\AVCaptureSession.sessionPreset),
                "synchronizationClock": value(\AVCaptureSession.synchronizationClock),
                "usesApplicationAudioSession": value(\AVCaptureSession.usesApplicationAudioSession),
            ]),
        KeyPathTable(
            AVCaptureMultiCamSession.self,
            [
                "hardwareCost": value(\AVCaptureMultiCamSession.hardwareCost),
                "systemPressureCost": value(\AVCaptureMultiCamSession.systemPressureCost),
            ]),
        KeyPathTable(
            AVCaptureConnection.self,
            [
                "active": value(\AVCaptureConnection.isActive),
                "activeVideoStabilizationMode": value(\AVCaptureConnection.activeVideoStabilizationMode),
                "automaticallyAdjustsVideoMirroring": value(\AVCaptureConnection.automaticallyAdjustsVideoMirroring),
                "automaticallyEnablesLowLightVideoNoiseReduction": value(
                    \AVCaptureConnection.automaticallyEnablesLowLightVideoNoiseReduction),
                "cameraIntrinsicMatrixDeliveryEnabled": value(
                    \AVCaptureConnection.isCameraIntrinsicMatrixDeliveryEnabled),
                "enabled": value(\AVCaptureConnection.isEnabled),
                "inputPorts": value(\AVCaptureConnection.inputPorts),
                "lowLightVideoNoiseReductionEnabled": value(\AVCaptureConnection.isLowLightVideoNoiseReductionEnabled),
                "lowLightVideoNoiseReductionSupported": value(
                    \AVCaptureConnection.isLowLightVideoNoiseReductionSupported),
                "output": value(\AVCaptureConnection.output),
                "preferredVideoStabilizationMode": value(\AVCaptureConnection.preferredVideoStabilizationMode),
                "videoFieldMode": value(\AVCaptureConnection.videoFieldMode),
                "videoMirrored": value(\AVCaptureConnection.isVideoMirrored),
                "videoOrientation": value(\AVCaptureConnection.videoOrientation),
                "videoRotationAngle": value(\AVCaptureConnection.videoRotationAngle),
                "videoScaleAndCropFactor": value(\AVCaptureConnection.videoScaleAndCropFactor),
            ]),
        KeyPathTable(
            AVCaptureInput.self,
            [
                "ports": value(\AVCaptureInput.ports)
            ]),
        KeyPathTable(
            AVCaptureDeviceInput.self,
            [
                "activeExternalSyncVideoFrameDuration": value(
                    \AVCaptureDeviceInput.activeExternalSyncVideoFrameDuration),
                "activeLockedVideoFrameDuration": value(\AVCaptureDeviceInput.activeLockedVideoFrameDuration),
                "audioZoomEnabled": value(\AVCaptureDeviceInput.isAudioZoomEnabled),
                "cinematicVideoCaptureEnabled": value(\AVCaptureDeviceInput.isCinematicVideoCaptureEnabled),
                "cinematicVideoCaptureSupported": value(\AVCaptureDeviceInput.isCinematicVideoCaptureSupported),
                "device": value(\AVCaptureDeviceInput.device),
                "multichannelAudioMode": value(\AVCaptureDeviceInput.multichannelAudioMode),
                "simulatedAperture": value(\AVCaptureDeviceInput.simulatedAperture),
                "unifiedAutoExposureDefaultsEnabled": value(\AVCaptureDeviceInput.unifiedAutoExposureDefaultsEnabled),
                "videoMinFrameDurationOverride": value(\AVCaptureDeviceInput.videoMinFrameDurationOverride),
                "windNoiseRemovalEnabled": value(\AVCaptureDeviceInput.isWindNoiseRemovalEnabled),
            ]),
        KeyPathTable(
            AVCaptureInput.Port.self,
            [
                "enabled": value(\AVCaptureInput.Port.isEnabled),
                "formatDescription": value(\AVCaptureInput.Port.formatDescription),
                "input": value(\AVCaptureInput.Port.input),
                "mediaType": value(\AVCaptureInput.Port.mediaType),
            ]),
        KeyPathTable(
            AVCaptureScreenInput.self,
            [
                "capturesCursor": value(\AVCaptureScreenInput.capturesCursor),
                "capturesMouseClicks": value(\AVCaptureScreenInput.capturesMouseClicks),
                "cropRect": value(\AVCaptureScreenInput.cropRect),
                "minFrameDuration": value(\AVCaptureScreenInput.minFrameDuration),
                "scaleFactor": value(\AVCaptureScreenInput.scaleFactor),
            ]),
        KeyPathTable(
            AVCaptureTimecodeGenerator.self,
            [
                "availableSources": value(\AVCaptureTimecodeGenerator.availableSources),
                "currentSource": value(\AVCaptureTimecodeGenerator.currentSource),
                "delegate": value(\AVCaptureTimecodeGenerator.delegate),
                "delegateCallbackQueue": value(\AVCaptureTimecodeGenerator.delegateCallbackQueue),
                "synchronizationTimeout": value(\AVCaptureTimecodeGenerator.synchronizationTimeout),
                "timecodeAlignmentOffset": value(\AVCaptureTimecodeGenerator.timecodeAlignmentOffset),
                "timecodeFrameDuration": value(\AVCaptureTimecodeGenerator.timecodeFrameDuration),
            ]),
        KeyPathTable(
            AVCaptureDataOutputSynchronizer.self,
            [
                "delegate": value(\AVCaptureDataOutputSynchronizer.delegate)
            ]),
    ]
}
