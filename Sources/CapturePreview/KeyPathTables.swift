import CaptureCore
package import KeyValueObserving

extension AVCaptureVideoPreviewLayer: KeyPathTableProviding {
    package static let keyPathTables = [
        KeyPathTable(
            AVCaptureVideoPreviewLayer.self,
            [
                "connection": KeyPathTable.value(\AVCaptureVideoPreviewLayer.connection),
                "previewing": KeyPathTable.value(\AVCaptureVideoPreviewLayer.isPreviewing),
                "session": KeyPathTable.value(\AVCaptureVideoPreviewLayer.session),
                "videoGravity": KeyPathTable.value(\AVCaptureVideoPreviewLayer.videoGravity),
            ])
    ]
}

extension AVSampleBufferDisplayLayer: KeyPathTableProviding {
    package static let keyPathTables = [
        KeyPathTable(
            AVSampleBufferDisplayLayer.self,
            [
                "error": KeyPathTable.value(\AVSampleBufferDisplayLayer.error),
                "readyForDisplay": KeyPathTable.value(\AVSampleBufferDisplayLayer.isReadyForDisplay),
                "readyForMoreMediaData": KeyPathTable.value(\AVSampleBufferDisplayLayer.isReadyForMoreMediaData),
                "status": KeyPathTable.value(\AVSampleBufferDisplayLayer.status),
                "videoGravity": KeyPathTable.value(\AVSampleBufferDisplayLayer.videoGravity),
            ])
    ]
}

extension AVCaptureDevice.RotationCoordinator: KeyPathTableProviding {
    package static let keyPathTables = [
        KeyPathTable(
            AVCaptureDevice.RotationCoordinator.self,
            [
                "device": KeyPathTable.value(\AVCaptureDevice.RotationCoordinator.device),
                "videoRotationAngleForHorizonLevelCapture": KeyPathTable.value(
                    \AVCaptureDevice.RotationCoordinator.videoRotationAngleForHorizonLevelCapture),
                "videoRotationAngleForHorizonLevelPreview": KeyPathTable.value(
                    \AVCaptureDevice.RotationCoordinator.videoRotationAngleForHorizonLevelPreview),
            ])
    ]
}

extension AVCaptureExternalDisplayConfigurator: KeyPathTableProviding {
    package static let keyPathTables = [
        KeyPathTable(
            AVCaptureExternalDisplayConfigurator.self,
            [
                "active": KeyPathTable.value(\AVCaptureExternalDisplayConfigurator.isActive),
                "activeExternalDisplayFrameRate": KeyPathTable.value(
                    \AVCaptureExternalDisplayConfigurator.activeExternalDisplayFrameRate),
            ])
    ]
}
