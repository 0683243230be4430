import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaStorage
import MediaTypes

/// One recording, from the order to start until the file is complete.
///
/// The movie begins with the first picture after the start, or with the first sound where there are no pictures; sound
/// that comes earlier than the picture of its time is kept until then.
/// - Important: Confined to the output's worker.
final class MovieRecording {
    /// Why a recording ends.
    enum EndReason {
        case stopped(at: CMTime)
        /// Another file goes on with the first picture from then on.
        case switched(at: CMTime)
        case sourceEnded
        case sessionEnded(AVCaptureOutput.StopReason, at: CMTime)
        case limit(AVError.Code, at: CMTime)
    }

    /// What came out.
    enum Result {
        case success
        case failure(AVError, isGood: Bool)

        /// What the delegate is told.
        var error: AVError? {
            switch self {
            case .success: nil
            case .failure(let error, let isGood):
                AVError(
                    error.code,
                    userInfo: error.userInfo.merging([AVErrorRecordingSuccessfullyFinishedKey: isGood]) { $1 })
            }
        }

        /// Why the recording ended, before it is known what became of the file.
        var cause: AVError? {
            if case .failure(let error, _) = self { error } else { nil }
        }
    }

    /// What follows from a frame or a chunk of sound.
    enum Verdict {
        case goOn
        case end(EndReason)
        case failed(AVError, isGood: Bool)
    }

    let follower: RecordingFollower
    /// Which recording of the output's this is.
    let number: Int
    let system: CaptureSystem
    let limits: AVCaptureFileOutput.Limits
    let options: AVCaptureMovieFileOutput.Options
    /// Nothing that is earlier is recorded.
    private var start: CMTime
    /// Whether a pause began before the first media.
    private(set) var isHeldBack = false
    let video: AVCaptureConnection?
    let audio: AVCaptureConnection?
    private(set) var recorder: MovieRecorder?
    /// What clients want the file to say, beside what the recording knows itself.
    var items: [AVMetadataItem] = []
    /// Sound that waits for the first picture.
    private var earlyAudio: [AudioChunk] = []
    /// When the duration limit is reached; invalid where there is none or nothing was recorded yet.
    private var limitTime = CMTime.invalid
    private var hasReachedLimit = false
    private(set) var pauseTime = CMTime.invalid
    /// The ends of what has come.
    private var videoEnd = CMTime.invalid
    private(set) var audioEnd = CMTime.invalid
    /// By how much pictures and sound came later than they were captured, at most.
    private var videoLateness = CMTime.zero
    private var audioLateness = CMTime.zero
    /// More is not late, but a device whose clock is another.
    private static let greatestLateness = CMTime(value: 10, timescale: 1)
    var summary: MovieRecorder.Summary?
    private(set) var endedSources: [ObjectIdentifier: CMTime] = [:]
    /// Set once the recording only waits for media captured before its end.
    var ending: Ending?
    private var origin = CMTime.invalid
    private var orientation = MovieOrientation()

    init(
        _ follower: RecordingFollower, number: Int, system: CaptureSystem, limits: AVCaptureFileOutput.Limits,
        options: AVCaptureMovieFileOutput.Options, start: CMTime
    ) {
        self.follower = follower
        self.number = number
        self.system = system
        self.limits = limits
        self.options = options
        self.start = start
        video = follower.connections.first { $0.mediaType == .video }
        audio = follower.connections.first { $0.mediaType == .audio }
    }

    /// Whether media are in the file.
    var hasBegun: Bool { recorder != nil }
    private var hasToldEnd = false

    /// Tells the delegate, once, that nothing more goes into the file.
    func tellEnd(_ error: AVError?) {
        guard !hasToldEnd else { return }
        hasToldEnd = true
        follower.willFinish(error)
    }

    /// The length of the movie so far; its exact length once it is complete.
    var recordedDuration: CMTime { summary?.duration ?? recorder?.recordedDuration ?? .zero }
    var recordedByteCount: Int64 { recorder?.recordedByteCount ?? 0 }
    var statistics = RecordingStatistics()

