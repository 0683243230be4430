import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

/// One recording, from the request to start until the file is complete.
///
/// The movie starts with the first frame at or after the requested time; if there is no video, with the first audio.
/// Audio that arrives before the first frame is buffered.
/// - Important: Confined to the output's worker.
final class MovieRecording {
    /// The reason for the end of a recording.
    enum EndReason {
        case stopped(at: CMTime)
        /// Another recording continues with the first frame at or after this time.
        case switched(at: CMTime)
        case sourceEnded
        case sessionEnded(AVCaptureOutput.StopReason, at: CMTime)
        case limit(AVError.Code, at: CMTime)
    }

    /// The result of a recording.
    enum Result {
        case success
        case failure(AVError, isPlayable: Bool)

        /// The error that the delegate receives at the end.
        var error: AVError? {
            switch self {
            case .success: nil
            case .failure(let error, let isPlayable):
                AVError(
                    error.code,
                    userInfo: error.userInfo.merging([AVErrorRecordingSuccessfullyFinishedKey: isPlayable]) { $1 })
            }
        }

        /// The error without the information whether the file is playable; `willFinishRecordingTo` reports it before
        /// the file is complete.
        var cause: AVError? {
            if case .failure(let error, _) = self { error } else { nil }
        }
    }

    /// The result of processing media.
    enum ProcessingResult {
        case proceed
        case end(EndReason)
        case failed(AVError, isPlayable: Bool)
    }

    let notifier: RecordingDelegateNotifier
    /// The number of the recording in its output.
    let number: Int
    let system: CaptureSystem
    let limits: AVCaptureFileOutput.Limits
    let options: AVCaptureMovieFileOutput.Options
    /// The start time; earlier media are not recorded.
    private var start: CMTime
    /// Whether the recording is paused and has no media yet.
    private(set) var isPausedBeforeStart = false
    let video: AVCaptureConnection?
    let audio: AVCaptureConnection?
    /// The connections to inputs of timed metadata; each has a track.
    let metadata: [AVCaptureConnection]
    /// The last metadata of each connection before the first frame.
    var earlyMetadata: [ObjectIdentifier: ClientMetadata] = [:]
    /// Writes the file; nil before the first recorded media.
    private(set) var recorder: MovieRecorder?
    /// The client's metadata, in addition to the metadata that the recording creates.
    var items: [AVMetadataItem] = []
    /// The audio that waits for the first frame.
    private var earlyAudio: [AudioChunk] = []
    /// The time of the duration limit; invalid without a limit and before the first media.
    private var limitTime = CMTime.invalid
    /// Whether the media have reached `limitTime`.
    private var hasReachedLimit = false
    /// The time of the last pause; invalid before the first one.
    private(set) var pauseTime = CMTime.invalid
    /// The end times of the last frame and audio chunk; invalid before them.
    private var videoEnd = CMTime.invalid
    private(set) var audioEnd = CMTime.invalid
    /// The maximum latency of video and audio so far.
    private var videoLatency = CMTime.zero
    private var audioLatency = CMTime.zero
    /// The upper limit of measured latencies; a larger value means that the device uses another clock.
    private static let maximumLatency = CMTime(value: 10, timescale: 1)
    /// The result of the file; nil until it is complete.
    var summary: MovieRecorder.Summary?
    /// The end times of the sources that have ended, by connection.
    private(set) var endedSources: [ObjectIdentifier: CMTime] = [:]
    /// The state of an ended recording that waits for media captured before its end; nil if it does not wait.
    var ending: Ending?
    /// The time of the first recorded media; invalid before them.
    private var origin = CMTime.invalid
    /// The orientation of the last frame.
    private var orientation = MovieOrientation()
    /// Whether the JPEG frames of the camera are written unchanged; known with the first frame.
    private(set) var passesFramesThrough = false

