import CaptureHAL
import Foundation
import MediaCodecs
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
    }

    /// What follows from a frame or a chunk of sound.
    enum Verdict {
        case goOn
        case end(EndReason)
        case failed(AVError, isGood: Bool)
    }

    let follower: RecordingFollower
    private let system: CaptureSystem
    private let limits: AVCaptureFileOutput.Limits
    private let options: AVCaptureMovieFileOutput.Options
    /// Nothing that is earlier is recorded.
    private var start: CMTime
    /// Whether a pause began before the first media.
    private var isHeldBack = false
    private let video: AVCaptureConnection?
    private let audio: AVCaptureConnection?
    private var recorder: MovieRecorder?
    /// Sound that waits for the first picture.
    private var earlyAudio: [AudioChunk] = []
    /// When the duration limit is reached; invalid where there is none or nothing was recorded yet.
    private var limitTime = CMTime.invalid
    private var hasReachedLimit = false
    private var pauseTime = CMTime.invalid
    /// The last frames' times: those at the end or behind are not part of the movie.
    private var latestFrameTimes: [CMTime] = []
    /// The ends of what has come.
    private var videoEnd = CMTime.invalid
    private var audioEnd = CMTime.invalid
    private var summary: MovieRecorder.Summary?
    private var endedSources: [ObjectIdentifier: CMTime] = [:]

    init(
        _ follower: RecordingFollower, system: CaptureSystem, limits: AVCaptureFileOutput.Limits,
        options: AVCaptureMovieFileOutput.Options, start: CMTime
    ) {
        self.follower = follower
        self.system = system
        self.limits = limits
        self.options = options
        self.start = start
        video = follower.connections.first { $0.mediaType == .video }
        audio = follower.connections.first { $0.mediaType == .audio }
    }

    /// The length of the movie so far; its exact length once it is complete.
    var recordedDuration: CMTime { summary?.duration ?? recorder?.recordedDuration ?? .zero }
    var recordedByteCount: Int64 { recorder?.recordedByteCount ?? 0 }
    private(set) var statistics = RecordingStatistics()

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
        return checkLimits()
    }

    /// Counts a frame that never came, where it belongs to the recorded time.
    func countDrop(_ drop: DroppedFrame) {
        guard drop.presentationTime >= start, !hasReachedLimit else { return }
        statistics.droppedFrameCount += 1
    }

    /// Completes the file.
    func finish(_ reason: EndReason) -> Result {
        let cause: AVError? =
            switch reason {
            case .stopped, .sourceEnded, .sessionEnded(.stopped, _): nil
            case .sessionEnded(.reconfigured, _):
                AVError(.sessionConfigurationChanged, "the session was changed while recording")
            case .sessionEnded(.interrupted, _):
                AVError(.sessionWasInterrupted, "the session was interrupted while recording")
            case .sessionEnded(.failed(let error), _): error
            case .limit(let code, let time):
                AVError(code, code.limitMessage, cause: nil, [AVErrorTimeKey: time])
            }
        guard let recorder else {
            let empty = AVError(.noDataCaptured, "the recording ended before the first frame came")
            return .failure(cause ?? empty, isGood: false)
        }
        do {
            let end = endTime(reason)
            let summary = try recorder.finish(at: end)
            self.summary = summary
            statistics.videoFrameCount = summary.videoFrameCount - latestFrameTimes.count { $0 >= end }
            statistics.audioSampleCount = summary.audioSampleCount
        } catch {
            let failure = AVError(error)
            // Where a limit let nothing into the file, the limit is the reason.
            let isEmpty = failure.code == .noDataCaptured
            return .failure(isEmpty ? cause ?? failure : failure, isGood: error.hasPlayableContent)
        }
        return cause.map { .failure($0, isGood: true) } ?? .success
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
        guard time >= start else { return }
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
        guard try recorder.append(pixels, at: time, duration: frame.duration) else { return }
        latestFrameTimes = latestFrameTimes.suffix(63) + [time]
        statistics.videoFrameCount = recorder.videoFrameCount
        (statistics.width, statistics.height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        videoEnd = frame.duration.isNumeric ? time + frame.duration : time
    }

    private func take(_ chunk: AudioChunk) throws(MovieError) {
        let end = chunk.presentationTime + chunk.duration
        guard end > start else { return }
        if recorder == nil, video != nil {
            earlyAudio.append(chunk)
            // More than a second early is not early but without a picture: a camera that does not deliver.
            earlyAudio.removeAll { $0.presentationTime + CMTime(value: 1, timescale: 1) < chunk.presentationTime }
            return
        }
        let recorder =
            if let recorder { recorder } else { try begin(at: max(start, chunk.presentationTime), nil, .invalid) }
        try append(chunk, to: recorder)
    }

    private func append(_ chunk: AudioChunk, to recorder: MovieRecorder) throws(MovieError) {
        audioEnd = chunk.presentationTime + chunk.duration
        try recorder.append(chunk)
        guard limitTime.isValid, !recorder.isPaused else { return }
        // Pictures that do not come for so long do not hold the end up.
        let patience = video == nil ? CMTime.zero : CMTime(value: 1, timescale: 2)
        if audioEnd >= limitTime + patience { hasReachedLimit = true }
    }

    private func begin(
        at origin: CMTime, _ pixels: CVPixelBuffer?, _ frameDuration: CMTime
    ) throws(MovieError) -> MovieRecorder {
        let new = try MovieRecorder(
            configuration(pixels, frameDuration, origin), url: follower.url, storage: system.storage, start: origin)
        recorder = new
        if limits.duration.isNumeric { limitTime = origin + limits.duration }
        follower.didStart()
        for chunk in earlyAudio { try append(chunk, to: new) }
        earlyAudio = []
        return new
    }

    private func configuration(
        _ pixels: CVPixelBuffer?, _ frameDuration: CMTime, _ origin: CMTime
    ) -> MovieRecorder.Configuration {
        let isMPEG4 = ["mp4", "m4v"].contains(follower.url.pathExtension.lowercased())
        return MovieRecorder.Configuration(
            container: isMPEG4 ? .mp4 : .mov, fragmentInterval: options.fragmentInterval,
            metadata: metadata(at: origin), video: pixels.map { videoConfiguration($0, frameDuration) },
            audio: audioFormat.map { AudioEncoderSettings(input: $0) },
            byteLimit: limits.fileSize > 0 ? limits.fileSize : nil)
    }

    private func videoConfiguration(
        _ pixels: CVPixelBuffer, _ frameDuration: CMTime
    ) -> MovieRecorder.Configuration.Video {
        let (angle, isMirrored, chosen) =
            video?.state.withLock { ($0.rotationAngle, $0.isMirrored, $0.movieSettings) } ?? (0, false, nil)
        let settings = chosen ?? MovieVideoSettings()
        return MovieRecorder.Configuration.Video(
            encoder: VideoEncoderSettings(
                codec: settings.sampleCodec,
                dimensions: CMVideoDimensions(
                    width: Int32(CVPixelBufferGetWidth(pixels)), height: Int32(CVPixelBufferGetHeight(pixels))),
                color: ColorDescription(of: pixels),
                expectedFrameDuration: frameDuration.isNumeric ? frameDuration : CMTime(value: 1, timescale: 30),
                averageBitRate: settings.averageBitRate, quality: settings.quality,
                maximumKeyFrameInterval: settings.maximumKeyFrameInterval),
            // The movie mirrors before it turns, a connection mirrors what the viewer sees: the same thing with the
            // turn the other way round.
            orientation: MovieOrientation(rotationAngle: isMirrored ? 360 - angle : angle, isMirrored: isMirrored))
    }

    private func metadata(at origin: CMTime) -> MovieMetadata {
        let device = (video ?? audio).flatMap { $0.inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput }?.device
        let date = system.clock.date(at: origin)
        return MovieMetadata(
            creationSecondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)),
            creationDate: date.ISO8601Format(), make: device?.manufacturer, model: device?.modelID,
            software: "Obscura")
    }

    private var audioFormat: AudioStreamFormat? {
        let input = audio?.inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput
        if case .audio(let format)? = input?.format(for: .audio)?.stream { return format }
        return nil
    }

    private func checkLimits() -> Verdict {
        guard let recorder else { return .goOn }
        if hasReachedLimit {
            // The sound of the last picture comes after it; it is waited for, but not for ever.
            let hasSoundEnded = audio.map { endedSources[ObjectIdentifier($0)] != nil || !$0.isEnabled } ?? true
            let isSoundMissing = !hasSoundEnded && !(audioEnd >= limitTime)
            let isLate = videoEnd >= limitTime + CMTime(value: 1, timescale: 2)
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
        return 4096 + 16 * frames + 8 * packets + 12 * meanFrame
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

    private var lastTime: CMTime {
        [videoEnd, audioEnd].filter(\.isNumeric).max() ?? start
    }

    private func endTime(_ reason: EndReason) -> CMTime {
        switch reason {
        case .limit(.maximumDurationReached, let time): return time
        case .limit, .sourceEnded:
            return endedSources.values.max() ?? lastTime
        case .stopped(let now), .sessionEnded(_, let now):
            // Sound comes in chunks, the last of which is still on its way: the movie ends with what has come.
            let nearlyNow = now - CMTime(value: 1, timescale: 10)
            guard audio != nil, audioEnd.isNumeric, audioEnd > nearlyNow else { return now }
            return min(now, audioEnd)
        }
    }
}

extension AudioChunk {
    var duration: CMTime {
        CMTime(nanoseconds: Int64((Double(frameCount) * 1e9 / format.sampleRate).rounded()))
    }
}

extension ColorDescription {
    /// The tags that hang onto a picture; what it does not say is BT.709.
    init(of pixels: CVPixelBuffer) {
        let isFullRange = CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        let matrix = CVBufferCopyAttachment(pixels, kCVImageBufferYCbCrMatrixKey, nil) as? String
        self =
            matrix == kCVImageBufferYCbCrMatrix_ITU_R_601_4
            ? .bt601(isFullRange: isFullRange)
            : .bt709(isFullRange: isFullRange)
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
    /// The error that clients see for one of the movie file.
    init(_ error: MovieError) {
        switch error.cause {
        case .storage(let cause)?: self.init(cause)
        case .encoding(let cause)?: self.init(.encodeFailed, cause.message, cause: cause)
        case nil:
            let code: Code =
                switch error.code {
                case .unsupportedFormat: .unsupportedOutputSettings
                case .empty: .noDataCaptured
                case .invalidSample, .invalidState, .storage, .encoding: .unknown
                }
            self.init(code, error.message, cause: error)
        }
    }
}
