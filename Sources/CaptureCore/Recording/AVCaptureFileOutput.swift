import AssetTypes
import CaptureHAL
import Dispatch
public import Foundation
public import MediaTypes

/// Statistics of a recording.
package struct RecordingStatistics: Sendable, Hashable {
    /// The number of recorded frames.
    package var videoFrameCount = 0
    /// The number of frames that the device or the decoder lost during the recording.
    package var droppedFrameCount = 0
    /// The time of the last frame, recorded or lost, relative to the first frame, including pauses; nil before the
    /// first frame.
    package var lastVideoTime: CMTime?
    /// The duration of the last recorded frame.
    package var lastVideoDuration = CMTime.zero
    /// The number of audio frames in the presentation of the movie; 0 until the recording has ended.
    package var audioSampleCount: Int64 = 0
    /// The width in pixels; 0 without video.
    package var width = 0
    /// The height in pixels; 0 without video.
    package var height = 0
}

/// An output that writes files.
///
/// - Important: Thread-safe.
public class AVCaptureFileOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `limits`, `progress` and `sampleDelegate`, or confined to `worker`.
    struct Limits: Sendable {
        /// Invalid for no limit.
        var duration = CMTime.invalid
        /// In bytes; 0 for no limit.
        var fileSize: Int64 = 0
        /// In bytes; 0 for no limit.
        var minimumFreeSpace: Int64 = 0
    }

    /// The state of a recording that clients can read at any time.
    struct Progress: Sendable {
        /// Incremented with every recording.
        var number = 0
        /// The file of the current recording; nil between recordings.
        var url: URL?
        /// The number of ended recordings that still wait for media captured before their end.
        var endingCount = 0
        var isPaused = false
        var duration = CMTime.zero
        /// In bytes.
        var fileSize: Int64 = 0
        var statistics = RecordingStatistics()

        /// Whether any recording accepts media.
        var receivesMedia: Bool { url != nil || endingCount > 0 }
    }

    let limits = Lock(Limits())
    let progress = Lock(Progress())
    override var defersStartByDefault: Bool { true }
    private let sampleDelegate = Lock(SampleDelegate())
    /// Performs all file operations, one at a time.
    let worker: any ClockWorker
    private let backlog = Lock(RecordingBacklog())
    /// The queue of the delegate callbacks.
    let callbackQueue: DispatchQueue
    /// The current recording; confined to `worker`.
    var recording: MovieRecording?

    /// - Parameter label: The label of the worker and of the queue.
    init(system: CaptureSystem, label: String) {
        worker = system.clock.makeWorker(label: label)
        callbackQueue = DispatchQueue(label: label + ".callbacks")
        super.init(system: system)
    }

    /// Statistics of the current recording, or of the last one.
    package var recordingStatistics: RecordingStatistics { progress.withLock { $0.statistics } }

    /// Receives each sample as it arrives, and can start and stop recordings exactly at a sample; not retained.
    public weak var delegate: (any AVCaptureFileOutputDelegate)? {
        get {
            observedProperties.access()
            return sampleDelegate.withLock { $0.delegate }
        }
        set {
            sampleDelegate.withLock { $0.delegate = newValue }
            system.reference.lifetimes.add(newValue, "the delegate")
            let requiresExactStart = newValue?.fileOutputShouldProvideSampleAccurateRecordingStart(self) ?? false
            sampleDelegate.withLock { $0.requiresExactStart = requiresExactStart }
            observedProperties.changed()
        }
    }

    /// The file of the current recording; nil between recordings. Can be observed.
    public var outputFileURL: URL? {
        observedProperties.access()
        return progress.withLock { $0.url }
    }
    /// Whether a recording is running; can be observed.
    public var isRecording: Bool { outputFileURL != nil }
    /// Whether the recording is paused; can be observed.
    public var isRecordingPaused: Bool {
        observedProperties.access()
        return progress.withLock { $0.isPaused }
    }
    /// The duration of the current recording, or of the last one; can be observed.
    public var recordedDuration: CMTime {
        observedProperties.access()
        return progress.withLock { $0.duration }
    }
    /// The file size in bytes of the current recording, or of the last one; can be observed.
    public var recordedFileSize: Int64 {
        observedProperties.access()
        return progress.withLock { $0.fileSize }
    }

    /// Changes the progress and notifies observers of changed properties.
    func updateProgress<Result>(_ body: (inout Progress) -> Result) -> Result {
        let (result, names) = progress.withLock { progress in
            let before = progress
            let result = body(&progress)
            var names: Set<String> = []
            if progress.url != before.url { names.insert("outputFileURL") }
            if progress.isPaused != before.isPaused { names.insert("isRecordingPaused") }
            if progress.duration != before.duration { names.insert("recordedDuration") }
            if progress.fileSize != before.fileSize { names.insert("recordedFileSize") }
            return (result, names)
        }
        if !names.isEmpty { observedProperties.changed(names) }
        return result
    }

    /// The maximum duration of a recording; invalid, the default, means no limit.
    public var maxRecordedDuration: CMTime {
        get { observedProperties.value(\.duration, in: limits) }
        set { observedProperties.set(\.duration, in: limits, to: newValue) }
    }

    /// The maximum file size in bytes; 0, the default, means no limit.
    public var maxRecordedFileSize: Int64 {
        get { observedProperties.value(\.fileSize, in: limits) }
        set { observedProperties.set(\.fileSize, in: limits, to: newValue) }
    }

    /// The minimum free space in bytes, below which a recording fails to start or ends; 0, the default, means no limit.
    public var minFreeDiskSpaceLimit: Int64 {
        get { observedProperties.value(\.minimumFreeSpace, in: limits) }
        set { observedProperties.set(\.minimumFreeSpace, in: limits, to: newValue) }
    }

    /// Starts a recording with the next frame; a running recording ends at that point. Misuse for an
    /// `AVCaptureAudioFileOutput`, which requires the file type.
    ///
    /// - Parameters:
    ///   - outputFileURL: A file that does not exist.
    ///   - delegate: Not retained: the client keeps it until its last callback.
    public func startRecording(
        to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
    ) {
        system.misuse.report(
            .invalidArgument,
            "-[\(type(of: self)) startRecordingToOutputFileURL:recordingDelegate:] is not supported; "
                + "this output requires the file type")
    }

    /// Stops the recording; the delegate is called when the file is complete. Each subclass implements it.
    public func stopRecording() {}

    /// Pauses the recording until `resumeRecording()`; media in between are not recorded.
    public func pauseRecording() {
        let now = recordingTime
        worker.submit {
            guard let recording = self.recording, recording.pause(at: now) else { return }
            self.updateProgress { $0.isPaused = true }
            recording.notifier.didPause()
        }
    }

    /// Resumes after `pauseRecording()`, without a gap in the file.
    public func resumeRecording() {
        let now = recordingTime
        worker.submit {
            guard let recording = self.recording, recording.resume(at: now) else { return }
            self.updateProgress { $0.isPaused = false }
            recording.notifier.didResume()
        }
    }

    /// Processes media on the worker.
    ///
    /// - Returns: False if the media are late: too many others wait.
    func submit(_ media: CapturedMedia, _ process: @escaping @Sendable () -> Void) -> Bool {
        worker.submit(media, limitedBy: backlog, on: system.clock, process)
    }

    // MARK: On the worker

    /// Sets the current recording; if it cannot start, it fails immediately.
    func begin(_ new: MovieRecording, isSessionRunning: Bool) {
        recording = new
        if !isSessionRunning {
            fail(new, AVError(.sessionNotRunning, "the session is not running"), isPlayable: false)
        } else if let error = new.startError() {
            fail(new, error, isPlayable: false)
        }
    }

    /// Passes media to a recording, and ends it if necessary.
    func process(_ media: CapturedMedia, from connection: AVCaptureConnection, in recording: MovieRecording) {
        let result = recording.process(media, from: connection)
        publish(recording)
        switch result {
        case .proceed: return
        case .end(let reason): complete(recording, reason)
        case .failed(let error, let isPlayable): fail(recording, error, isPlayable: isPlayable)
        }
    }

    /// Completes the file of a recording and ends the recording; has no effect if the recording has ended.
    func complete(_ recording: MovieRecording, _ reason: MovieRecording.EndReason) {
        guard detach(recording) else { return }
        recording.notifyWillFinish(recording.cause(of: reason))
        reportEnd(of: recording, recording.finish(reason))
    }

    /// Ends a recording after an error, without completing its file; has no effect if the recording has ended.
    func fail(_ recording: MovieRecording, _ error: AVError, isPlayable: Bool) {
        guard detach(recording) else { return }
        reportEnd(of: recording, .failure(error, isPlayable: isPlayable))
    }

    /// Detaches a recording, so that observers and delegates can no longer affect it.
    ///
    /// - Returns: Whether it was attached.
    func detach(_ recording: MovieRecording) -> Bool {
        guard self.recording === recording else { return false }
        self.recording = nil
        return true
    }

    /// Updates the progress when no more media are added to a recording's file.
    func stopReceiving(_ recording: MovieRecording, _ body: (inout Progress) -> Void = { _ in }) {
        updateProgress { progress in
            body(&progress)
            guard progress.number == recording.number else { return }
            progress.url = nil
            progress.isPaused = false
        }
    }

    /// Reports the end of a recording to observers and to the delegate.
    private func reportEnd(of recording: MovieRecording, _ result: MovieRecording.Result) {
        publish(recording)
        stopReceiving(recording)
        let counts = "\(recording.statistics.videoFrameCount) frames, \(recording.statistics.droppedFrameCount) dropped"
        switch result {
        case .success: recording.log(.info, "finished: \(counts), \(recording.recordedByteCount) bytes")
        case .failure(let error, let isPlayable):
            let file = isPlayable ? "the file is playable" : "there is no playable file"
            recording.log(isPlayable ? .info : .error, "ended: \(error.localizedDescription); \(file); \(counts)")
        }
        recording.notifyWillFinish(result.cause)
        recording.notifier.didFinish(result.error)
    }

    /// Publishes the progress of a recording.
    private func publish(_ recording: MovieRecording) {
        let (duration, fileSize) = (recording.recordedDuration, recording.recordedByteCount)
        let statistics = recording.statistics
        updateProgress { progress in
            guard progress.number == recording.number else { return }
            progress.duration = duration
            progress.fileSize = fileSize
            progress.statistics = statistics
        }
    }

    // MARK: Sample delegate

    /// The current time; during a callback of a sample-accurate delegate, the time of the sample.
    var recordingTime: CMTime {
        sampleDelegate.withLock { $0.sampleTime } ?? system.clock.now
    }

    /// Passes a sample to the delegate, if there is one.
    func callSampleDelegate(
        with sample: @autoclosure () -> CMSampleBuffer?, at time: CMTime, from connection: AVCaptureConnection
    ) {
        let (delegate, requiresExactStart) = sampleDelegate.withLock { ($0.delegate, $0.requiresExactStart) }
        guard let delegate, let sample = sample() else { return }
        if requiresExactStart { sampleDelegate.withLock { $0.beginCall(at: time) } }
        system.reference.run { delegate.fileOutput(self, didOutputSampleBuffer: sample, from: connection) }
        if requiresExactStart { sampleDelegate.withLock { $0.endCall() } }
    }
}

/// The sample delegate and the samples of its current callbacks.
private struct SampleDelegate: @unchecked Sendable {
    // SAFETY: behind a lock; the delegate is called on the threads of the devices, as its protocol documents.
    weak var delegate: (any AVCaptureFileOutputDelegate)?
    /// Whether recordings that the delegate starts in a callback begin exactly with the sample.
    var requiresExactStart = false
    /// The times of the samples of the current callbacks, by thread: a camera and a microphone call at the same time.
    private var sampleTimes: [UInt: CMTime] = [:]

    /// The time of the sample of the callback on the current thread; nil outside callbacks.
    var sampleTime: CMTime? { sampleTimes[Self.currentThread] }

    mutating func beginCall(at time: CMTime) { sampleTimes[Self.currentThread] = time }

    mutating func endCall() { sampleTimes[Self.currentThread] = nil }

    private static var currentThread: UInt { UInt(pthread_self()) }
}
