import AVFoundation

/// Flash for photos, torch for movies.
extension CameraController {
    public var cameraHasFlash: Bool { activeCamera?.hasFlash ?? false }

    public var cameraHasTorch: Bool { activeCamera?.hasTorch ?? false }

    /// The flash mode of photos. An unsupported mode is ignored.
    public var flashMode: AVCaptureDevice.FlashMode {
        get { activeCamera.map { stillCamera.flashMode(of: $0) } ?? .off }
        set {
            guard let camera = activeCamera, newValue != flashMode, camera.isFlashModeSupported(newValue) else {
                return
            }
            do {
                try stillCamera.setFlashMode(newValue, of: camera)
            } catch {
                delegate?.deviceConfigurationFailed(with: error)
            }
        }
    }

    /// The torch mode. An unsupported mode is ignored.
    public var torchMode: AVCaptureDevice.TorchMode {
        get { activeCamera?.torchMode ?? .off }
        set {
            guard let camera = activeCamera, newValue != camera.torchMode, camera.isTorchModeSupported(newValue) else {
                return
            }
            configure(camera) { $0.torchMode = newValue }
        }
    }
}
