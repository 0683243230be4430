import CaptureHAL
import Dispatch
public import Foundation
public import MediaTypes

/// Records a session's pictures and sound into QuickTime (.mov) or MPEG-4 (.mp4, .m4v) files.
///
/// - Important: Thread-safe.
public final class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    // SAFETY: all state is behind `options`, or confined to `worker`.
    struct Options: Sendable {
        var fragmentInterval = CMTime(value: 10, timescale: 1)
    }

    let options = Lock(Options())
    private let worker: any ClockWorker
    private let callbackQueue = DispatchQueue(label: "obscura.movie.callbacks")
    /// The present recording; confined to `worker`.
    private var recording: MovieRecording?

    public init() {
        let system = CaptureSystem.current
        worker = system.clock.makeWorker(label: "obscura.movie")
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video, .audio] }

    /// How much of a recording a crash can cost at most; invalid writes no fragments. 10 s by default.
    public var movieFragmentInterval: CMTime {
        get { options.withLock { $0.fragmentInterval } }
        set { options.withLock { $0.fragmentInterval = newValue } }
    }

    /// The codecs on offer; the first is the default.
    public var availableVideoCodecTypes: [AVVideoCodecType] { [.h264, .hevc, .jpeg] }

    /// The settings with which a connection's media are written; empty for those that the preset chooses.
    public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
        connection.state.withLock { $0.movieSettings }?.dictionary ?? [:]
    }

    /// Sets how a video connection's pictures are compressed: `AVVideoCodecKey` and
    /// `AVVideoCompressionPropertiesKey`; nil or an empty dictionary lets the preset choose.
    public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
        guard connection.output === self else {
            return system.misuse.report(
                .invalidArgument,
                "-[AVCaptureMovieFileOutput setOutputSettings:forConnection:] the connection belongs to another output")
        }
        do throws(MovieVideoSettings.Refusal) {
            let settings = try outputSettings.map { (dictionary) throws(MovieVideoSettings.Refusal) in
                try MovieVideoSettings(dictionary, available: availableVideoCodecTypes)
            }
            connection.state.withLock { $0.movieSettings = settings }
        } catch {
            system.misuse.report(
                .invalidArgument, "-[AVCaptureMovieFileOutput setOutputSettings:forConnection:] \(error.reason)")
        }
    }

    /// Begins a recording with the next frame; a recording that runs ends there.
    ///
    /// - Parameters:
    ///   - outputFileURL: A file that does not exist; with the extension mp4 or m4v it is MPEG-4, else QuickTime.
    ///   - delegate: Kept until its last callback.
    public func startRecording(
        to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
    ) {
        guard outputFileURL.isFileURL else {
            return system.misuse.report(
                .invalidArgument,
                "-[AVCaptureMovieFileOutput startRecordingToOutputFileURL:recordingDelegate:] Cannot record to URL "
                    + "\(outputFileURL) because it is not a file URL")
        }
        let connections = connections.filter { $0.isEnabled && $0.isActive }
        guard !connections.isEmpty else {
            return system.misuse.report(
                .invalidArgument,
                "-[AVCaptureMovieFileOutput startRecordingToOutputFileURL:recordingDelegate:] No active/enabled connections"
            )
        }
        if isRecording { stopRecording() }
        progress.withLock { $0 = Progress(url: outputFileURL) }
        let session = session
        let start = system.clock.now
        let follower = RecordingFollower(
            output: self, url: outputFileURL, connections: connections, delegate: delegate, queue: callbackQueue)
        worker.submit {
            self.begin(follower, at: start, isSessionRunning: session?.isRunning ?? false)
        }
    }

    /// Ends the recording; the delegate is told when the file is complete.
    public func stopRecording() {
        let now = system.clock.now
        worker.submit { self.end(.stopped(at: now)) }
    }

    /// Leaves out what comes until `resumeRecording()`.
    public func pauseRecording() {
        let now = system.clock.now
        worker.submit {
            guard let recording = self.recording, recording.pause(at: now) else { return }
            self.progress.withLock { $0.isPaused = true }
            recording.follower.didPause()
        }
    }

    public func resumeRecording() {
        let now = system.clock.now
        worker.submit {
            guard let recording = self.recording, recording.resume(at: now) else { return }
            self.progress.withLock { $0.isPaused = false }
            recording.follower.didResume()
        }
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard isRecording else { return }
        worker.submit { self.take(media, from: connection) }
    }

    override func receiveDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        guard isRecording, connection.mediaType == .video else { return }
        worker.submit { self.recording?.countDrop(drop) }
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        worker.submit {
            if self.recording?.sourceDidEnd(connection, at: time) == true { self.end(.sourceEnded) }
        }
    }

    override func sessionDidStop(_ reason: StopReason) {
        let now = system.clock.now
        worker.submit { self.end(.sessionEnded(reason, at: now)) }
    }

    private func begin(_ follower: RecordingFollower, at start: CMTime, isSessionRunning: Bool) {
        let new = MovieRecording(
            follower, system: system, limits: limits.withLock { $0 }, options: options.withLock { $0 }, start: start)
        guard isSessionRunning else {
            return finished(new, .failure(AVError(.sessionNotRunning, "the session does not run"), isGood: false))
        }
        if let error = new.reasonNotToStart() { return finished(new, .failure(error, isGood: false)) }
        recording = new
    }

    private func take(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard let recording else { return }
        let verdict = recording.take(media, from: connection)
        publish(recording)
        switch verdict {
        case .goOn: return
        case .end(let reason): end(reason)
        case .failed(let error, let isGood):
            self.recording = nil
            finished(recording, .failure(error, isGood: isGood))
        }
    }

    private func end(_ reason: MovieRecording.EndReason) {
        guard let recording else { return }
        self.recording = nil
        let result = recording.finish(reason)
        publish(recording)
        finished(recording, result)
    }

    private func publish(_ recording: MovieRecording) {
        let (duration, fileSize) = (recording.recordedDuration, recording.recordedByteCount)
        let statistics = recording.statistics
        progress.withLock { progress in
            guard progress.url == recording.follower.url else { return }
            progress.duration = duration
            progress.fileSize = fileSize
            progress.statistics = statistics
        }
    }

    private func finished(_ recording: MovieRecording, _ result: MovieRecording.Result) {
        progress.withLock { progress in
            guard progress.url == recording.follower.url else { return }
            progress.url = nil
            progress.isPaused = false
        }
        recording.follower.didFinish(result.error)
    }
}
