package import Foundation
package import MediaStorage
package import MediaTypes

/// Records video and audio of devices to a movie file, synchronized with sample accuracy.
///
/// Time zero of the movie is the start time. Audio is trimmed to the start and the end, missing audio is replaced by
/// silence, and overlapping audio is dropped. Each frame is presented until the next one, the last one until the end.
/// Pauses are removed.
///
/// - Important: Confined to one thread at a time.
package final class MovieRecorder {
    /// The settings of a recording.
    package struct Configuration: Sendable {
        /// The settings of the video track.
        package struct Video: Sendable {
            /// The encoder's settings.
            package var encoder: VideoEncoderSettings
            /// The orientation for display.
            package var orientation: MovieOrientation
            /// The time scale of the track in ticks per second; nil for one that represents the expected frame duration
            /// exactly.
            package var timescale: CMTimeScale?
            /// The time of day at the movie's start in seconds since midnight, for a timecode track; nil for no such
            /// track. Only .mov files can contain one.
            package var timeOfDay: Double?
            /// Whether to record the orientation and its changes in a timed metadata track.
            package var recordsOrientationChanges: Bool
            /// Whether the frames are JPEG data that is written unchanged and that `encoder` describes.
            package var isPassthrough = false

            /// Creates settings.
            package init(
                encoder: VideoEncoderSettings, orientation: MovieOrientation = MovieOrientation(),
                timescale: CMTimeScale? = nil, timeOfDay: Double? = nil, recordsOrientationChanges: Bool = false
            ) {
                self.encoder = encoder
                self.orientation = orientation
                self.timescale = timescale
                self.timeOfDay = timeOfDay
                self.recordsOrientationChanges = recordsOrientationChanges
            }
        }

        /// The file format.
        package var container: MovieContainer
        /// The format of an audio file to write instead of a movie; nil for a movie.
        package var audioFileContainer: AudioFileContainer?
        /// The maximum duration of a fragment; see `MovieFileWriter.Configuration`.
        package var fragmentInterval: CMTime
        /// The metadata of the movie.
        package var metadata: MovieMetadata
        /// The video settings; nil for a movie without video.
        package var video: Video?
        /// The audio settings; nil for a movie without audio.
        package var audio: AudioEncoderSettings?
        /// The formats of timed metadata tracks; ignored in a movie without video.
        package var timedMetadata: [TimedMetadataFormat] = []
        /// The maximum difference between the actual and the expected time of audio that is ignored as jitter. At
        /// larger differences, audio is trimmed or padded with silence.
        package var audioTolerance: CMTime
        /// The maximum size of the file in bytes; nil for no limit.
        package var byteLimit: Int64?
        /// Whether the finished movie has its index before the media.
        package var putsIndexInFront: Bool

        /// Creates a configuration.
        package init(
            container: MovieContainer, fragmentInterval: CMTime = CMTime(value: 10, timescale: 1),
            metadata: MovieMetadata = MovieMetadata(), video: Video? = nil, audio: AudioEncoderSettings? = nil,
            audioTolerance: CMTime = CMTime(value: 1, timescale: 1000), byteLimit: Int64? = nil,
            putsIndexInFront: Bool = false
        ) {
            self.putsIndexInFront = putsIndexInFront
            self.container = container
            self.fragmentInterval = fragmentInterval
            self.metadata = metadata
            self.video = video
            self.audio = audio
            self.audioTolerance = audioTolerance
            self.byteLimit = byteLimit
        }
    }

    /// The contents of a finished recording.
    package struct Summary: Sendable, Hashable {
        /// The duration of the movie.
        package var duration: CMTime
        /// The number of video frames.
        package var videoFrameCount: Int
        /// The number of presented audio frames, at the track's sample rate.
        package var audioSampleCount: Int64
        /// The size of the file in bytes.
        package var byteCount: Int64
    }

    /// The settings of the recording.
    package let configuration: Configuration
    /// The number of frames recorded so far.
    package private(set) var videoFrameCount = 0
    let writer: any RecordedFile
    /// The writer if it writes a movie; nil for an audio file.
    private let movie: MovieFileWriter?
    let videoEncoder: VideoEncoder?
    let audioEncoder: AudioEncoder?
    var timeline: RecordingTimeline
    private let videoTrack: MovieTrackID?
    let audioTrack: MovieTrackID?
    /// The tracks that describe the video track and begin with its first frame.
    private let companions: MovieCompanionTracks?
    private var lastFrameTime = CMTime.invalid
    private var lastFrameEnd = CMTime.zero
    private var firstFrameEnd = CMTime.zero
    /// The movie time of the first frame that did not fit into `byteLimit`; nil if all frames did.
    private var cutTime: CMTime?
    /// The movie time of the next fragment: the first frame at or after it is encoded as a key frame.
    private var nextFragmentStart: CMTime

    /// Creates the file and opens the encoders.
    ///
    /// - Parameter start: The time of the movie's start, on the clock of the media.
    /// - Throws: `.unsupportedFormat`, `.invalidSample` if `start` is not numeric, `.encoding` or `.storage`; then the
    ///   file is removed.
    package init(
        _ configuration: Configuration, url: URL, storage: any CaptureStorage, start: CMTime
    ) throws(MovieError) {
        self.configuration = configuration
        timeline = RecordingTimeline(start: start)
        nextFragmentStart = configuration.fragmentInterval
        guard configuration.video != nil || configuration.audio != nil else {
            throw MovieError(.unsupportedFormat, "a movie needs video, audio or both")
        }
        guard start.isNumeric else { throw MovieError(.invalidSample, "the start time of a recording must be numeric") }
        do {
            videoEncoder = try configuration.video.flatMap { (video) throws(EncodingError) in
                try video.isPassthrough ? nil : VideoEncoder(video.encoder)
            }
            audioEncoder = try configuration.audio.map { (audio) throws(EncodingError) in try AudioEncoder(audio) }
        } catch {
            throw MovieError(error)
        }
        let writer: any RecordedFile
        let movie: MovieFileWriter?
        if let container = configuration.audioFileContainer {
            movie = nil
            writer = try AudioFileWriter(
                url: url, storage: storage,
                configuration: AudioFileWriter.Configuration(
                    container: container, checkpointInterval: configuration.fragmentInterval))
        } else {
            let new = try MovieFileWriter(
                url: url, storage: storage,
                configuration: MovieFileWriter.Configuration(
                    container: configuration.container, fragmentInterval: configuration.fragmentInterval,
                    putsIndexInFront: configuration.putsIndexInFront),
                metadata: configuration.metadata)
            movie = new
            writer = new
        }
        do {
            let video = try Self.addVideoTrack(configuration.video, videoEncoder, to: writer)
            videoTrack = video
            audioTrack = try Self.addAudioTrack(audioEncoder, to: writer)
            companions = try movie.map { (movie) throws(MovieError) in
                try MovieCompanionTracks(configuration, describing: video, in: movie)
            }
        } catch {
            writer.cancel()
            throw error
        }
        self.writer = writer
        self.movie = movie
    }

    /// Appends the next frame.
    ///
    /// - Returns: Whether the frame is part of the movie: false before the start, during a pause, and if the time is
    ///   not after that of the previous frame.
    /// - Throws: `.storage` or `.encoding`. The recording has then ended, and `hasPlayableContent` indicates whether
    ///   the file is playable.
    @discardableResult
    package func append(_ buffer: CVPixelBuffer, at time: CMTime, duration: CMTime) throws(MovieError) -> Bool {
        guard let videoEncoder else { return false }
        return try append(at: time, duration: duration) { (time, duration, beginsFragment) throws(EncodingError) in
            try videoEncoder.encode(buffer, at: time, duration: duration, forceKeyFrame: beginsFragment)
        }
    }

    /// Appends the JPEG data of the next frame unchanged, if `isPassthrough` is set.
    ///
    /// - Returns: As `append(_:at:duration:)`.
    /// - Throws: As `append(_:at:duration:)`.
    @discardableResult
    package func append(compressed data: Data, at time: CMTime, duration: CMTime) throws(MovieError) -> Bool {
        guard videoEncoder == nil else { return false }
        return try append(at: time, duration: duration) { (time, duration, _) throws(EncodingError) in
            [EncodedSample(data: data, presentationTime: time, duration: duration)]
        }
    }

    /// Appends the samples that `encode` returns for a frame.
    ///
    /// - Parameter encode: Receives the movie time of the frame, its duration, and whether it begins a fragment.
    private func append(
        at time: CMTime, duration: CMTime,
        _ encode: (CMTime, CMTime, Bool) throws(EncodingError) -> [EncodedSample]
    ) throws(MovieError) -> Bool {
        guard let video = configuration.video, let videoTrack, let movieTime = timeline.movieTime(of: time) else {
            return false
        }
        let scale = timescale(of: videoTrack)
        let rounded = CMTimeConvertScale(movieTime, timescale: scale, method: .roundHalfAwayFromZero)
        guard !lastFrameTime.isValid || rounded > lastFrameTime else { return false }
        var beginsFragment = false
        if nextFragmentStart.isNumeric, nextFragmentStart > .zero, rounded >= nextFragmentStart {
            beginsFragment = true
            while nextFragmentStart <= rounded {
                nextFragmentStart = nextFragmentStart + configuration.fragmentInterval
            }
        }
        let frameDuration =
            duration.isNumeric && duration > .zero ? duration : video.encoder.expectedFrameDuration
        let samples = try encoding { () throws(EncodingError) in
            try encode(rounded, frameDuration, beginsFragment)
        }
        lastFrameTime = rounded
        lastFrameEnd = rounded + frameDuration
        if videoFrameCount == 0 { firstFrameEnd = lastFrameEnd }
        videoFrameCount += 1
        try appendVideo(samples, to: videoTrack)
        try fillMissingAudio(before: rounded)
        return true
    }

    /// Pauses at `time`: media from then until the time of `resume` is not recorded. Does nothing during a pause.
    package func pause(at time: CMTime) { timeline.pause(at: time) }

    /// Resumes at `time`. On the movie's timeline, `time` is the start of the pause. Does nothing outside a pause.
    package func resume(at time: CMTime) { timeline.resume(at: time) }

    /// Whether the recording is paused.
    package var isPaused: Bool { timeline.isPaused }

    /// Records an orientation change; the track's matrix is not changed.
    ///
    /// - Throws: As `append(_:at:duration:)`.
    package func changeOrientation(to orientation: MovieOrientation, at time: CMTime) throws(MovieError) {
        guard let movieTime = timeline.movieTime(of: time) ?? (isPaused ? timeline.duration(at: time) : nil) else {
            return
        }
        if let movie { try companions?.changeOrientation(to: orientation, at: movieTime, in: movie) }
    }

    /// Appends timed metadata.
    ///
    /// - Parameters:
    ///   - data: A sample in the format of the track.
    ///   - track: The index of the format in the configuration.
    ///   - duration: Not numeric if the metadata lasts until the next sample.
    /// - Throws: As `append(_:at:duration:)`.
    package func append(
        metadata data: Data, track: Int, at time: CMTime, duration: CMTime
    ) throws(MovieError) {
        guard let movieTime = timeline.movieTime(of: time), let movie, let companions else { return }
        try companions.append(metadata: data, track: track, at: movieTime, duration: duration, in: movie)
    }

    /// The duration of the movie so far.
    package var recordedDuration: CMTime { max(lastFrameEnd, audioDuration) }

    /// The size of the file in bytes so far.
    package var recordedByteCount: Int64 { writer.byteCount }

    /// The number of complete fragments so far.
    package var fragmentCount: Int { Int(movie?.fragmentCount ?? 0) }

    /// Whether the file in its current state is playable, at least in part.
    package var hasPlayableContent: Bool { writer.hasPlayableContent }

    /// Whether the playable part of the file contains a frame, or sound in a recording without video.
    package var presentsFrames: Bool { movie?.presentsFrames ?? writer.hasPlayableContent }

    /// The metadata of the movie; can be changed until the movie is finished.
    package var metadata: MovieMetadata {
        get { writer.metadata }
        set { writer.metadata = newValue }
    }

    /// Ends the movie at `time` and completes the file.
    ///
    /// Frames at or after `time` are removed, unless earlier frames depend on them. If `time` is less than a millisecond
    /// after the start, the movie ends after the first frame: it would otherwise be too short to show this frame.
    ///
    /// - Throws: `.empty` if nothing was recorded or nothing fits; then the file is removed. Otherwise as `append`.
    package func finish(at time: CMTime) throws(MovieError) -> Summary {
        timeline.pause(at: time)
        var end = timeline.duration(at: time)
        if end < CMTime(value: 1, timescale: 1000) { end = max(end, firstFrameEnd) }
        if let videoTrack {
            let samples = try encoding { () throws(EncodingError) in try videoEncoder?.finish() ?? [] }
            try appendVideo(samples, to: videoTrack)
            if let cutTime { end = min(end, cutTime) }
            guard end > .zero || cutTime == nil else {
                cancel()
                throw MovieError(.empty, "the first frame does not fit into the file's maximum size")
            }
            videoFrameCount -= writer.dropLastSamples(of: videoTrack, from: end)
            if lastFrameTime.isValid { writer.extendLastSample(of: videoTrack, until: end) }
            writer.setPresentationEnd(end, of: videoTrack)
            if let movie { try companions?.finish(at: end, in: movie) }
        }
        let audioSampleCount = try finishAudio(at: end)
        try writer.finish()
        return Summary(
            duration: end, videoFrameCount: videoFrameCount, audioSampleCount: audioSampleCount,
            byteCount: writer.byteCount)
    }

    /// Whether a frame did not fit into the maximum size; the movie ends before it.
    package var isFull: Bool { cutTime != nil }

    /// Appends video samples up to the first that does not fit.
    private func appendVideo(_ samples: [EncodedSample], to track: MovieTrackID) throws(MovieError) {
        for sample in samples {
            if cutTime == nil, fits(sample) {
                if let movie { try companions?.begin(at: sample.presentationTime, in: movie) }
                try writer.append(sample, to: track)
            } else {
                cutTime = min(cutTime ?? sample.presentationTime, sample.presentationTime)
                videoFrameCount -= 1
            }
        }
    }

    /// Whether a sample leaves enough space for pending audio and the index.
    private func fits(_ sample: EncodedSample) -> Bool {
        guard let byteLimit = configuration.byteLimit else { return true }
        // An estimate of the index: 28 bytes for each video frame, 8 for each of 50 audio packets per second.
        let indexByteCount =
            4096 + Int64(metadata.byteCount) + 28 * Int64(videoFrameCount) + 8 * Int64(audioDuration.seconds * 50)
        let overhead = indexByteCount + writer.nextFragmentByteCount
        return recordedByteCount + Int64(sample.data.count) + overhead <= byteLimit
    }

    /// Stops recording and removes the file.
    package func cancel() { writer.cancel() }

    /// Runs an encoder; if it fails, completes the file with the samples written so far.
    func encoding<Result>(_ body: () throws(EncodingError) -> Result) throws(MovieError) -> Result {
        do {
            return try body()
        } catch {
            // A further error is ignored: the encoder's error is the one to report.
            try? writer.finish()
            throw MovieError(error, hasPlayableContent: writer.hasPlayableContent)
        }
    }

    func append(_ samples: [EncodedSample], to track: MovieTrackID) throws(MovieError) {
        for sample in samples { try writer.append(sample, to: track) }
    }

    private func timescale(of track: MovieTrackID) -> CMTimeScale { movie?.tracks[track.index].timescale ?? 600 }
}

