import AVFoundation
import Photos

// interface: RecipeCamera
/// The camera of a small app, written without regard to tests. The recipes of docs/testing.md test it.
///
/// Work on the session happens on the session queue. The state for the screen changes on the main queue.
final class RecipeCamera: NSObject, @unchecked Sendable {
    // SAFETY: the state of the screen is used on the main queue, the state of the session on `sessionQueue`.
    enum State: Equatable {
        case idle
        case noAccess
        case noCamera
        case running
        case interrupted(AVCaptureSession.InterruptionReason)
    }

    // The state of the screen, used on the main queue.
    private(set) var state = State.idle
    private(set) var cameraName = ""
    private(set) var frameCount = 0
    private(set) var codes: [String] = []
    private(set) var faceCount = 0
    /// The zoom factor that the user has set with the Camera Control.
    private(set) var zoomFactor: CGFloat = 1
    /// Whether the controls of the Camera Control cover the screen.
    private(set) var hidesButtons = false
    private(set) var isRecording = false
    /// The error of the last recording.
    private(set) var recordingError: AVError?
    /// The remaining seconds of the self-timer; nil if it is off.
    private(set) var countdown: Int?
    /// The JPEG file of the last photo.
    private(set) var lastPhoto: Data?
    /// The last message to the user.
    private(set) var message: String?
    private var timer: Timer?

    // The state of the session, used on the session queue.
    private let preset: AVCaptureSession.Preset
    private let objectTypes: [AVMetadataObject.ObjectType]
    private let sessionQueue = DispatchQueue(label: "camera.session")
    private let frameQueue = DispatchQueue(label: "camera.frames")
    private let session = AVCaptureSession()
    private let photoOutput = AVCapturePhotoOutput()
    private let movieOutput = AVCaptureMovieFileOutput()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private var input: AVCaptureDeviceInput?
    private var rotation: AVCaptureDevice.RotationCoordinator?
    private var pressure: NSKeyValueObservation?
    private var tokens: [any NSObjectProtocol] = []
    private var switchesAfterRecording = false

