import AVFoundation

/// Recorder 1: receives pictures and sound from data outputs, and writes them with an asset writer.
///
/// One serial queue receives pictures and sound, starts and finishes movies, so that all of this happens in order.
public final class DataOutputRecorder: NSObject, Recorder, @unchecked Sendable {
    // SAFETY: the movie is used on `queue` only; the other properties are constants.

    /// Changes a picture before it is written.
    public typealias FrameProcessor = @Sendable (CMSampleBuffer) throws -> CMSampleBuffer

    private typealias Completion = @Sendable (Result<URL, any Error>) -> Void

    /// The movie that is being written.
    private struct Movie {
        let url: URL
        let completion: Completion
        var isPaused = false
        var timeline = PauseTimeline()
        /// Nil before the first picture.
        var writer: MovieWriter?
    }

    public let fileExtension = "mp4"
    public var outputs: [AVCaptureOutput] { [videoOutput, audioOutput] }
    private let videoOutput = AVCaptureVideoDataOutput()
    private let audioOutput = AVCaptureAudioDataOutput()
    private let queue = DispatchQueue(label: "recorder")
    private let movieSize: CGSize?
    private let removesPauses: Bool
    private let processFrame: FrameProcessor?
    private let log: @Sendable (String) -> Void
    private var movie: Movie?

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - movieSize: The size of the movie, which crops pictures of another shape; nil is the size of the pictures.
    ///   - removesPauses: Whether a movie continues where it was paused. If not, a pause is a gap in the movie: the
    ///     writer itself knows no pauses.
    ///   - processFrame: Changes each picture of a movie.
    ///   - log: Receives a line for each failure.
    public init(
        movieSize: CGSize? = nil, removesPauses: Bool = true, processFrame: FrameProcessor? = nil,
        log: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.movieSize = movieSize
        self.removesPauses = removesPauses
        self.processFrame = processFrame
        self.log = log
        super.init()
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        videoOutput.alwaysDiscardsLateVideoFrames = true
        videoOutput.setSampleBufferDelegate(self, queue: queue)
        audioOutput.setSampleBufferDelegate(self, queue: queue)
    }

    public func configureConnections() {
        guard let connection = videoOutput.connection(with: .video) else { return }
        if connection.isVideoOrientationSupported { connection.videoOrientation = .landscapeRight }
    }

    public func startRecording(to url: URL, completion: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        queue.async { self.movie = Movie(url: url, completion: completion) }
    }

    public func pauseRecording() {
        queue.async { self.movie?.isPaused = true }
    }

    public func resumeRecording() {
        queue.async {
            self.movie?.isPaused = false
            if self.removesPauses { self.movie?.timeline.resume() }
        }
    }

    public func stopRecording() {
        queue.async {
            guard let movie = self.movie else { return }
            self.movie = nil
            let (url, completion) = (movie.url, movie.completion)
            guard let writer = movie.writer else { return Self.report(.failure(AVError(.noDataCaptured)), completion) }
            writer.finish { error in Self.report(error.map { .failure($0) } ?? .success(url), completion) }
        }
    }

    /// Reports the end of a movie on the main thread.
    private static func report(_ result: Result<URL, any Error>, _ completion: @escaping Completion) {
        DispatchQueue.main.async { completion(result) }
    }
}

extension DataOutputRecorder: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate
{
    /// Writes a picture or sound while a movie is recorded.
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard movie?.isPaused == false else { return }
        do {
            if output === videoOutput { try writePicture(sampleBuffer) } else { try writeSound(sampleBuffer) }
        } catch {
            fail(error, output === videoOutput ? "video write failed" : "audio write failed")
        }
    }

    /// Writes a picture; the first one begins the movie.
    private func writePicture(_ sampleBuffer: CMSampleBuffer) throws {
        let picture = try processFrame?(sampleBuffer) ?? sampleBuffer
        if movie?.writer == nil {
            let writer = try makeWriter(for: picture)
            movie?.writer = writer
        }
        guard let placed = try movie?.timeline.place(picture, isVideo: true) else { return }
        try movie?.writer?.append(placed, isVideo: true)
    }

    /// Writes sound; the sound before the first picture is not part of the movie.
    private func writeSound(_ sampleBuffer: CMSampleBuffer) throws {
        guard let writer = movie?.writer, let placed = try movie?.timeline.place(sampleBuffer, isVideo: false) else {
            return
        }
        try writer.append(placed, isVideo: false)
    }

    private func makeWriter(for picture: CMSampleBuffer) throws -> MovieWriter? {
        guard let movie, let image = picture.imageBuffer else { return nil }
        let size = CGSize(width: CVPixelBufferGetWidth(image), height: CVPixelBufferGetHeight(image))
        return try MovieWriter(
            url: movie.url, size: movieSize ?? size, hasSound: audioOutput.connection(with: .audio)?.isActive == true,
            startTime: picture.presentationTimeStamp)
    }

    /// Ends the movie with an error.
    private func fail(_ error: any Error, _ message: String) {
        log("\(message): \(error.localizedDescription)")
        guard let movie else { return }
        self.movie = nil
        Self.report(.failure(error), movie.completion)
    }
}