    init(
        _ notifier: RecordingDelegateNotifier, number: Int, system: CaptureSystem, limits: AVCaptureFileOutput.Limits,
        options: AVCaptureMovieFileOutput.Options, start: CMTime
    ) {
        self.notifier = notifier
        self.number = number
        self.system = system
        self.limits = limits
        self.options = options
        self.start = start
        video = notifier.connections.first { $0.mediaType == .video }
        audio = notifier.connections.first { $0.mediaType == .audio }
        metadata = notifier.connections.filter { $0.mediaType == .metadata && $0.metadataFormat != nil }
    }

    /// Whether the file contains media.
    var hasBegun: Bool { recorder != nil }
    private var hasNotifiedWillFinish = false
    /// The number of fragments that are in the log.
    private var loggedFragmentCount = 0

    /// Writes an entry to the log, after the name of the file.
    func log(_ level: CaptureLog.Level, _ message: @autoclosure () -> String) {
        CaptureLog.write(.recording, level, system.clock, "\(notifier.url.lastPathComponent): \(message())")
    }

    private func logFragments(of recorder: MovieRecorder) {
        guard recorder.fragmentCount > loggedFragmentCount else { return }
        loggedFragmentCount = recorder.fragmentCount
        log(.debug, "fragment \(loggedFragmentCount) is complete, \(recorder.recordedByteCount) bytes")
    }

    /// Notifies the delegate, once, that no more media are added to the file.
    func notifyWillFinish(_ error: AVError?) {
        guard !hasNotifiedWillFinish else { return }
        hasNotifiedWillFinish = true
        notifier.willFinish(error)
    }

    /// The duration of the movie so far; exact once it is complete.
    var recordedDuration: CMTime { summary?.duration ?? recorder?.recordedDuration ?? .zero }
    var recordedByteCount: Int64 { recorder?.recordedByteCount ?? 0 }
    var statistics = RecordingStatistics()

    /// Returns the error that prevents the recording from starting; nil if there is none.
    func startError() -> AVError? {
        if system.storage.fileExists(at: notifier.url) {
            return AVError(.fileAlreadyExists, "\(notifier.url.path) already exists; recordings do not replace files")
        }
        return freeSpaceError()
    }

    /// Pauses the recording.
    ///
    /// - Returns: Whether it was running.
    func pause(at time: CMTime) -> Bool {
        guard let recorder else {
            defer { isPausedBeforeStart = true }
            return !isPausedBeforeStart
        }
        guard !recorder.isPaused else { return false }
        recorder.pause(at: time)
        pauseTime = time
        return true
    }

    /// Resumes the recording.
    ///
    /// - Returns: Whether it was paused.
    func resume(at time: CMTime) -> Bool {
        guard let recorder else {
            guard isPausedBeforeStart else { return false }
            isPausedBeforeStart = false
            start = time
            earlyAudio = []
            return true
        }
        guard recorder.isPaused else { return false }
        recorder.resume(at: time)
        if limitTime.isValid, !hasReachedLimit { limitTime = limitTime + (time - pauseTime) }
        return true
    }