extension MovieRecorder {
    private static func addVideoTrack(
        _ video: Configuration.Video?, _ encoder: VideoEncoder?, to writer: any TrackWriter
    ) throws(MovieError) -> MovieTrackID? {
        guard let video else { return nil }
        let settings = video.encoder
        let format =
            encoder?.format
            ?? VideoSampleFormat(
                codec: .jpeg, dimensions: settings.dimensions, configuration: Data(), color: settings.color)
        return try writer.addTrack(
            MovieTrackConfiguration(
                format: .video(format), timescale: video.timescale ?? timescale(for: settings.expectedFrameDuration),
                transform: video.orientation.transform(for: format.dimensions),
                expectedSampleRate: settings.expectedFrameRate))
    }

    private static func addAudioTrack(
        _ encoder: AudioEncoder?, to writer: any TrackWriter
    ) throws(MovieError) -> MovieTrackID? {
        guard let encoder else { return nil }
        return try writer.addTrack(
            MovieTrackConfiguration(
                format: .audio(encoder.format), timescale: encoder.format.sampleRate,
                expectedSampleRate: Double(encoder.format.sampleRate) / Double(encoder.format.framesPerPacket)))
    }

    /// Returns a time scale that represents a frame duration exactly: 90 000 for all common durations, or a multiple of
    /// it. If the multiple exceeds 10 000 000, returns 90 000.
    static func timescale(for frameDuration: CMTime) -> CMTimeScale {
        let base: Int64 = 90_000
        guard frameDuration.isNumeric, frameDuration.timescale > 0, frameDuration.value > 0 else {
            return CMTimeScale(base)
        }
        var (larger, smaller) = (base * frameDuration.value, Int64(frameDuration.timescale))
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        let common = base * (Int64(frameDuration.timescale) / larger)
        return common <= 10_000_000 ? CMTimeScale(common) : CMTimeScale(base)
    }
}
