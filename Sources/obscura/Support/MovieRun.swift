import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

/// A recording into a file, from start to end.
struct MovieRun {
    let command: CommandSystem
    let setup: CaptureSetup
    let url: URL
    /// How much to record; nil is until the source ends.
    let limit: CMTime?
    let codec: AVVideoCodecType
    let fragmentInterval: CMTime?

    /// - Returns: What was recorded; with the reason where it broke off.
    func record() throws -> RecordCommand.Report {
        let output = AVCaptureMovieFileOutput()
        setup.session.addOutput(output)
        if let limit { output.maxRecordedDuration = limit }
        if let fragmentInterval { output.movieFragmentInterval = fragmentInterval }
        if let connection = output.connection(with: .video) {
            output.setOutputSettings([AVVideoCodecKey: codec], for: connection)
        }
        setup.standUpright(output, command)
        let follower = Follower()
        // From before the file is there: Ctrl-C then always leaves a whole movie.
        let interrupt = Interrupt(ringing: command.bell)
        let failure = SessionFailure(of: setup.session, ringing: command.bell)
        try setup.start(failure)
        output.startRecording(to: url, recordingDelegate: follower)
        let reason = watch(output, follower, interrupt)
        setup.session.stopRunning()
        command.run(limit: .seconds(10)) { follower.isFinished }
        var report = report(output)
        if let error = follower.error, error.code != .maximumDurationReached {
            report.error = reason ?? failure.sentence(setup) ?? error.localizedDescription
        } else {
            report.error = reason ?? stall(output, report, isWanted: interrupt.isRaised)
        }
        if let error = report.error, follower.isGood { report.error = "\(error); \(url.path) is good up to there" }
        return report
    }

    /// Lets time pass until the recording has ended by itself or the user ends it.
    ///
    /// - Returns: Why the recording was ended where neither did.
    private func watch(
        _ output: AVCaptureMovieFileOutput, _ follower: Follower, _ interrupt: Interrupt
    ) -> String? {
        let bar = ProgressBar("recording")
        let total = limit?.seconds
        // A source that ends by itself is waited for, however seldom its pictures change.
        let patience = Lock(setup.camera == nil || command.ends ? nil : Patience(command.system.clock))
        let hasGivenUp = Lock(false)
        command.run {
            let recorded = output.recordedDuration.seconds
            if let total { bar.show(recorded / total) } else { bar.show(seconds: recorded) }
            let frames = output.recordingStatistics.videoFrameCount
            if patience.withLock({ $0?.isOver(frames) ?? false }) { hasGivenUp.withLock { $0 = true } }
            return follower.isFinished || interrupt.isRaised || hasGivenUp.withLock { $0 }
        }
        bar.finish()
        if !follower.isFinished {
            output.stopRecording()
            command.run(limit: .seconds(60)) { follower.isFinished }
        }
        let statistics = output.recordingStatistics
        guard setup.camera != nil, statistics.videoFrameCount == 0, !interrupt.isRaised, setup.endTime == nil else {
            return hasGivenUp.withLock { $0 } ? setup.silence(after: output.recordedDuration) : nil
        }
        guard hasGivenUp.withLock({ $0 }) || follower.error?.code == .noDataCaptured else { return nil }
        let lost = statistics.droppedFrameCount
        return setup.absence(within: Patience.limit)
            + (lost > 0 ? ", and \(lost) were lost: see whether another format or rate works" : "")
    }

    /// What to say of a camera that delivered nothing more before the movie's end, though nobody had asked it to stop.
    private func stall(
        _ output: AVCaptureMovieFileOutput, _ report: RecordCommand.Report, isWanted: Bool
    ) -> String? {
        let statistics = output.recordingStatistics
        guard setup.camera != nil, setup.endTime == nil, !setup.hasCameraEnded, let last = statistics.lastVideoTime
        else { return nil }
        let end = isWanted ? output.recordedDuration : limit ?? output.recordedDuration
        guard Patience.hadStopped(at: end, last: last, duration: statistics.lastVideoDuration) else { return nil }
        return setup.silence(after: last)
    }

    private func report(_ output: AVCaptureMovieFileOutput) -> RecordCommand.Report {
        let statistics = output.recordingStatistics
        let duration = output.recordedDuration.seconds
        return RecordCommand.Report(
            file: url.relativePath, duration: duration, videoFrames: statistics.videoFrameCount,
            droppedFrames: statistics.droppedFrameCount, audioSamples: statistics.audioSampleCount,
            width: statistics.width, height: statistics.height,
            fps: setup.rate(frameCount: statistics.videoFrameCount, seconds: duration),
            codec: setup.camera == nil ? "none" : codec.name, bytes: output.recordedFileSize)
    }

    private final class Follower: AVCaptureFileOutputRecordingDelegate, Sendable {
        private struct State {
            var isFinished = false
            var error: AVError?
        }

        private let state = Lock(State())

        var isFinished: Bool { state.withLock { $0.isFinished } }
        var error: AVError? { state.withLock { $0.error } }
        var isGood: Bool { error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? true }

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