    /// Why the recording cannot begin, nil where it can.
    func reasonNotToStart() -> AVError? {
        if system.storage.fileExists(at: follower.url) {
            return AVError(.fileAlreadyExists, "\(follower.url.path) exists already; recordings replace no files")
        }
        return lackOfSpace()
    }

    /// - Returns: Whether this changed anything.
    func pause(at time: CMTime) -> Bool {
        guard let recorder else {
            defer { isHeldBack = true }
            return !isHeldBack
        }
        guard !recorder.isPaused else { return false }
        recorder.pause(at: time)
        pauseTime = time
        return true
    }

    /// - Returns: Whether this changed anything.
    func resume(at time: CMTime) -> Bool {
        guard let recorder else {
            guard isHeldBack else { return false }
            isHeldBack = false
            start = time
            earlyAudio = []
            return true
        }
        guard recorder.isPaused else { return false }
        recorder.resume(at: time)
        if limitTime.isValid, !hasReachedLimit { limitTime = limitTime + (time - pauseTime) }
        return true
    }

    /// - Returns: Whether all sources have ended.
    func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) -> Bool {
        endedSources[ObjectIdentifier(connection)] = time
        return follower.connections.allSatisfy { endedSources[ObjectIdentifier($0)] != nil }
    }

    func take(_ media: CapturedMedia, from connection: AVCaptureConnection) -> Verdict {
        guard !isHeldBack else { return .goOn }
        do {
            switch media.content {
            case .video(let frame) where connection === video: try take(frame, media)
            case .audio(let chunk) where connection === audio: try take(chunk)
            case .video, .audio: return .goOn
            }
        } catch {
            return .failed(AVError(error), isGood: salvage(after: error))
        }
        let verdict = checkLimits()
        if case .goOn = verdict, let ending, isComplete(ending) { return .end(ending.reason) }
        return verdict
    }

    /// Says from now on what `items` tell.
    func updateMetadata() {
        guard let recorder, origin.isValid else { return }
        recorder.metadata = metadata(at: origin)
    }

    /// Counts a frame that never came, where it belongs to the recorded time.
    func countDrop(_ drop: DroppedFrame) {
        guard drop.presentationTime >= start, !hasReachedLimit,
            ending?.end.map({ drop.presentationTime < $0 }) ?? true
        else { return }
        statistics.droppedFrameCount += 1
        guard origin.isValid, drop.presentationTime.isNumeric else { return }
        statistics.lastVideoTime = drop.presentationTime - origin
    }

    /// Completes the file as far as that goes after an error that left it open; tells whether something plays.
    private func salvage(after error: MovieError) -> Bool {
        guard let recorder, error.cause == nil else { return error.hasPlayableContent }
        do throws(MovieError) {
            summary = try recorder.finish(at: lastTime)
            return true
        } catch {
            return error.hasPlayableContent
        }
    }

    private func take(_ frame: VideoFrame, _ media: CapturedMedia) throws(MovieError) {
        let time = frame.presentationTime
        videoLateness = max(videoLateness, min(system.clock.now - time, Self.greatestLateness))
        guard time >= start, !endsBefore(frame) else { return }
        guard !hasReachedLimit else {
            videoEnd = time
            return
        }
        // A frame that cannot be decoded is lost to the movie; the next one will do.
        guard let pixels = try? media.pixelBuffer(of: frame) else {
            statistics.droppedFrameCount += 1
            return
        }
        let isPaused = recorder?.isPaused ?? false
        if limitTime.isValid, !isPaused, time >= limitTime {
            hasReachedLimit = true
            videoEnd = time
            return
        }
        let recorder =
            if let recorder { recorder } else { try begin(at: time, pixels, frame.duration) }
        let orientation = video?.movieOrientation ?? MovieOrientation()
        if orientation != self.orientation {
            self.orientation = orientation
            try recorder.changeOrientation(to: orientation, at: time)
        }
        guard try recorder.append(pixels, at: time, duration: frame.duration) else { return }
        (statistics.lastVideoTime, statistics.lastVideoDuration) = (time - origin, frame.duration)
        statistics.videoFrameCount = recorder.videoFrameCount
        (statistics.width, statistics.height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        videoEnd = frame.duration.isNumeric ? time + frame.duration : time
    }

    private func take(_ chunk: AudioChunk) throws(MovieError) {
        let end = chunk.presentationTime + chunk.duration
        guard end > start else { return }
        if recorder == nil, video != nil {
            earlyAudio.append(chunk)
            // More than ten seconds early is not early but without a picture: a camera that does not deliver.
            earlyAudio.removeAll { $0.presentationTime + CMTime(value: 10, timescale: 1) < chunk.presentationTime }
            return
        }
        let recorder =
            if let recorder { recorder } else { try begin(at: max(start, chunk.presentationTime), nil, .invalid) }
        try append(chunk, to: recorder)
    }

    private func append(_ chunk: AudioChunk, to recorder: MovieRecorder) throws(MovieError) {
        audioEnd = chunk.presentationTime + chunk.duration
        audioLateness = max(audioLateness, min(system.clock.now - audioEnd, Self.greatestLateness))
        try recorder.append(chunk)
        guard limitTime.isValid, !recorder.isPaused else { return }
        // Pictures that do not come for so long, beyond what they are late, do not hold the end up.
        let patience = video == nil ? CMTime.zero : CMTime(value: 1, timescale: 2) + videoLateness
        if audioEnd >= limitTime + patience { hasReachedLimit = true }
    }

    private func begin(
        at origin: CMTime, _ pixels: CVPixelBuffer?, _ frameDuration: CMTime
    ) throws(MovieError) -> MovieRecorder {
        orientation = video?.movieOrientation ?? MovieOrientation()
        let new = try MovieRecorder(
            configuration(pixels, frameDuration, origin), url: follower.url, storage: system.storage, start: origin)
        recorder = new
        self.origin = origin
        if limits.duration.isNumeric { limitTime = origin + limits.duration }
        follower.didStart(at: origin)
        for chunk in earlyAudio { try append(chunk, to: new) }
        earlyAudio = []
        return new
    }

    private func checkLimits() -> Verdict {
        guard let recorder else { return .goOn }
        if hasReachedLimit {
            // The sound of the last picture comes after it; it is waited for, but not for ever.
            let hasSoundEnded = audio.map { endedSources[ObjectIdentifier($0)] != nil || !$0.carries } ?? true
            let isSoundMissing = !hasSoundEnded && !(audioEnd >= limitTime)
            let isLate = videoEnd >= limitTime + CMTime(value: 1, timescale: 2) + audioLateness
            return isSoundMissing && !isLate ? .goOn : .end(.limit(.maximumDurationReached, at: limitTime))
        }
        let isFull =
            limits.fileSize > 0 && recorder.recordedByteCount + indexByteCount(recorder) >= limits.fileSize
        if isFull || recorder.isFull {
            return .end(.limit(.maximumFileSizeReached, at: lastTime))
        }
        if lackOfSpace() != nil { return .end(.limit(.diskFull, at: lastTime)) }
        return .goOn
    }

    /// What the index at the end will take, with room for the frames that the encoder still holds.
    private func indexByteCount(_ recorder: MovieRecorder) -> Int64 {
        let frames = Int64(recorder.videoFrameCount)
        let packets = Int64(recorder.recordedDuration.seconds * 50)
        let meanFrame = recorder.recordedByteCount / max(frames, 1)
        return 4096 + Int64(recorder.metadata.byteCount) + 28 * frames + 8 * packets + 12 * meanFrame
    }

    /// The end of what has come.
    var lastTime: CMTime {
        [videoEnd, audioEnd].filter(\.isNumeric).max() ?? start
    }

    private func lackOfSpace() -> AVError? {
        guard limits.minimumFreeSpace > 0 else { return nil }
        do throws(StorageError) {
            let free = try system.storage.availableByteCount(at: follower.url)
            guard free < limits.minimumFreeSpace else { return nil }
            return AVError(.diskFull, "only \(free) bytes are free; the limit is \(limits.minimumFreeSpace)")
        } catch {
            return AVError(error)
        }
    }
}

extension AudioChunk {
    var duration: CMTime {
        CMTime(nanoseconds: Int64((Double(frameCount) * 1e9 / format.sampleRate).rounded()))
    }
}
