import AVFoundation

/// An error of a camera controller.
public enum CameraError: Error {
    case notAuthorized, noCamera, cannotBeConfigured, noPhoto
}

/// The camera of an app: a session with a camera, a microphone, a movie output and a photo output.
public final class CameraController: NSObject {
    /// The session, for the views of the app.
    public let session = AVCaptureSession()
    /// The preview, which a view adds to its layer.
    public private(set) lazy var previewLayer: AVCaptureVideoPreviewLayer = {
        let layer = AVCaptureVideoPreviewLayer(session: session)
        layer.videoGravity = .resizeAspectFill
        return layer
    }()
    private let movieOutput = AVCaptureMovieFileOutput()
    private let photoOutput = AVCapturePhotoOutput()
    private let sessionQueue = DispatchQueue(label: "camera.session")
    private var recordingCompletion: ((Result<URL, Error>) -> Void)?
    private var photoCompletion: ((Result<Data, Error>) -> Void)?

    /// Requests access to the camera, configures the session and starts it. The completion handler runs on the session
    /// queue.
    public func start(completion: @escaping (Error?) -> Void) {
        AVCaptureDevice.requestAccess(for: .video) { granted in
            self.sessionQueue.async {
                guard granted else { return completion(CameraError.notAuthorized) }
                do {
                    try self.configure()
                    self.session.startRunning()
                    completion(nil)
                } catch {
                    completion(error)
                }
            }
        }
    }

    /// Stops the session. The completion handler runs on the session queue.
    public func stop(completion: @escaping () -> Void) {
        sessionQueue.async {
            self.session.stopRunning()
            completion()
        }
    }

    /// Starts a recording, which `stopRecording()` ends.
    public func startRecording(to url: URL, completion: @escaping (Result<URL, Error>) -> Void) {
        sessionQueue.async {
            self.recordingCompletion = completion
            self.movieOutput.startRecording(to: url, recordingDelegate: self)
        }
    }

    /// Stops the recording.
    public func stopRecording() {
        sessionQueue.async { self.movieOutput.stopRecording() }
    }

    /// Takes a JPEG photo.
    public func takePhoto(completion: @escaping (Result<Data, Error>) -> Void) {
        sessionQueue.async {
            self.photoCompletion = completion
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
            self.photoOutput.capturePhoto(with: settings, delegate: self)
        }
    }

    /// Focuses and exposes at a point of the preview layer. The completion handler receives the point of interest.
    public func focus(at layerPoint: CGPoint, completion: @escaping (CGPoint) -> Void) {
        let point = previewLayer.captureDevicePointConverted(fromLayerPoint: layerPoint)
        sessionQueue.async {
            let inputs = self.session.inputs.compactMap { $0 as? AVCaptureDeviceInput }
            guard let camera = inputs.map(\.device).first(where: { $0.hasMediaType(.video) }),
                (try? camera.lockForConfiguration()) != nil
            else { return completion(point) }
            if camera.isFocusPointOfInterestSupported, camera.isFocusModeSupported(.autoFocus) {
                camera.focusPointOfInterest = point
                camera.focusMode = .autoFocus
            }
            if camera.isExposurePointOfInterestSupported, camera.isExposureModeSupported(.continuousAutoExposure) {
                camera.exposurePointOfInterest = point
                camera.exposureMode = .continuousAutoExposure
            }
            camera.unlockForConfiguration()
            completion(point)
        }
    }

    private func configure() throws {
        guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
            throw CameraError.noCamera
        }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .hd1280x720
        try add(AVCaptureDeviceInput(device: camera))
        if let microphone = AVCaptureDevice.default(for: .audio) {
            try add(AVCaptureDeviceInput(device: microphone))
        }
        for output in [movieOutput, photoOutput] as [AVCaptureOutput] {
            guard session.canAddOutput(output) else { throw CameraError.cannotBeConfigured }
            session.addOutput(output)
        }
    }

    private func add(_ input: AVCaptureInput) throws {
        guard session.canAddInput(input) else { throw CameraError.cannotBeConfigured }
        session.addInput(input)
    }
}

extension CameraController: AVCaptureFileOutputRecordingDelegate {
    public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection],
        error: Error?
    ) {
        recordingCompletion?(error.map { .failure($0) } ?? .success(outputFileURL))
        recordingCompletion = nil
    }
}

extension CameraController: AVCapturePhotoCaptureDelegate {
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: Error?
    ) {
        if let error {
            photoCompletion?(.failure(error))
        } else if let data = photo.fileDataRepresentation() {
            photoCompletion?(.success(data))
        } else {
            photoCompletion?(.failure(CameraError.noPhoto))
        }
        photoCompletion = nil
    }
}
