import AVFoundation
import UIKit

/// The capture session of the camera. All work on the session happens on its queue.
final class ClipSession: NSObject, @unchecked Sendable {
    // SAFETY: all variables are used on `queue`.

    /// What the session reports to the screen.
    enum Event: Sendable {
        case didChangeRunning(Bool)
        case didFinishRecording(URL, isGood: Bool)
        case didFinishPhoto(Data?)
        case didMeasure(sharpness: Int)
    }

    let queue = DispatchQueue(label: "clip.session")
    let session = AVCaptureSession()
    private let faults: Set<ClipCameraFault>
    private let report: @Sendable (Event) -> Void
    private let movieOutput = AVCaptureMovieFileOutput()
    private let photoOutput = AVCapturePhotoOutput()
    private let videoOutput = AVCaptureVideoDataOutput()
    private var input: AVCaptureDeviceInput?
    private var observers: [any NSObjectProtocol] = []
    /// Whether the session was stopped because of an interruption that has not ended.
    private var isStoppedByInterruption = false
    /// Whether the screen needs the camera.
    private var isNeeded = false
    /// Whether a recording has been requested and has not finished.
    private var isRecording = false
    /// The delegates of the photos in progress. The output does not retain them.
    private var photoReceivers: [ObjectIdentifier: PhotoReceiver] = [:]
    private var photoReceiver: PhotoReceiver?

    init(faults: Set<ClipCameraFault>, report: @escaping @Sendable (Event) -> Void) {
        self.faults = faults
        self.report = report
        super.init()
        observe()
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    // MARK: Running

    func start() {
        queue.async {
            self.isNeeded = true
            self.startIfNeeded()
        }
    }

    func stop() {
        queue.async { self.stopNow() }
    }

    /// Stops the session and waits until it has stopped.
    func stopAndWait() {
        queue.sync { self.stopNow() }
    }

    private func stopNow() {
        isNeeded = false
        if isRecording { movieOutput.stopRecording() }
        session.stopRunning()
        reportRunning()
    }

    private func startIfNeeded() {
        guard isNeeded else { return }
        if input == nil { configure() }
        session.startRunning()
        reportRunning()
        // The camera is not available at present: another program uses it, or it is too hot.
        if !session.isRunning { retry() }
    }

    private func retry() {
        queue.asyncAfter(deadline: .now() + 0.5) { [weak self] in
            guard let self, isNeeded, !session.isRunning, !session.isInterrupted else { return }
            startIfNeeded()
        }
    }

    private func reportRunning() { report(.didChangeRunning(session.isRunning)) }

    // MARK: Configuration

    private func configure() {
        session.beginConfiguration()
        session.sessionPreset = .cif352x288
        use(.back)
        if let microphone = AVCaptureDevice.default(for: .audio),
            let input = try? AVCaptureDeviceInput(device: microphone), session.canAddInput(input)
        {
            session.addInput(input)
        }
        for output in [movieOutput, photoOutput, videoOutput] where session.canAddOutput(output) {
            session.addOutput(output)
        }
        videoOutput.setSampleBufferDelegate(self, queue: queue)
        session.commitConfiguration()
    }

    private func use(_ position: AVCaptureDevice.Position) {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position),
            let new = try? AVCaptureDeviceInput(device: device)
        else { return }
        let old = input
        if let old { session.removeInput(old) }
        if session.canAddInput(new) {
            session.addInput(new)
            input = new
        } else if let old {
            session.addInput(old)
        }
    }

    func switchCamera() {
        queue.async {
            guard self.input != nil, !self.isRecording else { return }
            self.session.beginConfiguration()
            let position: AVCaptureDevice.Position = self.input?.device.position == .back ? .front : .back
            guard self.faults.contains(.startsDuringConfiguration) else {
                self.use(position)
                return self.session.commitConfiguration()
            }
            // The picture turns during this time.
            self.queue.asyncAfter(deadline: .now() + 0.3) {
                self.use(position)
                self.session.commitConfiguration()
            }
        }
    }

    // MARK: Recordings and photos

    func record(to movie: URL) {
        queue.async {
            guard self.session.isRunning, !self.isRecording,
                self.movieOutput.connection(with: .video)?.isActive == true
            else { return self.report(.didFinishRecording(movie, isGood: false)) }
            self.isRecording = true
            self.setTorch(.on)
            self.movieOutput.startRecording(to: movie, recordingDelegate: self)
        }
    }

