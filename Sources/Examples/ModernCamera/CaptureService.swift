import AVFoundation

/// Controls the camera: all work on the capture session happens on the session queue, which is the actor's executor.
actor CaptureService {
    let sessionQueue = DispatchSerialQueue(label: "camera.session")
    nonisolated var unownedExecutor: UnownedSerialExecutor { sessionQueue.asUnownedSerialExecutor() }

    /// The events of the camera.
    nonisolated let events: AsyncStream<CaptureEvent>
    /// The frames of the video data output; frames that arrive while the reader is busy are dropped.
    nonisolated var frames: AsyncStream<CMSampleBuffer> { frameReader.frames }

    let settings: CaptureSettings
    let session = AVCaptureSession()
    let photoOutput = AVCapturePhotoOutput()
    let movieOutput = AVCaptureMovieFileOutput()
    var videoInput: AVCaptureDeviceInput?
    /// Provides the rotation angle for the current orientation of the phone.
    var rotation: AVCaptureDevice.RotationCoordinator?
    /// The delay of the self-timer in seconds; 0 is off.
    var selfTimer = 0
    var recordingTimer: (any DispatchSourceTimer)?

    private let log: @Sendable (String) -> Void
    private let continuation: AsyncStream<CaptureEvent>.Continuation
    let controlsReceiver: ControlsReceiver
    private let frameReader = FrameReader()
    private var isConfigured = false
    private var observers: [Task<Void, Never>] = []
    /// The number of the last focus lock.
    private var focusLock = 0

    init(settings: CaptureSettings, log: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.log = log
        let (events, continuation) = AsyncStream.makeStream(of: CaptureEvent.self)
        (self.events, self.continuation) = (events, continuation)
        controlsReceiver = ControlsReceiver { continuation.yield($0) }
    }

    deinit {
        continuation.finish()
        for observer in observers { observer.cancel() }
    }

    /// Requests access to the camera and the microphone. The app works without sound, but not without the camera.
    ///
    /// - Returns: Whether the camera can be used.
    nonisolated func requestAccess() async -> Bool {
        let isGranted = await AVCaptureDevice.requestAccess(for: .video)
        _ = await AVCaptureDevice.requestAccess(for: .audio)
        return isGranted
    }

    /// Configures the session the first time, and starts it.
    func start() throws {
        if !isConfigured {
            try configure()
            observe()
            isConfigured = true
        }
        session.startRunning()
        guard session.isRunning else { throw CaptureError.notRunning }
        log("session running")
    }

    func stop() {
        session.stopRunning()
        log("session stopped")
    }

    func report(_ event: CaptureEvent) {
        log("service \(event)")
        continuation.yield(event)
    }

    // MARK: Configuration

    private func configure() throws {
        try addInputsAndOutputs()
        // The preset has now selected the format of the camera.
        if let camera = videoInput?.device { configurePhotos(of: camera) }
    }

    private func addInputsAndOutputs() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = settings.preset
        guard let camera = CameraList.cameras.first else { throw CaptureError.noCamera }
        try use(camera)
        if let microphone = AVCaptureDevice.default(for: .audio),
            let input = try? AVCaptureDeviceInput(device: microphone),
            session.canAddInput(input)
        {
            session.addInput(input)
        }
        let videoOutput = AVCaptureVideoDataOutput()
        videoOutput.setSampleBufferDelegate(frameReader, queue: frameReader.queue)
        let outputs = settings.takesLivePhotos ? [photoOutput, videoOutput] : [photoOutput, movieOutput, videoOutput]
        for output in outputs {
            guard session.canAddOutput(output) else { throw CaptureError.cannotAddOutput }
            session.addOutput(output)
        }
    }

    /// Enables Live Photos and the maximum photo size of a camera, if the app uses them.
    private func configurePhotos(of camera: AVCaptureDevice) {
        if settings.takesLivePhotos {
            photoOutput.isLivePhotoCaptureEnabled = photoOutput.isLivePhotoCaptureSupported
        }
        if settings.takesLargestPhotos, let largest = camera.activeFormat.supportedMaxPhotoDimensions.last {
            photoOutput.maxPhotoDimensions = largest
        }
    }

    /// Replaces the camera of the session.
    private func use(_ camera: AVCaptureDevice) throws {
        let input = try AVCaptureDeviceInput(device: camera)
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if let videoInput { session.removeInput(videoInput) }
        guard session.canAddInput(input) else {
            if let videoInput { session.addInput(videoInput) }
            throw CaptureError.cannotAddInput
        }
        session.addInput(input)
        videoInput = input
        rotation = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
        addControls(for: camera)
        report(.cameraChanged(camera.localizedName))
    }

    /// Switches to the next camera.
    func switchCamera() throws {
        guard !movieOutput.isRecording else { throw CaptureError.alreadyRecording }
        let cameras = CameraList.cameras
        let current = cameras.firstIndex { $0 == videoInput?.device } ?? -1
        guard !cameras.isEmpty else { throw CaptureError.noCamera }
        let camera = cameras[(current + 1) % cameras.count]
        try use(camera)
        configurePhotos(of: camera)
    }

    // MARK: Focus

    /// Focuses and exposes at a point, and keeps these settings for `focusLockDuration` seconds.
    func focus(at point: CGPoint) throws {
        guard let device = videoInput?.device else { throw CaptureError.noCamera }
        try adjust(device, at: point, focusMode: .autoFocus, exposureMode: .autoExpose)
        focusLock += 1
        report(.focusLocked)
        let lock = focusLock
        sessionQueue.asyncAfter(deadline: .now() + .seconds(settings.focusLockDuration)) { [weak self] in
            self?.assumeIsolated { $0.releaseFocus(lock) }
        }
    }

    /// Ends a focus lock unless a later tap has replaced it.
    private func releaseFocus(_ lock: Int) {
        guard lock == focusLock, let device = videoInput?.device, device.isConnected else { return }
        do {
            try adjust(
                device, at: CGPoint(x: 0.5, y: 0.5), focusMode: .continuousAutoFocus,
                exposureMode: .continuousAutoExposure)
            report(.focusReleased)
        } catch {
            log("focus not released: \(error)")
        }
    }

    private func adjust(
        _ device: AVCaptureDevice, at point: CGPoint, focusMode: AVCaptureDevice.FocusMode,
        exposureMode: AVCaptureDevice.ExposureMode
    ) throws {
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(focusMode) {
            device.focusPointOfInterest = point
            device.focusMode = focusMode
        }
        if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(exposureMode) {
            device.exposurePointOfInterest = point
            device.exposureMode = exposureMode
        }
    }

    // MARK: Notifications

    private func observe() {
        observe(AVCaptureSession.wasInterruptedNotification, of: session) { service, notification in
            let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            guard let reason = value.flatMap(AVCaptureSession.InterruptionReason.init) else { return }
            await service.report(.interrupted(reason))
        }
        observe(AVCaptureSession.interruptionEndedNotification, of: session) { service, _ in
            await service.report(.interruptionEnded)
        }
        observe(AVCaptureSession.runtimeErrorNotification, of: session) { service, notification in
            guard let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else { return }
            await service.sessionFailed(error)
        }
        observe(AVCaptureDevice.wasConnectedNotification, of: nil) { service, _ in
            await service.deviceWasConnected()
        }
    }

    private func observe(
        _ name: Notification.Name, of object: AVCaptureSession?,
        _ handle: @escaping @Sendable (CaptureService, Notification) async -> Void
    ) {
        let notifications = NotificationCenter.default.notifications(named: name, object: object)
        observers.append(
            Task { [weak self] in
                for await notification in notifications {
                    guard let self else { return }
                    await handle(self, notification)
                }
            })
    }

    private func sessionFailed(_ error: AVError) {
        switch error.code {
        case .deviceWasDisconnected: report(.cameraDisconnected)
        case .mediaServicesWereReset:
            session.startRunning()
            report(.restarted)
        default: report(.failed(error.code))
        }
    }

    /// Uses a newly connected camera if the current one is disconnected.
    private func deviceWasConnected() {
        guard videoInput?.device.isConnected == false, let camera = CameraList.cameras.first else { return }
        do {
            try use(camera)
            if !session.isRunning { session.startRunning() }
        } catch {
            log("camera not used: \(error)")
        }
    }
}
