import AVFoundation

/// Writes what a capture session delivers to movie files.
///
/// The camera controller adds the outputs to its session, and calls the methods on its session queue.
public protocol Recorder: AnyObject, Sendable {
    /// The file extension of the movies.
    var fileExtension: String { get }

    /// The outputs that the session needs for this recorder.
    var outputs: [AVCaptureOutput] { get }

    /// Sets the connections of the outputs. Call it after each change of the session's inputs, which creates new ones.
    func configureConnections()

    /// Starts a movie.
    ///
    /// - Parameters:
    ///   - url: A file that does not exist.
    ///   - completion: Called once on the main thread, with the finished movie or with the reason why there is none.
    func startRecording(to url: URL, completion: @escaping @Sendable (Result<URL, any Error>) -> Void)

    /// Interrupts the movie.
    func pauseRecording()

    /// Continues the movie after a pause.
    func resumeRecording()

    /// Finishes the movie; does nothing if none is being written.
    func stopRecording()
}
