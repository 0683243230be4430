import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaAssets
public import MediaTypes

/// What a recording holds.
package struct RecordingStatistics: Sendable, Hashable {
    package var videoFrameCount = 0
    /// Frames of the recorded time that the device or the decoder lost.
    package var droppedFrameCount = 0
    /// When the last frame began, delivered or lost, after the first of the movie, pauses included; nil before it.
    package var lastVideoTime: CMTime?
    /// How long the last delivered frame says that it is.
    package var lastVideoDuration = CMTime.zero
    /// Sound frames presented; known at the end.
    package var audioSampleCount: Int64 = 0
    /// In pixels; 0 without pictures.
    package var width = 0
    package var height = 0
}

/// An output that writes files.
///
/// - Important: Thread-safe.
public class AVCaptureFileOutput: AVCaptureOutput, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `limits`, `progress` and `follower`, or confined to `worker`.
    struct Limits: Sendable {
        var duration = CMTime.invalid
        var fileSize: Int64 = 0
        var minimumFreeSpace: Int64 = 0
    }

    /// What a client may read of a recording at any time.
    struct Progress: Sendable {
        /// Grows with every recording.
        var number = 0
        var url: URL?
        /// Recordings that only wait for media captured before their end.
        var endingCount = 0
        var isPaused = false
        var duration = CMTime.zero
        var fileSize: Int64 = 0
        var statistics = RecordingStatistics()

        /// Whether media are wanted.
        var takesMedia: Bool { url != nil || endingCount > 0 }
    }

    public let observedProperties = ObservedProperties()
    let limits = Lock(Limits())
    let progress = Lock(Progress())
    private let follower = Lock(SampleFollower())
    /// Writes the recordings, one piece of work at a time.
    let worker: any ClockWorker
    /// Where delegates are called.
    let callbackQueue: DispatchQueue
    /// The present recording; confined to `worker`.
    var recording: MovieRecording?

    /// - Parameter label: Of the worker and the queue, for who looks at threads.
    init(system: CaptureSystem, label: String) {
        worker = system.clock.makeWorker(label: label)
        callbackQueue = DispatchQueue(label: label + ".callbacks")
        super.init(system: system)
    }

    /// What the present recording holds so far, or what the last one held.
    package var recordingStatistics: RecordingStatistics { progress.withLock { $0.statistics } }

    /// Sees each sample as it comes, and may start and end recordings exactly there; not kept alive.
    public weak var delegate: (any AVCaptureFileOutputDelegate)? {
        get { follower.withLock { $0.delegate } }
        set {
            follower.withLock { $0.delegate = newValue }
            let isWanted = newValue?.fileOutputShouldProvideSampleAccurateRecordingStart(self) ?? false
            follower.withLock { $0.wantsExactStart = isWanted }
        }
    }

    /// The file of the present recording; nil between recordings; can be observed.
    public var outputFileURL: URL? {
        observedProperties.access()
        return progress.withLock { $0.url }
    }
    /// Whether media go into a file; can be observed.
    public var isRecording: Bool { outputFileURL != nil }
    /// Can be observed.
    public var isRecordingPaused: Bool {
        observedProperties.access()
        return progress.withLock { $0.isPaused }
    }
    /// The length of the present recording so far, or of the last one; can be observed.
    public var recordedDuration: CMTime {
        observedProperties.access()
        return progress.withLock { $0.duration }
    }
    /// The bytes of the present recording so far, or of the last one; can be observed.
    public var recordedFileSize: Int64 {
        observedProperties.access()
        return progress.withLock { $0.fileSize }
    }

    /// Changes what a client may read, and tells its observers.
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

    /// A recording ends when it is that long; invalid, the default, means no limit.
    public var maxRecordedDuration: CMTime {
        get { limits.withLock { $0.duration } }
        set { limits.withLock { $0.duration = newValue } }
    }

    /// A recording ends before its file has more bytes; 0, the default, means no limit.
    public var maxRecordedFileSize: Int64 {
        get { limits.withLock { $0.fileSize } }
        set { limits.withLock { $0.fileSize = newValue } }
    }

    /// A recording does not begin, or ends, when fewer bytes are free; 0, the default, means no limit.
    public var minFreeDiskSpaceLimit: Int64 {
        get { limits.withLock { $0.minimumFreeSpace } }
        set { limits.withLock { $0.minimumFreeSpace = newValue } }
    }

    /// Begins a recording with the next frame; a recording that runs ends there.
    ///
    /// - Parameters:
    ///   - outputFileURL: A file that does not exist.
    ///   - delegate: Kept until its last callback.
    public func startRecording(
        to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
    ) {
        system.misuse.report(
            .invalidArgument,
            "-[\(type(of: self)) startRecordingToOutputFileURL:recordingDelegate:] is not supported; "
                + "this output needs to know the file's type")
    }

    /// Ends the recording; the delegate is told when the file is complete.
    public func stopRecording() {}

    /// Leaves out what comes until `resumeRecording()`.
    public func pauseRecording() {
        let now = recordingTime
        worker.submit {
            guard let recording = self.recording, recording.pause(at: now) else { return }
            self.updateProgress { $0.isPaused = true }
            recording.follower.didPause()
        }
    }

    /// Goes on after `pauseRecording()`, without a gap in the file.
    public func resumeRecording() {
        let now = recordingTime
        worker.submit {
            guard let recording = self.recording, recording.resume(at: now) else { return }
            self.updateProgress { $0.isPaused = false }
            recording.follower.didResume()
        }
    }

    // MARK: On the worker

    /// Makes a recording the present one; one that cannot begin ends at once.
    func begin(_ new: MovieRecording, isSessionRunning: Bool) {
        recording = new
        if !isSessionRunning {
            finish(new, .failure(AVError(.sessionNotRunning, "the session does not run"), isGood: false))
        } else if let error = new.reasonNotToStart() {
            finish(new, .failure(error, isGood: false))
        }
    }

    /// Gives a recording what came, and ends it where that is its end.
    func give(_ media: CapturedMedia, from connection: AVCaptureConnection, to recording: MovieRecording) {
        let verdict = recording.take(media, from: connection)
        publish(recording)
        switch verdict {
        case .goOn: return
        case .end(let reason): complete(recording, reason)
        case .failed(let error, let isGood): finish(recording, .failure(error, isGood: isGood))
        }
    }

    /// Completes a recording's file, once.
    func complete(_ recording: MovieRecording, _ reason: MovieRecording.EndReason) {
        guard release(recording) else { return }
        recording.tellEnd(recording.cause(of: reason))
        conclude(recording, recording.finish(reason))
    }

    /// Ends a recording whose file is as it will be, once.
    func finish(_ recording: MovieRecording, _ result: MovieRecording.Result) {
        guard release(recording) else { return }
        conclude(recording, result)
    }

    /// Lets a recording go, so that nothing that an observer or a delegate does reaches it any more.
    ///
    /// - Returns: Whether it was there.
    func release(_ recording: MovieRecording) -> Bool {
        guard self.recording === recording else { return false }
        self.recording = nil
        return true
    }

    /// Lets clients read that nothing goes into a recording's file any more.
    func takeNoMore(_ recording: MovieRecording, _ body: (inout Progress) -> Void = { _ in }) {
        updateProgress { progress in
            body(&progress)
            guard progress.number == recording.number else { return }
            progress.url = nil
            progress.isPaused = false
        }
    }

    /// Tells clients that a recording is over.
    private func conclude(_ recording: MovieRecording, _ result: MovieRecording.Result) {
        publish(recording)
        takeNoMore(recording)
        recording.tellEnd(result.cause)
        recording.follower.didFinish(result.error)
    }

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

    // MARK: While samples come

    /// The present, or inside the delegate's look at a sample the time of that sample.
    var recordingTime: CMTime {
        let exact = follower.withLock { $0.isOnItsThread ? $0.sampleTime : nil }
        return exact ?? system.clock.now
    }

    /// Shows a sample to the delegate, if there is one.
    func show(_ sample: @autoclosure () -> CMSampleBuffer?, at time: CMTime, from connection: AVCaptureConnection) {
        let (delegate, wantsExactStart) = follower.withLock { ($0.delegate, $0.wantsExactStart) }
        guard let delegate, let sample = sample() else { return }
        if wantsExactStart { follower.withLock { $0.begin(at: time) } }
        delegate.fileOutput(self, didOutputSampleBuffer: sample, from: connection)
        if wantsExactStart { follower.withLock { $0.end() } }
    }
}

/// The delegate that looks at samples, and the one it looks at now.
private struct SampleFollower: @unchecked Sendable {
    // SAFETY: behind a lock; the delegate is called on the thread of the device, as its protocol says.
    weak var delegate: (any AVCaptureFileOutputDelegate)?
    var wantsExactStart = false
    private(set) var sampleTime: CMTime?
    private var thread: UInt?

    var isOnItsThread: Bool { thread == Self.currentThread }

    mutating func begin(at time: CMTime) {
        sampleTime = time
        thread = Self.currentThread
    }

    mutating func end() {
        sampleTime = nil
        thread = nil
    }

    private static var currentThread: UInt { UInt(pthread_self()) }
}
