import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// How a recording comes to its end.
extension MovieRecording {
    /// The wait for media that were captured before the end and are still under way.
    struct Ending {
        let reason: EndReason
        /// Where the recording ends; nil until the picture has come with which another file begins.
        var end: CMTime?
        var waitsForVideo: Bool
        let waitsForAudio: Bool
        /// When the waiting is over, whatever has come.
        let deadline: CMTime
    }

    /// Media come on time that come no later than this.
    private static var tolerance: CMTime { CMTime(value: 2, timescale: 1000) }

    /// Begins to end the recording, where media captured before the end are still to come.
    ///
    /// - Returns: Whether it must be waited for them; else the recording can be finished at once.
    func beginEnding(_ reason: EndReason, _ arrivals: MediaArrivals) -> Bool {
        guard !isHeldBack else { return false }
        let (time, isSwitch): (CMTime, Bool)
        switch reason {
        case .stopped(let moment): (time, isSwitch) = (moment, false)
        case .switched(let moment): (time, isSwitch) = (moment, recorder?.isPaused == false)
        case .sourceEnded, .sessionEnded, .limit: return false
        }
        let end = recorder?.isPaused == true ? min(time, pauseTime) : time
        func isLate(_ connection: AVCaptureConnection?, orSwitching: Bool) -> Bool {
            guard let connection, connection.carries, endedSources[ObjectIdentifier(connection)] == nil,
                let arrival = arrivals[connection]
            else { return false }
            if orSwitching, isSwitch { return true }
            return arrival.latency > Self.tolerance && arrival.end + Self.tolerance < end
        }
        let waitsForVideo = isLate(video, orSwitching: true)
        // Sound on time reaches to within a chunk of the end; only between two files even that chunk counts.
        let waitsForAudio = isLate(audio, orSwitching: true)
        guard waitsForVideo || waitsForAudio else { return false }
        let latest = [video, audio].compactMap { $0.flatMap { arrivals[$0] } }
        let latency = latest.map { $0.latency + $0.duration + $0.duration }.max() ?? .zero
        ending = Ending(
            reason: reason, end: isSwitch && waitsForVideo ? nil : end, waitsForVideo: waitsForVideo,
            waitsForAudio: waitsForAudio,
            deadline: time + max(latency, .zero) + CMTime(value: isSwitch ? 1000 : 100, timescale: 1000))
        return true
    }

    /// Whether a frame comes behind the end; the first one that does tells where that is.
    func endsBefore(_ frame: VideoFrame) -> Bool {
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

    /// Whether all has come that is waited for.
    func isComplete(_ ending: Ending) -> Bool {
        func hasEnded(_ connection: AVCaptureConnection?) -> Bool {
            connection.map { endedSources[ObjectIdentifier($0)] != nil || !$0.carries } ?? true
        }
        guard !ending.waitsForVideo || hasEnded(video) else { return false }
        guard ending.waitsForAudio, !hasEnded(audio), recorder != nil else { return true }
        return audioEnd.isNumeric && audioEnd >= (ending.end ?? ending.deadline)
    }

    /// What the delegate is told of a reason.
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

    /// Completes the file.
    func finish(_ reason: EndReason) -> Result {
        let cause = cause(of: reason)
        guard let recorder else {
            let empty = AVError(.noDataCaptured, "the recording ended before the first frame came")
            return .failure(cause ?? empty, isGood: false)
        }
        do {
            let summary = try recorder.finish(at: endTime(reason))
            self.summary = summary
            statistics.videoFrameCount = summary.videoFrameCount
            statistics.audioSampleCount = summary.audioSampleCount
        } catch {
            let failure = AVError(error)
            // Where a limit let nothing into the file, the limit is the reason.
            let isEmpty = failure.code == .noDataCaptured
            return .failure(isEmpty ? cause ?? failure : failure, isGood: error.hasPlayableContent)
        }
        return cause.map { .failure($0.adding(AVErrorFileSizeKey, recordedByteCount), isGood: true) } ?? .success
    }

    private func endTime(_ reason: EndReason) -> CMTime {
        switch reason {
        case .limit(.maximumDurationReached, let time): return time
        case .limit, .sourceEnded:
            return endedSources.values.max() ?? lastTime
        case .stopped(let now), .switched(let now), .sessionEnded(_, let now):
            let end = ending?.end ?? now
            // Sound comes in chunks, the last of which is still on its way: the movie ends with what has come.
            let nearly = end - CMTime(value: 1, timescale: 10)
            guard audio != nil, audioEnd.isNumeric, audioEnd > nearly else { return end }
            return min(end, audioEnd)
        }
    }
}

extension AVError.Code {
    /// What a limit says of itself.
    fileprivate var limitMessage: String {
        switch self {
        case .maximumDurationReached: "the recording reached its maximum duration"
        case .maximumFileSizeReached: "the recording reached its maximum file size"
        case .diskFull: "the disk has less room than the recording was to leave free"
        default: "the recording ended by a limit"
        }
    }
}

extension AVError {
    /// The same error, saying more.
    fileprivate func adding(_ key: String, _ value: some Sendable) -> AVError {
        AVError(code, userInfo: userInfo.merging([key: value]) { $1 })
    }
}