    /// Stops the recording. The torch is turned off when it has finished.
    func stopRecording() {
        queue.async {
            if self.faults.contains(.leavesTorchOn) { self.setTorch(.off) }
            if self.isRecording { self.movieOutput.stopRecording() }
        }
    }

    func takePhoto() {
        queue.async {
            guard self.session.isRunning, self.photoOutput.connection(with: .video)?.isActive == true else {
                return self.report(.didFinishPhoto(nil))
            }
            let receiver = PhotoReceiver { [weak self] receiver, photo in self?.didFinish(receiver, photo) }
            if self.faults.contains(.losesFirstOfTwoPhotos) {
                self.photoReceiver = receiver
            } else {
                self.photoReceivers[ObjectIdentifier(receiver)] = receiver
            }
            self.photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: receiver)
        }
    }

    private func didFinish(_ receiver: PhotoReceiver, _ photo: Data?) {
        report(.didFinishPhoto(photo))
        queue.async {
            self.photoReceivers[ObjectIdentifier(receiver)] = nil
            if self.photoReceiver === receiver { self.photoReceiver = nil }
        }
    }

    private func setTorch(_ mode: AVCaptureDevice.TorchMode) {
        guard let device = input?.device, device.hasTorch, device.isTorchModeSupported(mode),
            mode == .off || device.isTorchAvailable, (try? device.lockForConfiguration()) != nil
        else { return }
        device.torchMode = mode
        device.unlockForConfiguration()
    }

    // MARK: Notifications

    private func observe(
        _ name: Notification.Name, of object: AnyObject?,
        _ handle: @escaping @Sendable (ClipSession, Notification) -> Void
    ) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
                [weak self] notification in
                guard let self else { return }
                // SAFETY: the notification is only read.
                nonisolated(unsafe) let notification = notification
                queue.async { handle(self, notification) }
            })
    }

    private func observe() {
        observe(AVCaptureSession.wasInterruptedNotification, of: session) { clip, notification in
            let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            let isInBackground =
                value == AVCaptureSession.InterruptionReason.videoDeviceNotAvailableInBackground.rawValue
            if clip.faults.contains(.staysStoppedAfterInterruption), !isInBackground {
                clip.isStoppedByInterruption = true
                clip.session.stopRunning()
            }
            clip.reportRunning()
        }
        observe(AVCaptureSession.interruptionEndedNotification, of: session) { clip, _ in clip.resume() }
        observe(UIApplication.didEnterBackgroundNotification, of: nil) { clip, _ in
            clip.isStoppedByInterruption = false
        }
        observe(UIApplication.didBecomeActiveNotification, of: nil) { clip, _ in
            if !clip.faults.contains(.staysStoppedAfterInterruption) { clip.resume() }
        }
        observe(AVCaptureSession.runtimeErrorNotification, of: session) { clip, _ in
            clip.reportRunning()
            if clip.isNeeded { clip.retry() }
        }
        guard faults.contains(.leavesObserver) else { return }
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { _ in self.stopRecording() }
    }

    /// Continues after an interruption. A session that was not stopped has resumed already.
    private func resume() {
        let mayStart = isStoppedByInterruption || !faults.contains(.staysStoppedAfterInterruption)
        if isNeeded, !session.isRunning, mayStart { startIfNeeded() }
        isStoppedByInterruption = false
        reportRunning()
    }
}

extension ClipSession: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        // The measurement takes 5 ms.
        Thread.sleep(forTimeInterval: 0.005)
        let sharpness = CMSampleBufferGetImageBuffer(sampleBuffer) == nil ? 0 : 1
        if faults.contains(.deadlocksWhenClosed) {
            DispatchQueue.main.sync { report(.didMeasure(sharpness: sharpness)) }
        } else {
            report(.didMeasure(sharpness: sharpness))
        }
    }
}

extension ClipSession: AVCaptureFileOutputRecordingDelegate {
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let isGood = (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        queue.async {
            self.isRecording = false
            if !self.faults.contains(.leavesTorchOn) { self.setTorch(.off) }
            self.report(.didFinishRecording(outputFileURL, isGood: isGood))
        }
    }
}

/// Receives one photo.
private final class PhotoReceiver: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    // SAFETY: the variable is used by the callbacks of one photo, which do not overlap.
    private let didFinish: @Sendable (PhotoReceiver, Data?) -> Void
    private var data: Data?

    init(didFinish: @escaping @Sendable (PhotoReceiver, Data?) -> Void) { self.didFinish = didFinish }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        data = error == nil ? photo.fileDataRepresentation() : nil
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        didFinish(self, data)
    }
}
