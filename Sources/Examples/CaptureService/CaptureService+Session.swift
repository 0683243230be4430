import AVFoundation

/// The set-up of the session; all on the session queue.
extension CaptureService {
    /// The types of cameras that the service uses, in the order of preference.
    static let deviceTypes: [AVCaptureDevice.DeviceType] = [
        .builtInWideAngleCamera, .builtInTelephotoCamera, .builtInDualCamera, .builtInTrueDepthCamera,
    ]

    private static let depthPresets: [AVCaptureSession.Preset] = [.photo, .hd1280x720, .vga640x480]

    /// Adds missing inputs and outputs, and applies the settings.
    func setUpSession() throws {
        try configure {
            usesDepth = openDepth && depthSupported && Self.depthPresets.contains(sessionPreset)
            if openDepth && !usesDepth { log("no depth with this camera and preset") }
            try addCamera()
            // Which presets can be set depends on the camera.
            if session.canSetSessionPreset(sessionPreset) {
                session.sessionPreset = sessionPreset
            } else {
                log("the camera does not support \(sessionPreset.rawValue)")
            }
            try addMicrophone()
            try addVideoOutput()
            try add(photoOutput, orThrow: .photoOutputRefused)
            try addFaceDetection()
            try addDepthOutput()
        }
        // Configured after the commit, because applying a preset resets settings of the camera.
        try configureCamera()
        configureConnections()
    }

    private func configure(_ change: () throws -> Void) rethrows {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        try change()
    }

    // MARK: Inputs

    private func addCamera() throws {
        guard cameraInput == nil else { return }
        let input = try makeCameraInput(at: devicePosition)
        guard session.canAddInput(input) else { throw CaptureServiceError(.videoInputRefused) }
        session.addInput(input)
        cameraInput = input
    }

    private func makeCameraInput(at position: AVCaptureDevice.Position) throws -> AVCaptureDeviceInput {
        guard let camera = cameras(at: position).first(where: { !usesDepth || $0.measuresDepth }) ?? externalCamera
        else {
            throw CaptureServiceError(.noVideoInput)
        }
        do {
            return try AVCaptureDeviceInput(device: camera)
        } catch {
            throw CaptureServiceError(.noVideoInput, error)
        }
    }

    func cameras(at position: AVCaptureDevice.Position) -> [AVCaptureDevice] {
        AVCaptureDevice.DiscoverySession(deviceTypes: Self.deviceTypes, mediaType: .video, position: position).devices
    }

    /// The camera of a machine without built-in ones.
    private var externalCamera: AVCaptureDevice? {
        cameras(at: .unspecified).isEmpty ? AVCaptureDevice.default(for: .video) : nil
    }

    /// Adds the microphone, if movies have sound and the user allows it.
    private func addMicrophone() throws {
        guard shouldRecordAudio, !hasMicrophone else { return }
        guard let microphone = AVCaptureDevice.default(for: .audio),
            let input = try? AVCaptureDeviceInput(device: microphone), session.canAddInput(input)
        else { return log("movies have no sound: there is no microphone, or it is not allowed") }
        session.addInput(input)
        audioOutput.setSampleBufferDelegate(self, queue: dataQueue)
        try add(audioOutput, orThrow: .videoOutputRefused)
        hasMicrophone = true
    }

    // MARK: Outputs

    private func add(_ output: AVCaptureOutput, orThrow code: CaptureServiceError.Code) throws {
        guard !session.outputs.contains(output) else { return }
        guard session.canAddOutput(output) else { throw CaptureServiceError(code) }
        session.addOutput(output)
    }

    private func addVideoOutput() throws {
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        videoOutput.alwaysDiscardsLateVideoFrames = true
        videoOutput.setSampleBufferDelegate(self, queue: dataQueue)
        try add(videoOutput, orThrow: .videoOutputRefused)
    }

    private func addFaceDetection() throws {
        guard openNativeFaceDetect else { return }
        try add(metadataOutput, orThrow: .videoOutputRefused)
        metadataOutput.setMetadataObjectsDelegate(self, queue: dataQueue)
        selectFaces()
    }

    /// Selects faces, if the camera can detect them.
    private func selectFaces() {
        metadataOutput.metadataObjectTypes = metadataOutput.availableMetadataObjectTypes.filter { $0 == .face }
    }

    private func addDepthOutput() throws {
        guard usesDepth else { return }
        depthOutput.setDelegate(self, callbackQueue: dataQueue)
        try add(depthOutput, orThrow: .videoOutputRefused)
    }

    // MARK: Camera

    /// Sets the frame rate and, if depth is used, the depth data format with the most pixels per row.
    private func configureCamera() throws {
        guard let device = cameraInput?.device else { return }
        do {
            try device.lockForConfiguration()
        } catch {
            throw CaptureServiceError(.cameraNotLocked, error)
        }
        defer { device.unlockForConfiguration() }
        if usesDepth {
            let formats = device.activeFormat.supportedDepthDataFormats
            device.activeDepthDataFormat = formats.max {
                $0.formatDescription.dimensions.width < $1.formatDescription.dimensions.width
            }
        }
        let duration = frameDuration(of: device.activeFormat)
        device.activeVideoMaxFrameDuration = duration
        device.activeVideoMinFrameDuration = duration
    }

    /// Returns the supported frame duration that is nearest to that of the frame rate, because webcams support only a
    /// few rates.
    private func frameDuration(of format: AVCaptureDevice.Format) -> CMTime {
        let wanted = CMTime(value: 1, timescale: Int32(clamping: max(frameRate, 1)))
        let supported = format.videoSupportedFrameRateRanges.map {
            min(max(wanted, $0.minFrameDuration), $0.maxFrameDuration)
        }
        return supported.min { CMTimeAbsoluteValue($0 - wanted) < CMTimeAbsoluteValue($1 - wanted) } ?? wanted
    }

    /// Rotates frames, photos and depth to portrait, because the sensor is mounted in landscape.
    private func configureConnections() {
        videoConnection = videoOutput.connection(with: .video)
        let connections = [
            videoConnection, photoOutput.connection(with: .video), depthOutput.connection(with: .depthData),
        ]
        for connection in connections.compactMap({ $0 }) where connection.isVideoOrientationSupported {
            connection.videoOrientation = .portrait
        }
    }

    // MARK: Switching

    /// Switches to the camera on the other side. On failure it keeps the camera and reports the error. Has no effect
    /// while depth is used.
    public func switchCamera() {
        sessionQueue.async {
            guard !self.usesDepth else { return self.log("the camera cannot be switched while depth is used") }
            let position: AVCaptureDevice.Position = self.devicePosition == .front ? .back : .front
            guard let old = self.cameraInput else {
                self.devicePosition = position
                return
            }
            do {
                let new = try self.makeCameraInput(at: position)
                try self.replace(old, by: new)
                self.devicePosition = position
                try self.configureCamera()
            } catch {
                self.fail(error)
            }
        }
    }

    private func replace(_ old: AVCaptureDeviceInput, by new: AVCaptureDeviceInput) throws {
        try configure {
            // Replacing the camera creates new connections.
            defer { configureConnections() }
            session.removeInput(old)
            guard session.canAddInput(new) else {
                session.addInput(old)
                throw CaptureServiceError(.videoInputRefused)
            }
            session.addInput(new)
            cameraInput = new
            if openNativeFaceDetect { selectFaces() }
        }
    }
}

extension AVCaptureDevice {
    var measuresDepth: Bool { formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
}
