import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes

/// A recording to a movie file, from start to finish.
struct MovieFileRecording {
    let command: CommandSystem
    let setup: CaptureSetup
    let url: URL
    /// The duration to record; nil to record until the sources end.
    let limit: CMTime?
    /// The video codec; nil for the default of the camera.
    let codec: AVVideoCodecType?
    let fragmentInterval: CMTime?

    /// Records the movie.
    ///
    /// - Returns: The report, and in `error` the reason if the recording ended early.
    func record() throws -> RecordCommand.Report {
        let output = AVCaptureMovieFileOutput()
        setup.session.addOutput(output)
        if let limit { output.maxRecordedDuration = limit }
        if let fragmentInterval { output.movieFragmentInterval = fragmentInterval }
        let codec = codec ?? output.availableVideoCodecTypes[0]
        if let connection = output.connection(with: .video) {
            output.setOutputSettings([AVVideoCodecKey: codec], for: connection)
        }
        setup.rotateUpright(output, command)
        let delegate = RecordingDelegate()
        // Installed before the file exists, so that Ctrl-C always leaves a complete movie.
        let interrupt = Interrupt(waking: command.wakeUp)
        let failure = SessionFailure(of: setup.session, in: command)
        try setup.start(failure)
        output.startRecording(to: url, recordingDelegate: delegate)
        let reason = waitForEnd(output, delegate, interrupt)
        setup.session.stopRunning()
        command.run(limit: .seconds(10)) { delegate.isFinished }
        var report = report(output, codec)
        if let error = delegate.error, error.code != .maximumDurationReached {
            report.error = reason ?? failure.message(setup) ?? errorReason(error)
        } else {
            report.error = reason ?? stall(output, report, isInterrupted: interrupt.isRaised)
        }
        if let error = report.error, delegate.isPlayable {
            let exists = FileManager.default.fileExists(atPath: url.path)
            report.error = "\(error); \(url.path) " + (exists ? "is playable up to there" : "has been removed")
        }
        report.error = report.error.map(CommandFailure.withRelativePaths)
        return report
    }

    /// Advances time until the recording ends, the user interrupts it, or the camera times out.
    ///
    /// - Returns: The error message if the camera delivered nothing or timed out; otherwise nil.
    private func waitForEnd(
        _ output: AVCaptureMovieFileOutput, _ delegate: RecordingDelegate, _ interrupt: Interrupt
    ) -> String? {
        let bar = ProgressBar("recording")
        let total = limit?.seconds
        // No timeout for a source with an end: the time between its frames can be arbitrarily long.
        let stallDetector = Lock(setup.camera == nil || command.ends ? nil : StallDetector(command.system.clock))
        let hasTimedOut = Lock(false)
        command.run {
            let recorded = output.recordedDuration.seconds
            if let total { bar.show(recorded / total) } else { bar.show(seconds: recorded) }
            let frames = output.recordingStatistics.videoFrameCount
            if stallDetector.withLock({ $0?.hasTimedOut(frameCount: frames) ?? false }) {
                hasTimedOut.withLock { $0 = true }
            }
            return delegate.isFinished || interrupt.isRaised || hasTimedOut.withLock { $0 }
        }
        bar.finish()
        if !delegate.isFinished {
            output.stopRecording()
            command.run(limit: .seconds(60)) { delegate.isFinished }
        }
        let statistics = output.recordingStatistics
        guard setup.camera != nil, statistics.videoFrameCount == 0, !interrupt.isRaised, setup.endTime == nil else {
            return hasTimedOut.withLock { $0 } ? setup.stallMessage(after: output.recordedDuration) : nil
        }
        guard hasTimedOut.withLock({ $0 }) || delegate.error?.code == .noDataCaptured else { return nil }
        let lost = statistics.droppedFrameCount
        return setup.noFrameMessage(within: StallDetector.timeout)
            + (lost > 0 ? ", and \(lost) were dropped: try another format or frame rate" : "")
    }

    /// Returns the message for a camera that had stopped delivering before the end of the movie; nil if it had not.
    private func stall(
        _ output: AVCaptureMovieFileOutput, _ report: RecordCommand.Report, isInterrupted: Bool
    ) -> String? {
        let statistics = output.recordingStatistics
        guard setup.camera != nil, setup.endTime == nil, !setup.hasCameraEnded, let last = statistics.lastVideoTime
        else { return nil }
        let end = isInterrupted ? output.recordedDuration : limit ?? output.recordedDuration
        guard StallDetector.hadStalled(at: end, last: last, duration: statistics.lastVideoDuration) else { return nil }
        return setup.stallMessage(after: last)
    }

    private func report(_ output: AVCaptureMovieFileOutput, _ codec: AVVideoCodecType) -> RecordCommand.Report {
        let statistics = output.recordingStatistics
        let duration = output.recordedDuration.seconds
        return RecordCommand.Report(
            file: url.relativePath, duration: duration, videoFrames: statistics.videoFrameCount,
            droppedFrames: statistics.droppedFrameCount, audioSamples: statistics.audioSampleCount,
            width: statistics.width, height: statistics.height,
            fps: setup.rate(frameCount: statistics.videoFrameCount, seconds: duration),
            codec: setup.camera == nil ? "none" : codec.name, bytes: output.recordedFileSize)
    }

    /// Stores the result of the recording. Thread-safe.
    private final class RecordingDelegate: AVCaptureFileOutputRecordingDelegate, Sendable {
        private struct State {
            var isFinished = false
            var error: AVError?
        }

        private let state = Lock(State())

        var isFinished: Bool { state.withLock { $0.isFinished } }
        var error: AVError? { state.withLock { $0.error } }
        var isPlayable: Bool { error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? true }

        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {
            state.withLock { state in
                state.isFinished = true
                state.error = error as? AVError
            }
        }
    }
}

extension AVVideoCodecType {
    /// The name on the command line.
    var name: String {
        switch self {
        case .h264: "h264"
        case .hevc: "hevc"
        case .jpeg: "jpeg"
        default: rawValue
        }
    }
}
