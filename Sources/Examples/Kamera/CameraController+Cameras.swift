import AVFoundation

/// Selection of the camera.
extension CameraController {
    var cameras: [AVCaptureDevice] {
        AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
        ).devices
    }

    public var cameraCount: Int { cameras.count }

    public var canSwitchCameras: Bool { cameraCount > 1 }

    /// The camera of the session; nil before the session is set up.
    public var activeCamera: AVCaptureDevice? { activeVideoInput?.device }

    /// The camera on the other side.
    public var inactiveCamera: AVCaptureDevice? {
        guard canSwitchCameras else { return nil }
        let position: AVCaptureDevice.Position = activeCamera?.position == .back ? .front : .back
        return cameras.first { $0.position == position }
    }

    /// Switches to the camera on the other side, in one configuration. If the session refuses it, the old one is kept.
    ///
    /// - Returns: Whether there was another camera that could be opened.
    @discardableResult
    public func switchCameras() -> Bool {
        guard let camera = inactiveCamera, let old = activeVideoInput else { return false }
        let new: AVCaptureDeviceInput
        do {
            new = try AVCaptureDeviceInput(device: camera)
        } catch {
            delegate?.deviceConfigurationFailed(with: error)
            return false
        }
        session.beginConfiguration()
        session.removeInput(old)
        if session.canAddInput(new) {
            session.addInput(new)
            activeVideoInput = new
        } else {
            session.addInput(old)
        }
        session.commitConfiguration()
        return true
    }
}
