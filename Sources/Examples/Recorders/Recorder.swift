import AVFoundation

/// Records the media of a capture session to movie files.
///
/// The camera controller adds the outputs to its session, and calls the methods on its session queue.
public protocol Recorder: AnyObject, Sendable {
    /// The file extension of the movies.
    var fileExtension: String { get }

    /// The outputs that the session needs for this recorder.
    var outputs: [AVCaptureOutput] { get }

    /// Configures the connections of the outputs. Call it after each change of the session's inputs, because the change
    /// creates new connections.
    func configureConnections()

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - url: A file that does not exist.
    ///   - completion: Called once on the main thread, with the URL of the finished movie or with an error.
    func startRecording(to url: URL, completion: @escaping @Sendable (Result<URL, any Error>) -> Void)

    /// Pauses the recording.
    func pauseRecording()

    /// Continues the recording after a pause.
    func resumeRecording()

    /// Stops the recording and finishes the movie. Has no effect if no movie is being recorded.
    func stopRecording()
}
