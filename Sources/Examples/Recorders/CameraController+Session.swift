import AVFoundation

/// The reason why a session cannot be set up.
public enum CameraError: Error, LocalizedError {
    case noCamera
    case inputRefused
    case outputRefused

    public var errorDescription: String? {
        switch self {
        case .noCamera: "There is no camera."
        case .inputRefused: "The session cannot use the camera or the microphone."
        case .outputRefused: "The session cannot record."
        }
    }
}

/// The configuration of the session; all on the session queue.
extension CameraController {
    /// Adds the inputs and the outputs, and sets the quality and the connections.
    func configureSession() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard let camera = AVCaptureDevice.default(for: .video) else { throw CameraError.noCamera }
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input) else { throw CameraError.inputRefused }
        session.addInput(input)
        try addMicrophone()
        for output in recorder.outputs + [metadataReader?.output].compactMap({ $0 }) {
            guard session.canAddOutput(output) else { throw CameraError.outputRefused }
            session.addOutput(output)
        }
        // Which presets can be set depends on the camera.
        for preset in [preset, .iFrame960x540] where session.canSetSessionPreset(preset) {
            session.sessionPreset = preset
            break
        }
        configureConnections()
        cameraInput = input
    }

    /// Adds the microphone, if there is one and the user has allowed it.
    private func addMicrophone() throws {
        guard AVCaptureDevice.authorizationStatus(for: .audio) == .authorized,
            let microphone = AVCaptureDevice.default(for: .audio)
        else { return log("movies have no sound") }
        let input = try AVCaptureDeviceInput(device: microphone)
        guard session.canAddInput(input) else { throw CameraError.inputRefused }
        session.addInput(input)
    }

    /// Sets the orientation of the outputs and the preview to landscape right.
    private func configureConnections() {
        recorder.configureConnections()
        metadataReader?.selectTypes()
        if let connection = previewLayer.connection, connection.isVideoOrientationSupported {
            connection.videoOrientation = .landscapeRight
        }
    }

    /// Switches to the camera on the other side. Has no effect during a recording.
    public func switchCamera() {
        guard !isRecording else { return }
        sessionQueue.async {
            guard let old = self.cameraInput else { return }
            do {
                let new = try self.makeInput(opposite: old.device)
                self.session.stopRunning()
                self.replace(old, by: new)
                self.session.startRunning()
            } catch {
                self.show(error)
            }
            self.showSession()
        }
    }

    private func makeInput(opposite camera: AVCaptureDevice) throws -> AVCaptureDeviceInput {
        let position: AVCaptureDevice.Position = camera.position == .back ? .front : .back
        guard let other = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position) else {
            throw CameraError.noCamera
        }
        return try AVCaptureDeviceInput(device: other)
    }

    /// Replaces the camera, or keeps it if the session refuses the new one.
    private func replace(_ old: AVCaptureDeviceInput, by new: AVCaptureDeviceInput) {
        session.beginConfiguration()
        session.removeInput(old)
        if session.canAddInput(new) {
            session.addInput(new)
            cameraInput = new
        } else {
            session.addInput(old)
            show(CameraError.inputRefused)
        }
        configureConnections()
        session.commitConfiguration()
    }
}
