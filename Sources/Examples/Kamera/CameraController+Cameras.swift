import AVFoundation

/// Which camera is used.
extension CameraController {
    var cameras: [AVCaptureDevice] {
        AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
        ).devices
    }

    public var cameraCount: Int { cameras.count }

    public var canSwitchCameras: Bool { cameraCount > 1 }

    /// The camera whose picture is shown; nil before the session is set up.
    public var activeCamera: AVCaptureDevice? { activeVideoInput?.device }

    /// The camera on the other side.
    public var inactiveCamera: AVCaptureDevice? {
        guard canSwitchCameras else { return nil }
        let position: AVCaptureDevice.Position = activeCamera?.position == .back ? .front : .back
        return cameras.first { $0.position == position }
    }

    /// Switches to the camera on the other side, in one step. If the session refuses it, the old one stays.
    ///
    /// - Returns: Whether there was another camera that the app may use.
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
