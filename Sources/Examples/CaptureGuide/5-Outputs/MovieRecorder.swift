import AVFoundation

/// Records movies of a session's camera and microphone.
public final class MovieRecorder: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
    /// A recording that has ended.
    public struct Result: Sendable {
        public let url: URL
        /// The reason why the recording ended; nil if the app stopped it.
        public let error: AVError?
        /// Whether the file is playable. A recording that ends at a limit has an error and a playable file.
        public let isPlayable: Bool
    }

    /// The output; add it to the session.
    public let output = AVCaptureMovieFileOutput()
    private let finished: @Sendable (Result) -> Void

    /// Creates a recorder.
    ///
    /// - Parameter finished: Called once for each recording, on a queue of the output, when the file is complete.
    public init(finished: @escaping @Sendable (Result) -> Void) {
        self.finished = finished
        super.init()
    }

    /// Sets the limits at which recordings end: a duration, a file size in bytes, and a minimum of free space in bytes.
    public func setLimits(duration: CMTime = .invalid, fileSize: Int64 = 0, freeSpace: Int64 = 0) {
        output.maxRecordedDuration = duration
        output.maxRecordedFileSize = fileSize
        output.minFreeDiskSpaceLimit = freeSpace
    }

    /// Records to a file that does not exist yet.
    public func start(to url: URL) { output.startRecording(to: url, recordingDelegate: self) }

    /// Ends the recording; its file is complete when `finished` is called.
    public func stop() { output.stopRecording() }

    /// Reports a recording that has ended, and whether its file is playable despite an error.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let error = error as? AVError
        let finishedSuccessfully = error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool
        finished(Result(url: outputFileURL, error: error, isPlayable: error == nil || finishedSuccessfully == true))
    }
}
