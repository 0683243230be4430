import Capture
import CaptureHAL
import Foundation
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
        watch(output, follower, interrupt)
        setup.session.stopRunning()
        command.run(limit: .seconds(10)) { follower.isFinished }
        var report = report(output)
        if let error = follower.error, !follower.isGood {
            report.error = error.localizedDescription
        } else if let error = follower.error, error.code != .maximumDurationReached {
            report.error = "\(error.localizedDescription); \(url.path) is good up to there"
        }
        return report
    }

    /// Lets time pass until the recording has ended by itself or the user ends it.
    private func watch(_ output: AVCaptureMovieFileOutput, _ follower: Follower, _ interrupt: Interrupt) {
        let bar = ProgressBar("recording")
        let total = limit?.seconds
        command.run {
            let recorded = output.recordedDuration.seconds
            if let total { bar.show(recorded / total) } else { bar.show(seconds: recorded) }
            return follower.isFinished || interrupt.isRaised
        }
        bar.finish()
        if !follower.isFinished {
            output.stopRecording()
            command.run(limit: .seconds(60)) { follower.isFinished }
        }
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

/// The first runtime error of a session.
final class SessionFailure: Sendable {
    private let state = Lock<AVError?>(nil)
    // SAFETY: only kept to end the observation.
    private nonisolated(unsafe) let token: any NSObjectProtocol
    private let center: NotificationCenter

    /// - Parameter bell: Rung when the error comes.
    init(of session: AVCaptureSession, ringing bell: DispatchSemaphore) {
        center = CaptureSystem.current.notificationCenter
        token = center.addObserver(forName: .AVCaptureSessionRuntimeError, object: session, queue: nil) {
            [state] note in
            let error = note.userInfo?[AVCaptureSessionErrorKey] as? AVError
            state.withLock { $0 = $0 ?? error }
            bell.signal()
        }
    }

    deinit { center.removeObserver(token) }

    var error: AVError? { state.withLock { $0 } }
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
