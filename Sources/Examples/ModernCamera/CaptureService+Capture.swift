import AVFoundation

// Photos and movies.
extension CaptureService {
    func capturePhoto() async throws -> Photo {
        guard session.isRunning, photoOutput.connection(with: .video)?.isActive == true else {
            throw CaptureError.notRunning
        }
        level(photoOutput)
        let settings = makePhotoSettings()
        var receiver: PhotoReceiver?
        // The output does not retain its delegate.
        defer { withExtendedLifetime(receiver) {} }
        return try await withCheckedThrowingContinuation { continuation in
            let newReceiver = PhotoReceiver(continuation)
            receiver = newReceiver
            photoOutput.capturePhoto(with: settings, delegate: newReceiver)
        }
    }

    /// Returns settings for a HEIF file, or for a JPEG file if the camera has no HEVC.
    private func makePhotoSettings() -> AVCapturePhotoSettings {
        let codec = photoOutput.availablePhotoCodecTypes.contains(.hevc) ? AVVideoCodecType.hevc : .jpeg
        let photo = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
        photo.maxPhotoDimensions = photoOutput.maxPhotoDimensions
        if photoOutput.isLivePhotoCaptureEnabled {
            photo.livePhotoMovieFileURL = settings.movieFolder.appendingPathComponent(UUID().uuidString)
                .appendingPathExtension("mov")
        }
        return photo
    }

    /// Records a movie until `stopRecording()`, or until the recording ends for another reason.
    func recordMovie() async throws -> Movie {
        guard !movieOutput.isRecording else { throw CaptureError.alreadyRecording }
        guard session.isRunning, movieOutput.connection(with: .video)?.isActive == true else {
            throw CaptureError.notRunning
        }
        let url = settings.movieFolder.appendingPathComponent(UUID().uuidString).appendingPathExtension("mov")
        level(movieOutput)
        defer { stopTimer() }
        var receiver: MovieReceiver?
        // The output does not retain its delegate.
        defer { withExtendedLifetime(receiver) {} }
        return try await withCheckedThrowingContinuation { continuation in
            let newReceiver = MovieReceiver(continuation) { Task { await self.startTimer() } }
            receiver = newReceiver
            movieOutput.startRecording(to: url, recordingDelegate: newReceiver)
        }
    }

    func stopRecording() {
        movieOutput.stopRecording()
    }

    /// Sets the rotation of an output's connection so that its next captures are level with the horizon.
    private func level(_ output: AVCaptureOutput) {
        guard let angle = rotation?.videoRotationAngleForHorizonLevelCapture,
            let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(angle)
        else { return }
        connection.videoRotationAngle = angle
    }

    /// Reports the recorded time every half second.
    private func startTimer() {
        guard movieOutput.isRecording else { return }
        let start = ContinuousClock.now
        let timer = DispatchSource.makeTimerSource(queue: sessionQueue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(500))
        timer.setEventHandler { [weak self] in
            self?.assumeIsolated { $0.report(.recordedTime(start.duration(to: .now))) }
        }
        timer.resume()
        recordingTimer = timer
    }

    private func stopTimer() {
        recordingTimer?.cancel()
        recordingTimer = nil
    }
}

/// Receives one photo, and the movie of a Live Photo. The methods are called one after the other.
private final class PhotoReceiver: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    // SAFETY: the output calls the methods on one serial queue.
    private let continuation: CheckedContinuation<Photo, any Error>
    private var data: Data?
    private var movie: URL?
    private var error: (any Error)?

    init(_ continuation: CheckedContinuation<Photo, any Error>) {
        self.continuation = continuation
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        if let error { self.error = error } else { data = photo.fileDataRepresentation() }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL, duration: CMTime,
        photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
        // The photo is good without its movie.
        if error == nil { movie = outputFileURL }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        if let error = self.error {
            continuation.resume(throwing: error)
        } else if let data {
            continuation.resume(returning: Photo(data: data, movie: movie))
        } else {
            continuation.resume(throwing: CaptureError.noPhotoData)
        }
    }
}

/// Receives one movie.
private final class MovieReceiver: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
    private let continuation: CheckedContinuation<Movie, any Error>
    private let didStart: @Sendable () -> Void

    init(_ continuation: CheckedContinuation<Movie, any Error>, didStart: @escaping @Sendable () -> Void) {
        self.continuation = continuation
        self.didStart = didStart
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {
        didStart()
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let reason = error as? AVError
        if let error, reason?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool != true {
            continuation.resume(throwing: error)
        } else {
            continuation.resume(
                returning: Movie(url: outputFileURL, duration: output.recordedDuration, endReason: reason))
        }
    }
}
