import AVFoundation

/// Recorder 2: a movie file output, which encodes and writes video and audio itself.
public final class MovieFileRecorder: NSObject, Recorder, @unchecked Sendable {
    // SAFETY: the methods are called on one queue, as the protocol documents.
    public let fileExtension = "mov"
    public var outputs: [AVCaptureOutput] { [movieOutput] }
    private let movieOutput = AVCaptureMovieFileOutput()
    /// The delegate of the current movie, or of the last one.
    private var delegate: MovieDelegate?

    public func configureConnections() {
        guard let connection = movieOutput.connection(with: .video) else { return }
        if connection.isVideoOrientationSupported { connection.videoOrientation = .landscapeRight }
        if connection.isVideoStabilizationSupported { connection.preferredVideoStabilizationMode = .auto }
    }

    public func startRecording(to url: URL, completion: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        guard movieOutput.connection(with: .video)?.isActive == true else {
            return DispatchQueue.main.async { completion(.failure(AVError(.sessionNotRunning))) }
        }
        let delegate = MovieDelegate(completion)
        self.delegate = delegate
        movieOutput.startRecording(to: url, recordingDelegate: delegate)
    }

    public func pauseRecording() { movieOutput.pauseRecording() }

    public func resumeRecording() { movieOutput.resumeRecording() }

    public func stopRecording() {
        if movieOutput.isRecording { movieOutput.stopRecording() }
    }
}

/// Receives the result of one recording.
private final class MovieDelegate: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
    private let completion: @Sendable (Result<URL, any Error>) -> Void

    init(_ completion: @escaping @Sendable (Result<URL, any Error>) -> Void) { self.completion = completion }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        // A recording that reached a limit, or was interrupted, ends with an error and a playable file.
        let isPlayable =
            (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        let completion = completion
        DispatchQueue.main.async {
            if let error, !isPlayable { completion(.failure(error)) } else { completion(.success(outputFileURL)) }
        }
    }
}