    /// - Parameter objectTypes: The codes and faces that the app reads.
    init(preset: AVCaptureSession.Preset = .vga640x480, objectTypes: [AVMetadataObject.ObjectType] = []) {
        self.preset = preset
        self.objectTypes = objectTypes
        super.init()
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    /// Requests access if necessary, and starts the session.
    func start() {
        AVCaptureDevice.requestAccess(for: .video) { isGranted in
            guard isGranted else { return self.update { $0.state = .noAccess } }
            self.sessionQueue.async { self.startSession() }
        }
    }

    private func startSession() {
        if input == nil { configure() }
        if input != nil { session.startRunning() }
        let isRunning = session.isRunning
        update { $0.state = isRunning ? .running : .noCamera }
    }

    private func configure() {
        guard let camera = AVCaptureDevice.default(for: .video) else { return }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = preset
        use(camera)
        addControls(for: camera)
        if let microphone = AVCaptureDevice.default(for: .audio),
            let input = try? AVCaptureDeviceInput(device: microphone), session.canAddInput(input)
        {
            session.addInput(input)
        }
        let outputs: [AVCaptureOutput] = [photoOutput, movieOutput, videoOutput, metadataOutput]
        for output in outputs where session.canAddOutput(output) { session.addOutput(output) }
        videoOutput.setSampleBufferDelegate(self, queue: frameQueue)
        metadataOutput.setMetadataObjectsDelegate(self, queue: .main)
        let available = metadataOutput.availableMetadataObjectTypes
        metadataOutput.metadataObjectTypes = objectTypes.filter { available.contains($0) }
        observe(.AVCaptureSessionWasInterrupted, of: session) { camera, notification in
            let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            guard let reason = value.flatMap(AVCaptureSession.InterruptionReason.init) else { return }
            camera.state = .interrupted(reason)
        }
        observe(.AVCaptureSessionInterruptionEnded, of: session) { camera, _ in camera.state = .running }
        observe(.AVCaptureSessionRuntimeError, of: session) { camera, notification in
            let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError
            if error?.code == .deviceWasDisconnected { camera.state = .noCamera }
        }
        observe(.AVCaptureDeviceWasConnected, of: nil) { camera, _ in
            camera.sessionQueue.async { camera.useConnectedCamera() }
        }
    }

    /// Adds a slider for the camera's zoom to the Camera Control.
    private func addControls(for camera: AVCaptureDevice) {
        guard session.supportsControls else { return }
        for control in session.controls { session.removeControl(control) }
        let zoom = AVCaptureSystemZoomSlider(device: camera) { [weak self] factor in self?.zoomFactor = factor }
        if session.canAddControl(zoom) { session.addControl(zoom) }
        session.setControlsDelegate(self, queue: .main)
    }

    private func observe(
        _ name: Notification.Name, of object: AVCaptureSession?,
        _ handle: @escaping @Sendable (RecipeCamera, Notification) -> Void
    ) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: .main) {
                [weak self] notification in
                if let self { handle(self, notification) }
            })
    }

    // MARK: The camera

    /// Switches to the camera on the other side. Ends a recording first.
    func switchCamera() {
        sessionQueue.async {
            guard self.movieOutput.isRecording else { return self.useOtherCamera() }
            self.switchesAfterRecording = true
            self.movieOutput.stopRecording()
        }
    }

    private func useOtherCamera() {
        let position: AVCaptureDevice.Position = input?.device.position == .back ? .front : .back
        guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position) else {
            return
        }
        use(camera)
    }

    private func useConnectedCamera() {
        guard input?.device.isConnected == false, let camera = AVCaptureDevice.default(for: .video) else { return }
        use(camera)
        startSession()
    }

    private func use(_ camera: AVCaptureDevice) {
        guard let new = try? AVCaptureDeviceInput(device: camera) else { return }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if let input { session.removeInput(input) }
        guard session.canAddInput(new) else { return }
        session.addInput(new)
        input = new
        rotation = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
        pressure = camera.observe(\.systemPressureState) { [weak self] _, _ in
            guard let self else { return }
            sessionQueue.async { self.adjustFrameRate() }
        }
        change { if $0.isLowLightBoostSupported { $0.automaticallyEnablesLowLightBoostWhenAvailable = true } }
        let name = camera.localizedName
        update { $0.cameraName = name }
    }

    /// Halves the frame rate of a hot camera.
    private func adjustFrameRate() {
        change { camera in
            let level = camera.systemPressureState.level
            let rate: CMTimeScale = level == .serious || level == .critical ? 15 : 30
            camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: rate)
            camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: rate)
        }
    }

    func setTorch(_ mode: AVCaptureDevice.TorchMode) {
        sessionQueue.async { self.change { if $0.isTorchModeSupported(mode) { $0.torchMode = mode } } }
    }

    private func change(_ body: (AVCaptureDevice) -> Void) {
        guard let camera = input?.device, (try? camera.lockForConfiguration()) != nil else { return }
        body(camera)
        camera.unlockForConfiguration()
    }

    // MARK: Photos and movies

    /// Takes a photo after some seconds. Call it on the main queue.
    func takePhoto(after seconds: Int) {
        countdown = seconds
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            guard let self, let remaining = countdown else { return }
            countdown = remaining - 1
            guard remaining == 1 else { return }
            cancelCountdown()
            takePhoto()
        }
    }

    func cancelCountdown() {
        timer?.invalidate()
        timer = nil
        countdown = nil
    }

    /// Takes a photo and saves it to the photo library.
    func takePhoto() {
        sessionQueue.async {
            guard self.session.isRunning, let connection = self.photoOutput.connection(with: .video),
                connection.isActive
            else { return self.update { $0.message = "no camera" } }
            if let rotation = self.rotation {
                connection.videoRotationAngle = rotation.videoRotationAngleForHorizonLevelCapture
            }
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
            self.photoOutput.capturePhoto(with: settings, delegate: self)
        }
    }

    private func save(_ photo: Data) {
        update { $0.lastPhoto = photo }
        PHPhotoLibrary.requestAuthorization(for: .addOnly) { status in
            guard status == .authorized else { return self.update { $0.message = "no access to the library" } }
            PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
            } completionHandler: { isSaved, _ in
                self.update { $0.message = isSaved ? "photo saved" : "photo not saved" }
            }
        }
    }

    func startRecording(to movie: URL) {
        sessionQueue.async {
            guard self.session.isRunning, self.movieOutput.connection(with: .video)?.isActive == true else { return }
            self.movieOutput.startRecording(to: movie, recordingDelegate: self)
            self.update { $0.isRecording = true }
        }
    }

    func stopRecording() {
        sessionQueue.async { self.movieOutput.stopRecording() }
    }

    private func update(_ change: @escaping @Sendable (RecipeCamera) -> Void) {
        DispatchQueue.main.async { change(self) }
    }
}

extension RecipeCamera: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureMetadataOutputObjectsDelegate {
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        update { $0.frameCount += 1 }
    }

    func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {
        codes = metadataObjects.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }
        faceCount = metadataObjects.filter { $0.type == .face }.count
    }
}

extension RecipeCamera: AVCapturePhotoCaptureDelegate, AVCaptureFileOutputRecordingDelegate {
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        if let data = photo.fileDataRepresentation() { save(data) }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let error = error as? AVError
        update {
            $0.isRecording = false
            $0.recordingError = error
        }
        sessionQueue.async {
            guard self.switchesAfterRecording else { return }
            self.switchesAfterRecording = false
            self.useOtherCamera()
        }
    }
}

extension RecipeCamera: AVCaptureSessionControlsDelegate {
    func sessionControlsDidBecomeActive(_ session: AVCaptureSession) {}
    func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) { hidesButtons = true }
    func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) { hidesButtons = false }
    func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {}
}
