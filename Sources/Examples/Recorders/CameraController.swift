import AVFoundation
import Photos

/// The camera screen: a session with a camera, a microphone, a preview and one of the two recorders.
///
/// The methods are called on the main thread. The session is used on a separate queue, because starting and stopping it
/// take time.
public final class CameraController: NSObject, @unchecked Sendable {
    // SAFETY: the state of the screen is used on the main thread, that of the session on `sessionQueue`.

    // The screen.
    public internal(set) var isRunning = false
    public internal(set) var isRecording = false
    /// The name of the flash button's icon; nil if the camera has no flash.
    public internal(set) var flashIcon: String?
    /// A message for the user, such as the reason why there is no video.
    public internal(set) var message: String?
    /// The last finished movie.
    public internal(set) var lastMovie: URL?
    /// Called on the main thread when the state of the screen has changed.
    public var changeHandler: (() -> Void)?
    public let previewLayer: AVCaptureVideoPreviewLayer

    // The session.
    public let session = AVCaptureSession()
    let sessionQueue = DispatchQueue(label: "session")
    var cameraInput: AVCaptureDeviceInput?

    public let recorder: any Recorder
    public let metadataReader: MetadataReader?
    let preset: AVCaptureSession.Preset
    let movieFolder: MovieFolder
    let log: @Sendable (String) -> Void

    /// Creates a camera screen.
    ///
    /// - Parameters:
    ///   - metadataReader: Detects codes and faces; nil for a screen without detection.
    ///   - preset: The session preset. If the camera does not support it, `iFrame960x540` is used.
    ///   - log: Receives a line for each event.
    public init(
        recorder: any Recorder, metadataReader: MetadataReader? = nil, preset: AVCaptureSession.Preset = .high,
        movieFolder: MovieFolder = .documents, log: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.recorder = recorder
        self.metadataReader = metadataReader
        self.preset = preset
        self.movieFolder = movieFolder
        self.log = log
        previewLayer = AVCaptureVideoPreviewLayer(session: session)
        previewLayer.videoGravity = .resizeAspectFill
        super.init()
    }

    // MARK: Preparation

    /// Requests access to the camera and the microphone if necessary, sets up the session and starts it.
    public func start() {
        Self.requestAccess(for: .video) { isGranted in
            guard isGranted else {
                return self.update { $0.message = "This app may not use the camera. Allow it in Settings." }
            }
            // Without the microphone, movies are silent.
            Self.requestAccess(for: .audio) { _ in self.startSession() }
        }
    }

    /// Stops the recording, if there is one, and the session.
    public func stop() {
        stopRecording()
        sessionQueue.async {
            self.session.stopRunning()
            self.showSession()
        }
    }

    /// Requests access if the user has not decided yet, and passes the decision on the main thread.
    private static func requestAccess(for mediaType: AVMediaType, completion: @escaping @Sendable (Bool) -> Void) {
        switch AVCaptureDevice.authorizationStatus(for: mediaType) {
        case .authorized: completion(true)
        case .notDetermined:
            AVCaptureDevice.requestAccess(for: mediaType) { isGranted in
                DispatchQueue.main.async { completion(isGranted) }
            }
        default: completion(false)
        }
    }

    private func startSession() {
        sessionQueue.async {
            do {
                if self.cameraInput == nil { try self.configureSession() }
                self.session.startRunning()
            } catch {
                self.show(error)
            }
            self.showSession()
        }
    }

    // MARK: Recording

    /// Starts recording a movie. Has no effect during a recording.
    public func startRecording() {
        guard isRunning, !isRecording else { return }
        update { $0.isRecording = true }
        sessionQueue.async {
            do {
                let url = try self.movieFolder.makeMovieURL(fileExtension: self.recorder.fileExtension)
                self.recorder.startRecording(to: url) { result in self.finishRecording(result) }
            } catch {
                DispatchQueue.main.async { self.finishRecording(.failure(error)) }
            }
        }
    }

    public func pauseRecording() {
        sessionQueue.async { self.recorder.pauseRecording() }
    }

    public func resumeRecording() {
        sessionQueue.async { self.recorder.resumeRecording() }
    }

    /// Stops recording and saves the movie to the library. Has no effect if no movie is being recorded.
    public func stopRecording() {
        sessionQueue.async { self.recorder.stopRecording() }
    }

    /// Shows that a movie has ended, and saves it.
    private func finishRecording(_ result: Result<URL, any Error>) {
        update { $0.isRecording = false }
        switch result {
        case .success(let url):
            update { $0.lastMovie = url }
            log("recorded \(url.lastPathComponent)")
            saveToLibrary(url)
        case .failure(let error): show(error)
        }
    }

    private func saveToLibrary(_ url: URL) {
        let log = log
        PHPhotoLibrary.shared().performChanges {
            PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url)
        } completionHandler: { isSaved, error in
            let reason = error.map { ": \($0.localizedDescription)" } ?? ""
            log(isSaved ? "saved \(url.lastPathComponent)" : "not saved \(url.lastPathComponent)\(reason)")
        }
    }

    // MARK: The screen

    /// Changes the state of the screen; on the main thread.
    private func update(_ change: (CameraController) -> Void) {
        change(self)
        changeHandler?()
    }

    /// Shows and logs an error.
    func show(_ error: any Error) {
        let text = error.localizedDescription
        log(text)
        DispatchQueue.main.async { self.update { $0.message = text } }
    }

    /// Shows the state of the session and of its camera.
    func showSession() {
        let isRunning = session.isRunning
        let icon = cameraInput.flatMap { $0.device.hasFlash ? Self.flashIcon(for: $0.device.flashMode) : nil }
        DispatchQueue.main.async {
            self.update { controller in
                controller.isRunning = isRunning
                controller.flashIcon = icon
            }
        }
    }
}
