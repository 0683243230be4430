package import Foundation
package import MediaStorage
package import MediaTypes

/// Records pictures and sound of devices into a movie file, in step to a sample.
///
/// The movie's zero is the start time. Sound is cut to the start and the end, lost sound becomes silence, and sound
/// that comes twice is dropped; a frame lasts until the next one, the last until the end. Paused spans are taken out.
///
/// - Important: Confined.
package final class MovieRecorder {
    package struct Configuration: Sendable {
        package struct Video: Sendable {
            package var encoder: VideoEncoderSettings
            package var orientation: MovieOrientation
            /// Ticks a second of frame times; nil for one in which multiples of the expected duration are exact.
            package var timescale: CMTimeScale?
            /// Seconds since midnight at the movie's zero, for a timecode track; nil for none. Only .mov files have it.
            package var timeOfDay: Double?
            /// Whether a track of timed metadata tells the orientation and its changes.
            package var recordsOrientationChanges: Bool

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

        package var container: MovieContainer
        /// For a file of sound alone, in place of a movie.
        package var soundContainer: SoundFileContainer?
        package var fragmentInterval: CMTime
        package var metadata: MovieMetadata
        package var video: Video?
        package var audio: AudioEncoderSettings?
        /// How far sound may be off its time before it is cut or filled; jitter below that is not heard.
        package var audioTolerance: CMTime
        /// The most bytes that the file may have; nil for no limit.
        package var byteLimit: Int64?
        /// Whether the finished movie has its index in front of the media.
        package var putsIndexInFront: Bool

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

    /// What a finished recording holds.
    package struct Summary: Sendable, Hashable {
        package var duration: CMTime
        package var videoFrameCount: Int
        /// Sound frames presented, at the track's sample rate.
        package var audioSampleCount: Int64
        package var byteCount: Int64
    }

    package let configuration: Configuration
    /// Pictures taken so far.
    package private(set) var videoFrameCount = 0
    let writer: any RecordedFile
    /// The same where it is a movie.
    private let movie: MovieFileWriter?
    let videoEncoder: VideoEncoder?
    let audioEncoder: AudioEncoder?
    var timeline: RecordingTimeline
    private let videoTrack: MovieTrackID?
    let audioTrack: MovieTrackID?
    /// Tracks beside the pictures, which begin with the first of them.
    private let companions: MovieCompanionTracks?
    private var lastFrameTime = CMTime.invalid
    private var lastFrameEnd = CMTime.zero
    private var firstFrameEnd = CMTime.zero
    /// The movie time of the first picture that did not fit.
    private var cutTime: CMTime?
    private var nextFragmentStart: CMTime

    /// Creates the file and opens the encoders.
    ///
    /// - Parameter start: The movie's zero, on the clock of the media's times.
    /// - Throws: `.unsupportedFormat`, `.encoding` or `.storage`; no file is left.
    package init(
        _ configuration: Configuration, url: URL, storage: any CaptureStorage, start: CMTime
    ) throws(MovieError) {
        self.configuration = configuration
        timeline = RecordingTimeline(start: start)
        nextFragmentStart = configuration.fragmentInterval
        guard configuration.video != nil || configuration.audio != nil else {
            throw MovieError(.unsupportedFormat, "a movie needs pictures, sound or both")
        }
        guard start.isNumeric else { throw MovieError(.invalidSample, "the start of a recording must be a time") }
        do {
            videoEncoder = try configuration.video.map { (video) throws(EncodingError) in
                try VideoEncoder(video.encoder)
            }
            audioEncoder = try configuration.audio.map { (audio) throws(EncodingError) in try AudioEncoder(audio) }
        } catch {
            throw MovieError(error)
        }
        let writer: any RecordedFile
        let movie: MovieFileWriter?
        if let container = configuration.soundContainer {
            movie = nil
            writer = try SoundFileWriter(
                url: url, storage: storage,
                configuration: SoundFileWriter.Configuration(
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
                try MovieCompanionTracks(configuration, beside: video, in: movie)
            }
        } catch {
            writer.cancel()
            throw error
        }
        self.writer = writer
        self.movie = movie
    }

    /// Takes the next picture.
    ///
    /// - Returns: Whether it became part of the movie: not so before the start, in a pause, or where its time does not
    ///   follow that of the picture before.
    /// - Throws: `.storage` or `.encoding`: the recording is over, and `hasPlayableContent` tells whether the file
    ///   plays.
    @discardableResult
    package func append(_ buffer: CVPixelBuffer, at time: CMTime, duration: CMTime) throws(MovieError) -> Bool {
        guard let videoEncoder, let videoTrack, let movieTime = timeline.movieTime(of: time) else { return false }
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
        let lasts = duration.isNumeric && duration > .zero ? duration : videoEncoder.settings.expectedFrameDuration
        let samples = try encoding { () throws(EncodingError) in
            try videoEncoder.encode(buffer, at: rounded, duration: lasts, forceKeyFrame: beginsFragment)
        }
        lastFrameTime = rounded
        lastFrameEnd = rounded + lasts
        if videoFrameCount == 0 { firstFrameEnd = lastFrameEnd }
        videoFrameCount += 1
        try appendPictures(samples, to: videoTrack)
        try fillMissingAudio(before: rounded)
        return true
    }

    /// Takes media out of the timeline from `time` on, until `resume`; nothing happens in a pause.
    package func pause(at time: CMTime) { timeline.pause(at: time) }

    /// Goes on at `time`, which follows the pause's begin without a gap; nothing happens outside a pause.
    package func resume(at time: CMTime) { timeline.resume(at: time) }

    package var isPaused: Bool { timeline.isPaused }

    /// Notes that from `time` on the pictures are to be turned otherwise; the track's matrix stays as it was.
    ///
    /// - Throws: As `append(_:at:duration:)`.
    package func changeOrientation(to orientation: MovieOrientation, at time: CMTime) throws(MovieError) {
        guard let movieTime = timeline.movieTime(of: time) ?? (isPaused ? timeline.duration(at: time) : nil) else {
            return
        }
        if let movie { try companions?.changeOrientation(to: orientation, at: movieTime, in: movie) }
    }

    /// The length of the movie so far.
    package var recordedDuration: CMTime { max(lastFrameEnd, audioDuration) }

    /// The bytes of the file so far.
    package var recordedByteCount: Int64 { writer.byteCount }

    /// Whether what is on disk now plays, at least in part.
    package var hasPlayableContent: Bool { writer.hasPlayableContent }

    /// What the file will say about itself; can be set until the end.
    package var metadata: MovieMetadata {
        get { writer.metadata }
        set { writer.metadata = newValue }
    }

    /// Ends the movie at `time` and makes it one plain file.
    ///
    /// Pictures from the end on are left out, except where the decoding of one before needs them. Where the end comes
    /// with the first picture or before, the movie is that picture for as long as it lasts.
    ///
    /// - Throws: `.empty` where nothing was recorded or nothing fits, and no file is left; or as `append`.
    package func finish(at time: CMTime) throws(MovieError) -> Summary {
        timeline.pause(at: time)
        var end = timeline.duration(at: time)
        if end <= .zero { end = firstFrameEnd }
        if let videoEncoder, let videoTrack {
            let samples = try encoding { () throws(EncodingError) in try videoEncoder.finish() }
            try appendPictures(samples, to: videoTrack)
            if let cutTime { end = min(end, cutTime) }
            guard end > .zero || cutTime == nil else {
                cancel()
                throw MovieError(.empty, "not even the first picture fits into the file's maximum size")
            }
            videoFrameCount -= writer.dropLastSamples(of: videoTrack, from: end)
            if lastFrameTime.isValid { writer.extendLastSample(of: videoTrack, until: end) }
            writer.setPresentationEnd(end, of: videoTrack)
            if let movie { companions?.finish(at: end, in: movie) }
        }
        let audioSampleCount = try finishAudio(at: end)
        try writer.finish()
        return Summary(
            duration: end, videoFrameCount: videoFrameCount, audioSampleCount: audioSampleCount,
            byteCount: writer.byteCount)
    }

    /// Whether a picture did not fit into the maximum size: the movie ends before it.
    package var isFull: Bool { cutTime != nil }

    /// Takes pictures into the file, up to the first that would not fit.
    private func appendPictures(_ samples: [EncodedSample], to track: MovieTrackID) throws(MovieError) {
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

    /// Whether a sample leaves room for the sound that is held and for the index.
    private func fits(_ sample: EncodedSample) -> Bool {
        guard let byteLimit = configuration.byteLimit else { return true }
        let indexByteCount =
            4096 + Int64(metadata.byteCount) + 28 * Int64(videoFrameCount) + 8 * Int64(audioDuration.seconds * 50)
        let overhead = indexByteCount + writer.nextFragmentByteCount
        return recordedByteCount + Int64(sample.data.count) + overhead <= byteLimit
    }

    /// Ends the recording and removes the file.
    package func cancel() { writer.cancel() }

    /// Runs an encoder; where it fails, ends the file with what there is.
    func encoding<Result>(_ body: () throws(EncodingError) -> Result) throws(MovieError) -> Result {
        do {
            return try body()
        } catch {
            // The encoder's error is the one to report; the file tells by itself how far it came.
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
        guard let video, let encoder else { return nil }
        return try writer.addTrack(
            MovieTrackConfiguration(
                format: .video(encoder.format),
                timescale: video.timescale ?? timescale(for: encoder.settings.expectedFrameDuration),
                transform: video.orientation.transform(for: encoder.format.dimensions),
                expectedSampleRate: encoder.settings.expectedFrameRate))
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

    /// Ninety thousand ticks a second hold all usual frame durations; a multiple of it the expected one, too.
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
