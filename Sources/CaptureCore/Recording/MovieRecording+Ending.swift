import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// The end of a recording.
extension MovieRecording {
    /// The state of waiting for media that were captured before the end and have not arrived yet.
    struct Ending {
        let reason: EndReason
        /// The end of the recording. If another file follows, nil until the first frame of that file has arrived.
        var end: CMTime?
        var waitsForVideo: Bool
        let waitsForAudio: Bool
        /// The time at which the recording ends even if media are missing.
        let deadline: CMTime
    }

    /// The maximum latency of media that arrive on time, and the maximum gap between the end of the last media and the
    /// end of a complete recording: 2 ms.
    private static var tolerance: CMTime { CMTime(value: 2, timescale: 1000) }

    /// Starts waiting for media that were captured before the end and have not arrived yet.
    ///
    /// - Returns: False if there are no such media; the recording can be finished immediately.
    func startEnding(_ reason: EndReason, _ arrivals: MediaArrivalTracker) -> Bool {
        guard !isPausedBeforeStart else { return false }
        let (time, isSwitch): (CMTime, Bool)
        switch reason {
        case .stopped(let moment): (time, isSwitch) = (moment, false)
        case .switched(let moment): (time, isSwitch) = (moment, recorder?.isPaused == false)
        case .sourceEnded, .sessionEnded, .limit: return false
        }
        let end = recorder?.isPaused == true ? min(time, pauseTime) : time
        func isMediaMissing(from connection: AVCaptureConnection?) -> Bool {
            guard let connection, connection.passesMedia, endedSources[ObjectIdentifier(connection)] == nil,
                let arrival = arrivals[connection]
            else { return false }
            // If another file follows, wait for the last frame and audio chunk even from a connection without latency.
            if isSwitch { return true }
            return arrival.latency > Self.tolerance && arrival.end + Self.tolerance < end
        }
        let waitsForVideo = isMediaMissing(from: video)
        let waitsForAudio = isMediaMissing(from: audio)
        guard waitsForVideo || waitsForAudio else { return false }
        // The timeout: the latency, two durations of a frame or chunk, and a margin. If another file follows, the
        // margin is longer, because its first frame must arrive.
        let latest = [video, audio].compactMap { $0.flatMap { arrivals[$0] } }
        let latency = latest.map { $0.latency + $0.duration + $0.duration }.max() ?? .zero
        ending = Ending(
            reason: reason, end: isSwitch && waitsForVideo ? nil : end, waitsForVideo: waitsForVideo,
            waitsForAudio: waitsForAudio,
            deadline: time + max(latency, .zero) + CMTime(value: isSwitch ? 1000 : 100, timescale: 1000))
        return true
    }

    /// Returns whether a frame is after the end of the recording, and updates the state of waiting for video.
    ///
    /// If another file follows, the first frame of that file defines the end.
    func checkEnd(_ frame: VideoFrame) -> Bool {
        guard let ending else { return false }
        let time = frame.presentationTime
        if let end = ending.end {
            if time >= end || frame.duration.isNumeric && time + frame.duration + Self.tolerance >= end {
                self.ending?.waitsForVideo = false
            }
            return time >= end
        }
        guard case .switched(let moment) = ending.reason, time >= moment else { return false }
        self.ending?.end = time
        self.ending?.waitsForVideo = false
        return true
    }

    /// Whether all media that the recording waits for have arrived.
    func isComplete(_ ending: Ending) -> Bool {
        func hasEnded(_ connection: AVCaptureConnection?) -> Bool {
            connection.map { endedSources[ObjectIdentifier($0)] != nil || !$0.passesMedia } ?? true
        }
        guard !ending.waitsForVideo || hasEnded(video) else { return false }
        guard ending.waitsForAudio, !hasEnded(audio), recorder != nil else { return true }
        return audioEnd.isNumeric && audioEnd >= (ending.end ?? ending.deadline)
    }

    /// Returns the error that the delegate receives for a reason; nil if the recording ended without an error.
    func cause(of reason: EndReason) -> AVError? {
        switch reason {
        case .stopped, .switched, .sourceEnded, .sessionEnded(.stopped, _): nil
        case .sessionEnded(.reconfigured, _):
            AVError(.sessionConfigurationChanged, "the session was changed while recording")
        case .sessionEnded(.interrupted, _):
            AVError(.sessionWasInterrupted, "the session was interrupted while recording")
        case .sessionEnded(.failed(let error), _): error
        case .limit(let code, let time):
            AVError(code, code.limitMessage, cause: nil, [AVErrorTimeKey: time])
        }
    }

    /// Completes the file and returns the result.
    func finish(_ reason: EndReason) -> Result {
        let cause = cause(of: reason)
        guard let recorder else {
            let empty = AVError(.noDataCaptured, "the recording ended before the first frame arrived")
            return .failure(cause ?? empty, isPlayable: false)
        }
        do {
            let summary = try recorder.finish(at: endTime(reason))
            self.summary = summary
            statistics.videoFrameCount = summary.videoFrameCount
            statistics.audioSampleCount = summary.audioSampleCount
        } catch {
            let failure = AVError(error)
            // If the file has no media because of a limit, report the limit.
            let isEmpty = failure.code == .noDataCaptured
            return .failure(isEmpty ? cause ?? failure : failure, isPlayable: isGood(after: error))
        }
        return cause.map { .failure($0.adding(AVErrorFileSizeKey, recordedByteCount), isPlayable: true) } ?? .success
    }

    private func endTime(_ reason: EndReason) -> CMTime {
        switch reason {
        case .limit(.maximumDurationReached, let time): return time
        case .limit, .sourceEnded:
            return endedSources.values.max() ?? lastTime
        case .stopped(let time), .switched(let time), .sessionEnded(_, let time):
            let end = ending?.end ?? time
            // The last audio chunk may not have arrived yet. If less than 0.1 s of audio is missing, the movie ends
            // with the audio.
            let earliestEnd = end - CMTime(value: 1, timescale: 10)
            guard audio != nil, audioEnd.isNumeric, audioEnd > earliestEnd else { return end }
            return min(end, audioEnd)
        }
    }
}

extension AVError.Code {
    /// The message for a limit.
    fileprivate var limitMessage: String {
        switch self {
        case .maximumDurationReached: "the recording reached its maximum duration"
        case .maximumFileSizeReached: "the recording reached its maximum file size"
        case .diskFull: "the free disk space fell below the limit of the recording"
        default: "the recording reached a limit"
        }
    }
}

extension AVError {
    /// Returns the error with an additional user-info value.
    fileprivate func adding(_ key: String, _ value: some Sendable) -> AVError {
        AVError(code, userInfo: userInfo.merging([key: value]) { $1 })
    }
}
