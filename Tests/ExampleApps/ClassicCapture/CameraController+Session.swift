import AVFoundation

// The configuration of the session; called on the session queue.
extension CameraController: AVCaptureVideoDataOutputSampleBufferDelegate {
    static var cameras: [AVCaptureDevice] {
        AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
        ).devices
    }

    func configureSession() {
        guard setupResult == .success, videoInput == nil else { return }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = preset
        guard let camera = Self.cameras.first, use(camera) else {
            setupResult = .configurationFailed
            return
        }
        if let microphone = AVCaptureDevice.default(for: .audio),
            let input = try? AVCaptureDeviceInput(device: microphone),
            session.canAddInput(input)
        {
            session.addInput(input)
        }
        videoOutput.setSampleBufferDelegate(self, queue: videoQueue)
        for output in [photoOutput, movieOutput, videoOutput] {
            guard session.canAddOutput(output) else {
                setupResult = .configurationFailed
                return
            }
            session.addOutput(output)
        }
    }

    func switchCamera() {
        sessionQueue.async {
            guard !self.movieOutput.isRecording else { return self.log("no switch while recording") }
            let cameras = Self.cameras
            guard let current = cameras.firstIndex(where: { $0 == self.videoInput?.device }) else { return }
            self.session.beginConfiguration()
            _ = self.use(cameras[(current + 1) % cameras.count])
            self.session.commitConfiguration()
        }
    }

    /// Replaces the camera of the session; keeps the previous one and returns false if that fails.
    func use(_ camera: AVCaptureDevice) -> Bool {
        let input: AVCaptureDeviceInput
        do {
            input = try AVCaptureDeviceInput(device: camera)
        } catch {
            show(error)
            return false
        }
        let previousInput = videoInput
        if let previousInput { session.removeInput(previousInput) }
        guard session.canAddInput(input) else {
            if let previousInput { session.addInput(previousInput) }
            return false
        }
        session.addInput(input)
        videoInput = input
        observeFocus(of: camera)
        showCamera(camera.localizedName)
        return true
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        DispatchQueue.main.async { self.showFrame() }
    }

    // MARK: Focus

    /// Focuses and exposes at a point, and resets both after three seconds.
    func focus(at point: CGPoint) {
        sessionQueue.async {
            self.adjust(at: point, focusMode: .autoFocus, exposureMode: .autoExpose)
            self.focusLockNumber += 1
            self.log("focus locked")
            let number = self.focusLockNumber
            self.sessionQueue.asyncAfter(deadline: .now() + 3) {
                guard number == self.focusLockNumber else { return }
                self.adjust(
                    at: CGPoint(x: 0.5, y: 0.5), focusMode: .continuousAutoFocus,
                    exposureMode: .continuousAutoExposure)
                self.log("focus released")
            }
        }
    }

    private func adjust(
        at point: CGPoint, focusMode: AVCaptureDevice.FocusMode, exposureMode: AVCaptureDevice.ExposureMode
    ) {
        guard let device = videoInput?.device else { return }
        do {
            try device.lockForConfiguration()
        } catch {
            return show(error)
        }
        if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(focusMode) {
            device.focusPointOfInterest = point
            device.focusMode = focusMode
        }
        if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(exposureMode) {
            device.exposurePointOfInterest = point
            device.exposureMode = exposureMode
        }
        device.unlockForConfiguration()
    }
}
