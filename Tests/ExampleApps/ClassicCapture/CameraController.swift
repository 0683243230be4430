import AVFoundation
import Photos

/// Receives changes of the state of the camera screen on the main queue.
protocol CameraControllerDelegate: AnyObject {
    func cameraControllerDidChange(_ controller: CameraController)
}

/// Controls the camera for the camera screen.
///
/// Work on the session happens on the session queue. The state for the screen changes on the main queue.
final class CameraController: NSObject, @unchecked Sendable {
    // SAFETY: the properties of the screen are used on the main queue, those of the session on `sessionQueue`.
    enum State: Equatable {
        case idle
        case notAuthorized
        case configurationFailed
        case running
        case interrupted(AVCaptureSession.InterruptionReason)
        case stopped
    }

    enum SetupResult {
        case success
        case notAuthorized
        case configurationFailed
    }

    // The screen: on the main queue.
    weak var delegate: (any CameraControllerDelegate)?
    private(set) var state = State.idle
    private(set) var cameraName = ""
    private(set) var isAdjustingFocus = false
    private(set) var frameCount = 0
    private(set) var message: String?
    /// The recorded time, such as `00:12.5`; nil if no recording is running.
    var recordedTime: String?
    /// The remaining seconds of the self-timer; nil if it is off.
    var countdown: Int?
    var recordingTimer: Timer?
    var selfTimer: Timer?

    // The session: on the session queue.
    let sessionQueue = DispatchQueue(label: "session queue")
    let session = AVCaptureSession()
    let photoOutput = AVCapturePhotoOutput()
    let movieOutput = AVCaptureMovieFileOutput()
    let videoOutput = AVCaptureVideoDataOutput()
    let videoQueue = DispatchQueue(label: "video queue")
    var setupResult = SetupResult.success
    var videoInput: AVCaptureDeviceInput?
    var photoProcessors: [Int64: PhotoCaptureProcessor] = [:]
    var focusLockNumber = 0
    var observations: [NSKeyValueObservation] = []
    var focusObservation: NSKeyValueObservation?
    var notificationTokens: [any NSObjectProtocol] = []
    private var isSessionRunning = false

    /// Photos and movies that are being captured and saved.
    let captures = DispatchGroup()
    let library = LibraryWriter()
    let preset: AVCaptureSession.Preset
    let movieFolder: URL
    let log: @Sendable (String) -> Void

    /// - Parameters:
    ///   - movieFolder: The folder of movies until they are in the photo library.
    ///   - log: Receives a line for each event.
    init(
        preset: AVCaptureSession.Preset = .high, movieFolder: URL = FileManager.default.temporaryDirectory,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.preset = preset
        self.movieFolder = movieFolder
        self.log = log
        super.init()
    }

    deinit {
        for token in notificationTokens { NotificationCenter.default.removeObserver(token) }
    }

    /// Requests access if necessary, configures the session and starts it.
    func start() {
        requestAccess(for: .video)
        requestAccess(for: .audio)
        sessionQueue.async { self.configureSession() }
        sessionQueue.async {
            switch self.setupResult {
            case .success:
                self.addObservers()
                self.session.startRunning()
                self.isSessionRunning = self.session.isRunning
            case .notAuthorized: self.show(.notAuthorized)
            case .configurationFailed: self.show(.configurationFailed)
            }
        }
    }

    /// Stops the session when all photos and movies are saved.
    func stop(completion: @escaping @Sendable () -> Void) {
        sessionQueue.async {
            if self.movieOutput.isRecording { self.movieOutput.stopRecording() }
            self.captures.notify(queue: self.sessionQueue) {
                self.session.stopRunning()
                self.isSessionRunning = false
                self.removeObservers()
                DispatchQueue.main.async {
                    self.update { $0.state = .stopped }
                    self.log("stopped")
                    completion()
                }
            }
        }
    }

    /// Requests access if it is not determined. Suspends the session queue until the user has answered.
    private func requestAccess(for mediaType: AVMediaType) {
        switch AVCaptureDevice.authorizationStatus(for: mediaType) {
        case .authorized: break
        case .notDetermined:
            sessionQueue.suspend()
            AVCaptureDevice.requestAccess(for: mediaType) { isGranted in
                if !isGranted, mediaType == .video { self.setupResult = .notAuthorized }
                self.sessionQueue.resume()
            }
        case .denied, .restricted:
            if mediaType == .video { setupResult = .notAuthorized }
        }
    }

    /// Starts the session again after the media services were reset.
    func restart() {
        guard isSessionRunning else { return }
        session.startRunning()
        isSessionRunning = session.isRunning
        log("restarted")
    }

    // MARK: The screen

    func show(_ state: State) {
        DispatchQueue.main.async {
            self.update { $0.state = state }
            self.log("state \(state)")
        }
    }

    func show(_ error: any Error) {
        let text: String
        switch error {
        case let error as AVError: text = "AVError \(error.code)"
        case let error as PHPhotosError: text = "PHPhotosError \(error.code)"
        default: text = "\(error)"
        }
        DispatchQueue.main.async {
            self.update { $0.message = text }
            self.log("message \(text)")
        }
    }

    func showCamera(_ name: String) {
        DispatchQueue.main.async {
            self.update { $0.cameraName = name }
            self.log("camera \(name)")
        }
    }

    func showFocus(isAdjusting: Bool) {
        DispatchQueue.main.async {
            self.update { $0.isAdjustingFocus = isAdjusting }
            self.log(isAdjusting ? "focus adjusting" : "focus steady")
        }
    }

    func showFrame() {
        update { $0.frameCount += 1 }
        log("frame \(frameCount)")
    }

    /// Changes the state of the screen, on the main queue.
    func update(_ change: (CameraController) -> Void) {
        dispatchPrecondition(condition: .onQueue(.main))
        change(self)
        delegate?.cameraControllerDidChange(self)
    }
}
