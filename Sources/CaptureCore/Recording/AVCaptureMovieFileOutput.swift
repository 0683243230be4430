public import AssetTypes
import CaptureHAL
public import Foundation
public import MediaTypes

/// Records a session's video and audio to QuickTime (.mov) or MPEG-4 (.mp4, .m4v) files.
///
/// Movies with video can have tracks of timed metadata, which an `AVCaptureMetadataInput` supplies.
///
/// At 60 frames per second or more, every second frame is encoded as droppable.
/// - Note: Unlike Apple, the file extension selects the format; Apple's output writes QuickTime files only.
/// - Important: Thread-safe.
public final class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    // SAFETY: all state is behind `options` and `arrivals`, or confined to `worker`.
    struct Options: Sendable {
        var fragmentInterval = CMTime(value: 10, timescale: 1)
        var items: [AVMetadataItem]?
        /// The format of an audio file; nil for a movie.
        var audioFile: AudioFileFormat?
        var switching = SwitchingOptions()
        /// Whether the session decides whether movies have metadata for cinematic video.
        var adjustsCinematicMetadata = true
        /// The camera to which the behavior for recordings was applied.
        var switchedCamera = WeakReference<AVCaptureDevice>(nil)
    }

    let options = Lock(Options())
    private let arrivals = Lock(MediaArrivalTracker())
    /// Ended recordings that wait for media captured before their end, with their timeouts; confined to `worker`.
    private var ending: [(recording: MovieRecording, timer: ClockTimer)] = []

    public init() { super.init(system: .current, label: "obscura.movie") }

    override var acceptedMedia: [AVMediaType] { [.video, .audio, .metadata] }
    override var recordsEachFrame: Bool { true }
    override var preventsLivePhotos: Bool { true }

    /// The maximum duration that a crash can lose; invalid disables fragments. 10 s by default.
    public var movieFragmentInterval: CMTime {
        get { observedProperties.value(\.fragmentInterval, in: options) }
        set { observedProperties.set(\.fragmentInterval, in: options, to: newValue) }
    }

    /// Metadata written in addition to the metadata that the output creates; can be set until the end of a recording.
    ///
    /// Items of the common and the QuickTime key space are supported; see `AVMetadataItem`.
    public var metadata: [AVMetadataItem]? {
        get {
            observedProperties.access()
            return options.withLock { $0.items }
        }
        set {
            options.withLock { $0.items = newValue }
            worker.submit {
                guard let recording = self.recording else { return }
                recording.items = newValue ?? []
                recording.updateMetadata()
            }
            observedProperties.changed()
        }
    }

    public override func startRecording(
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
        session?.runDeferredStart()
        let start = recordingTime
        if isRecording { end(.switched(at: start)) }
        let number = updateProgress { progress in
            progress = Progress(
                number: progress.number + 1, url: outputFileURL, endingCount: progress.endingCount)
            return progress.number
        }
        beginRecordingSwitching()
        let session = session
        let lastAudio = arrivals.withLock { $0.lastAudio }
        system.reference.lifetimes.add(delegate, "the delegate")
        let notifier = RecordingDelegateNotifier(
            output: self, url: outputFileURL, connections: connections, delegate: delegate, queue: callbackQueue)
        worker.submit {
            self.begin(notifier, number, at: start, isSessionRunning: session?.isRunning ?? false)
            if let lastAudio, lastAudio.end > start { self.process(lastAudio.media, from: lastAudio.connection) }
        }
    }

    public override func stopRecording() { end(.stopped(at: recordingTime)) }

    override func willReceive(_ frame: CapturedFrame, from connection: AVCaptureConnection, after delay: CMTime) {
        let now = system.clock.now
        arrivals.withLock { $0.expect(frame, from: connection, at: now, after: delay) }
    }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        let now = system.clock.now
        // The last audio is released outside the lock: its release returns the memory to its pool.
        let old = arrivals.withLock { arrivals in
            defer { arrivals.record(media, from: connection, at: now) }
            return arrivals.lastAudio
        }
        withExtendedLifetime(old) {}
        switch media {
        case .video(let frame):
            callSampleDelegate(with: CMSampleBuffer(frame), at: frame.presentationTime, from: connection)
        case .audio(let chunk):
            callSampleDelegate(
                with: CMSampleBuffer(chunk, CMFormatDescription(pcm: chunk.format.streamDescription)),
                at: chunk.presentationTime, from: connection)
        }
        guard progress.withLock({ $0.receivesMedia }) else { return }
        let isAccepted = submit(media) { self.process(media, from: connection) }
        if !isAccepted, case .video(let frame) = media { countDroppedFrame(at: frame.presentationTime) }
    }

    override func consumeDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        guard connection.mediaType == .video, progress.withLock({ $0.receivesMedia }) else { return }
        countDroppedFrame(at: drop.presentationTime)
    }

    private func countDroppedFrame(at time: CMTime) {
        worker.submit {
            for item in self.ending { item.recording.countDroppedFrame(at: time) }
            self.recording?.countDroppedFrame(at: time)
        }
    }

    override func consume(_ metadata: ClientMetadata, from connection: AVCaptureConnection) {
        guard progress.withLock({ $0.receivesMedia }) else { return }
        worker.submit {
            for recording in self.ending.map(\.recording) + [self.recording].compactMap({ $0 }) {
                guard let error = recording.process(metadata, from: connection) else { continue }
                self.fail(recording, error.reason, isPlayable: error.isPlayable)
            }
        }
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        worker.submit {
            for item in self.ending {
                let hasEnded = item.recording.sourceDidEnd(connection, at: time)
                guard let ending = item.recording.ending, hasEnded || item.recording.isComplete(ending) else {
                    continue
                }
                self.complete(item.recording, ending.reason)
            }
            if let recording = self.recording, recording.sourceDidEnd(connection, at: time) {
                self.complete(recording, .sourceEnded)
            }
        }
    }

    override func sessionDidStop(_ reason: StopReason) {
        let now = system.clock.now
        let old = arrivals.withLock { arrivals in
            defer { arrivals.reset() }
            return arrivals.lastAudio
        }
        withExtendedLifetime(old) {}
        worker.submit {
            for item in self.ending {
                self.complete(item.recording, item.recording.ending?.reason ?? .stopped(at: now))
            }
            if let recording = self.recording { self.complete(recording, .sessionEnded(reason, at: now)) }
        }
    }

    private func begin(
        _ notifier: RecordingDelegateNotifier, _ number: Int, at start: CMTime, isSessionRunning: Bool
    ) {
        let options = options.withLock { $0 }
        let new = MovieRecording(
            notifier, number: number, system: system, limits: limits.withLock { $0 }, options: options, start: start)
        new.items = options.items ?? []
        begin(new, isSessionRunning: isSessionRunning)
    }

    private func process(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        for recording in ending.map(\.recording) + [recording].compactMap({ $0 }) {
            process(media, from: connection, in: recording)
        }
    }

    /// Ends the current recording, immediately or after the media that were captured before the end have arrived.
    private func end(_ reason: MovieRecording.EndReason) {
        let arrivals = arrivals.withLock { $0 }
        worker.submit {
            guard let recording = self.recording else { return }
            guard recording.startEnding(reason, arrivals), let ending = recording.ending else {
                return self.complete(recording, reason)
            }
            let number = recording.number
            let timer = self.system.clock.schedule(at: ending.deadline) { [weak self] in
                guard let self else { return }
                self.worker.submit { self.endWaiting(number) }
            }
            self.recording = nil
            self.ending.append((recording, timer))
            self.stopReceiving(recording) { $0.endingCount += 1 }
            // The delegate must not receive willFinish before didStart.
            if recording.hasBegun { recording.notifyWillFinish(recording.cause(of: reason)) }
        }
    }

    /// Completes an ended recording after its timeout, even if media are missing.
    private func endWaiting(_ number: Int) {
        guard let recording = ending.first(where: { $0.recording.number == number })?.recording,
            let reason = recording.ending?.reason
        else { return }
        complete(recording, reason)
    }

    override func detach(_ recording: MovieRecording) -> Bool {
        // A newer recording continues to use the camera's behavior for recordings.
        if progress.withLock({ $0.number == recording.number }) { endRecordingSwitching() }
        if super.detach(recording) { return true }
        guard let index = ending.firstIndex(where: { $0.recording === recording }) else { return false }
        ending.remove(at: index).timer.cancel()
        progress.withLock { $0.endingCount -= 1 }
        return true
    }
}

extension CMSampleBuffer {
    /// Creates a sample of a frame in the device's native format; nil if it cannot be decoded.
    fileprivate convenience init?(_ frame: CapturedFrame) {
        // A damaged frame has no pixels; the recording counts it as dropped.
        guard let pixels = try? frame.pixelBuffer() else { return nil }
        self.init(imageBuffer: pixels, formatDescription: .shared(by: pixels), timing: frame.timing)
    }
}