    /// Registers the end of a source.
    ///
    /// - Returns: Whether all sources have ended.
    func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) -> Bool {
        endedSources[ObjectIdentifier(connection)] = time
        return [video, audio].compactMap { $0 }.allSatisfy { endedSources[ObjectIdentifier($0)] != nil }
    }

    /// Processes media of a connection.
    func process(_ media: CapturedMedia, from connection: AVCaptureConnection) -> ProcessingResult {
        guard !isPausedBeforeStart else { return .proceed }
        do {
            switch media {
            case .video(let frame) where connection === video: try process(frame)
            case .audio(let chunk) where connection === audio: try process(chunk)
            case .video, .audio: return .proceed
            }
        } catch {
            return .failed(AVError(error), isPlayable: finish(after: error))
        }
        let result = checkLimits()
        if case .proceed = result, let ending, isComplete(ending) { return .end(ending.reason) }
        return result
    }

    /// Updates the file's metadata from `items`.
    func updateMetadata() {
        guard let recorder, origin.isValid else { return }
        recorder.metadata = metadata(at: origin)
    }

    /// Counts a lost frame if it was captured during the recording.
    func countDroppedFrame(at time: CMTime) {
        guard time >= start, !hasReachedLimit, ending?.end.map({ time < $0 }) ?? true else { return }
        statistics.droppedFrameCount += 1
        log(.debug, "frame of \(time.seconds) s was not delivered, or the encoder is too slow")
        guard origin.isValid, time.isNumeric else { return }
        statistics.lastVideoTime = time - origin
    }

    /// Whether a file is good although its recording failed. Sound without a frame remains in the file, but is not a
    /// good movie: the encoder had not returned the first frame.
    func isGood(after error: MovieError) -> Bool { error.hasPlayableContent && recorder?.presentsFrames == true }

    /// Completes the file as far as possible after an error, and returns whether it is good.
    ///
    /// After a failure of the storage or of an encoder (`error.cause`), the recorder has already ended.
    func finish(after error: MovieError) -> Bool {
        guard let recorder, error.cause == nil else { return isGood(after: error) }
        do throws(MovieError) {
            summary = try recorder.finish(at: lastTime)
            return true
        } catch {
            return isGood(after: error)
        }
    }

    private func process(_ frame: CapturedFrame) throws(MovieError) {
        let time = frame.presentationTime
        videoLatency = max(videoLatency, min(system.clock.now - time, Self.maximumLatency))
        guard time >= start, !checkEnd(frame.content) else { return }
        guard !hasReachedLimit else {
            videoEnd = time
            return
        }
        if recorder == nil {
            let settings = video?.state.withLock { $0.movieSettings }
            passesFramesThrough = (settings?.isPassthrough ?? false) && frame.content.isJPEG
        }
        let data = passesFramesThrough ? frame.content.compressedData : nil
        // If frames are written unchanged, only the first one is decoded, for the description of the track.
        let isWrittenUnchanged = data != nil && recorder != nil
        // A frame that cannot be decoded is skipped.
        let pixels = isWrittenUnchanged ? nil : (try? frame.pixelBuffer())
        guard isWrittenUnchanged || pixels != nil else {
            log(.info, "frame of \(time.seconds) s cannot be decoded and is skipped")
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
        let isAppended =
            if let data {
                try recorder.append(compressed: data, at: time, duration: frame.duration)
            } else if let pixels {
                try recorder.append(pixels, at: time, duration: frame.duration)
            } else {
                false
            }
        logFragments(of: recorder)
        guard isAppended else { return }
        (statistics.lastVideoTime, statistics.lastVideoDuration) = (time - origin, frame.duration)
        statistics.videoFrameCount = recorder.videoFrameCount
        if let pixels {
            (statistics.width, statistics.height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        }
        videoEnd = frame.duration.isNumeric ? time + frame.duration : time
    }

    private func process(_ chunk: AudioChunk) throws(MovieError) {
        let end = chunk.presentationTime + chunk.duration
        guard end > start else { return }
        if recorder == nil, video != nil {
            earlyAudio.append(chunk)
            // Keep only the last ten seconds, in case the camera delivers no frames.
            earlyAudio.removeAll { $0.presentationTime + CMTime(value: 10, timescale: 1) < chunk.presentationTime }
            return
        }
        let recorder =
            if let recorder { recorder } else { try begin(at: max(start, chunk.presentationTime), nil, .invalid) }
        try append(chunk, to: recorder)
    }

    private func append(_ chunk: AudioChunk, to recorder: MovieRecorder) throws(MovieError) {
        audioEnd = chunk.presentationTime + chunk.duration
        audioLatency = max(audioLatency, min(system.clock.now - audioEnd, Self.maximumLatency))
        try recorder.append(chunk)
        guard limitTime.isValid, !recorder.isPaused else { return }
        // Wait for missing video for its latency plus 0.5 s at most.
        let timeout = video == nil ? CMTime.zero : CMTime(value: 1, timescale: 2) + videoLatency
        if audioEnd >= limitTime + timeout { hasReachedLimit = true }
    }

    private func begin(
        at origin: CMTime, _ pixels: CVPixelBuffer?, _ frameDuration: CMTime
    ) throws(MovieError) -> MovieRecorder {
        orientation = video?.movieOrientation ?? MovieOrientation()
        let new = try MovieRecorder(
            configuration(pixels, frameDuration, origin), url: notifier.url, storage: system.storage, start: origin)
        recorder = new
        self.origin = origin
        log(.info, "began with the media of \(origin.seconds) s")
        if limits.duration.isNumeric { limitTime = origin + limits.duration }
        notifier.didStart(at: origin)
        for chunk in earlyAudio { try append(chunk, to: new) }
        earlyAudio = []
        try appendEarlyMetadata(to: new, at: origin)
        return new
    }

    /// Checks the limits for duration, file size and free space.
    private func checkLimits() -> ProcessingResult {
        guard let recorder else { return .proceed }
        if hasReachedLimit {
            // The audio of the last frame arrives after the frame: wait for its latency plus 0.5 s at most.
            let hasAudioEnded = audio.map { endedSources[ObjectIdentifier($0)] != nil || !$0.passesMedia } ?? true
            let isAudioMissing = !hasAudioEnded && !(audioEnd >= limitTime)
            let isLate = videoEnd >= limitTime + CMTime(value: 1, timescale: 2) + audioLatency
            return isAudioMissing && !isLate ? .proceed : .end(.limit(.maximumDurationReached, at: limitTime))
        }
        let isFull =
            limits.fileSize > 0 && recorder.recordedByteCount + finishingByteCount(recorder) >= limits.fileSize
        if isFull || recorder.isFull {
            return .end(.limit(.maximumFileSizeReached, at: lastTime))
        }
        if freeSpaceError() != nil { return .end(.limit(.diskFull, at: lastTime)) }
        return .proceed
    }

    /// Returns the estimated number of bytes that finishing the file adds: the index, and the frames in the encoder.
    ///
    /// The estimate is 4096 bytes for the headers of the boxes, 28 bytes for each frame and 8 bytes for each audio
    /// packet in the sample tables, with 50 packets per second, and 12 frames in the encoder.
    private func finishingByteCount(_ recorder: MovieRecorder) -> Int64 {
        let frames = Int64(recorder.videoFrameCount)
        let packets = Int64(recorder.recordedDuration.seconds * 50)
        let meanFrame = recorder.recordedByteCount / max(frames, 1)
        return 4096 + Int64(recorder.metadata.byteCount) + 28 * frames + 8 * packets + 12 * meanFrame
    }

    /// The end time of the last media.
    var lastTime: CMTime {
        [videoEnd, audioEnd].filter(\.isNumeric).max() ?? start
    }

    /// Returns an error if less than the minimum space is free.
    private func freeSpaceError() -> AVError? {
        guard limits.minimumFreeSpace > 0 else { return nil }
        do throws(StorageError) {
            let free = try system.storage.availableByteCount(at: notifier.url)
            guard free < limits.minimumFreeSpace else { return nil }
            return AVError(.diskFull, "only \(free) bytes are free; the limit is \(limits.minimumFreeSpace)")
        } catch {
            return AVError(error)
        }
    }
}

extension VideoFrame {
    fileprivate var isJPEG: Bool {
        if case .compressed(_, kCMVideoCodecType_JPEG) = payload { true } else { false }
    }

    /// The data of a compressed frame; nil for other frames.
    fileprivate var compressedData: Data? {
        guard case .compressed(let data, _) = payload else { return nil }
        // Data that cannot be read is treated as a frame that cannot be decoded.
        return try? data.dataBytes()
    }
}

extension AudioChunk {
    /// The duration of the chunk.
    var duration: CMTime {
        CMTime(nanoseconds: Int64((Double(frameCount) * 1e9 / format.sampleRate).rounded()))
    }
}
