import CaptureHAL
public import Foundation
public import MediaTypes

/// Follows a recording; callbacks come one at a time on a queue of the output's.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
    /// The first media are in the file; may not come.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording is over and the file complete; always comes, exactly once.
    ///
    /// - Parameter error: An `AVError`. The file may still be good: see `AVErrorRecordingSuccessfullyFinishedKey` in
    ///   its user info.
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?)
    /// The recording pauses.
    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording goes on.
    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
}

extension AVCaptureFileOutputRecordingDelegate {
    public func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    public func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    public func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
}

/// What a recording holds.
package struct RecordingStatistics: Sendable, Hashable {
    package var videoFrameCount = 0
    /// Frames of the recorded time that the device or the decoder lost.
    package var droppedFrameCount = 0
    /// Sound frames presented; known at the end.
    package var audioSampleCount: Int64 = 0
    /// In pixels; 0 without pictures.
    package var width = 0
    package var height = 0
}

/// An output that writes files.
public class AVCaptureFileOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `limits` and `progress`.
    struct Limits: Sendable {
        var duration = CMTime.invalid
        var fileSize: Int64 = 0
        var minimumFreeSpace: Int64 = 0
    }

    /// What a client may read of a recording at any time.
    struct Progress: Sendable {
        var url: URL?
        var isPaused = false
        var duration = CMTime.zero
        var fileSize: Int64 = 0
        var statistics = RecordingStatistics()
    }

    let limits = Lock(Limits())
    let progress = Lock(Progress())

    /// What the present recording holds so far, or what the last one held.
    package var recordingStatistics: RecordingStatistics { progress.withLock { $0.statistics } }

    /// The file of the present recording; nil between recordings.
    public var outputFileURL: URL? { progress.withLock { $0.url } }
    public var isRecording: Bool { outputFileURL != nil }
    public var isRecordingPaused: Bool { progress.withLock { $0.isPaused } }
    /// The length of the present recording so far, or of the last one.
    public var recordedDuration: CMTime { progress.withLock { $0.duration } }
    /// The bytes of the present recording so far, or of the last one.
    public var recordedFileSize: Int64 { progress.withLock { $0.fileSize } }

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
}
