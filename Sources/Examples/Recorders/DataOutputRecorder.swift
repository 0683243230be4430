import AVFoundation

/// Recorder 1: receives frames and audio from data outputs, and writes them with an asset writer.
///
/// Frames and audio are received, and movies started and finished, on one serial queue, so that the order is preserved.
public final class DataOutputRecorder: NSObject, Recorder, @unchecked Sendable {
    // SAFETY: the movie is used on `queue` only; the other properties are constants.

    /// Changes a frame before it is written.
    public typealias FrameProcessor = @Sendable (CMSampleBuffer) throws -> CMSampleBuffer

    private typealias Completion = @Sendable (Result<URL, any Error>) -> Void

    /// The movie that is being written.
    private struct Movie {
        let url: URL
        let completion: Completion
        var isPaused = false
        var timeline = PauseTimeline()
        /// Nil before the first frame.
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
    ///   - movieSize: The size of the movie in pixels; frames with another aspect ratio are cropped. Nil for the size
    ///     of the frames.
    ///   - removesPauses: Whether a movie continues where it was paused. If not, a pause is a gap in the movie, because
    ///     the asset writer does not support pauses.
    ///   - processFrame: Changes each frame of a movie; nil to write frames unchanged.
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

    /// Reports the result of a recording on the main thread.
    private static func report(_ result: Result<URL, any Error>, _ completion: @escaping Completion) {
        DispatchQueue.main.async { completion(result) }
    }
}

extension DataOutputRecorder: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate
{
    /// Writes a frame or audio during a recording that is not paused.
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard movie?.isPaused == false else { return }
        do {
            if output === videoOutput { try writeFrame(sampleBuffer) } else { try writeAudio(sampleBuffer) }
        } catch {
            fail(error, output === videoOutput ? "video write failed" : "audio write failed")
        }
    }

    /// Writes a frame; the first one starts the movie.
    private func writeFrame(_ sampleBuffer: CMSampleBuffer) throws {
        let frame = try processFrame?(sampleBuffer) ?? sampleBuffer
        if movie?.writer == nil {
            let writer = try makeWriter(for: frame)
            movie?.writer = writer
        }
        guard let retimed = try movie?.timeline.retime(frame, isVideo: true) else { return }
        try movie?.writer?.append(retimed, isVideo: true)
    }

    /// Writes audio; audio before the first frame is dropped.
    private func writeAudio(_ sampleBuffer: CMSampleBuffer) throws {
        guard let writer = movie?.writer, let retimed = try movie?.timeline.retime(sampleBuffer, isVideo: false) else {
            return
        }
        try writer.append(retimed, isVideo: false)
    }

    private func makeWriter(for frame: CMSampleBuffer) throws -> MovieWriter? {
        guard let movie, let image = frame.imageBuffer else { return nil }
        let size = CGSize(width: CVPixelBufferGetWidth(image), height: CVPixelBufferGetHeight(image))
        return try MovieWriter(
            url: movie.url, size: movieSize ?? size, hasSound: audioOutput.connection(with: .audio)?.isActive == true,
            startTime: frame.presentationTimeStamp)
    }

    /// Ends the movie with an error.
    private func fail(_ error: any Error, _ message: String) {
        log("\(message): \(error.localizedDescription)")
        guard let movie else { return }
        self.movie = nil
        Self.report(.failure(error), movie.completion)
    }
}
