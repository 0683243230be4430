import AssetTypes
import CaptureHAL
import MediaCodecs
import MediaTypes
import PixelKernels

/// Records the movies of Live Photos: encodes all frames while Live Photos are enabled, and writes a movie when the media
/// after a photo have arrived.
///
/// - Important: Thread-safe.
final class LivePhotoRecorder: @unchecked Sendable {
    // SAFETY: all variables are confined to `worker`.
    private let system: CaptureSystem
    private let worker: any ClockWorker
    private let backlog = Lock(RecordingBacklog())
    private var ring = LivePhotoRing()
    /// The captures with incomplete movies, in the order of the requests.
    private var captures: [LivePhotoCapture] = []
    private var trimsMovement = true
    /// The codec of the last request, in which frames are encoded when the ring is empty the next time. A movie with another
    /// codec than that of the ring is encoded again.
    private var preferredCodec = VideoSampleFormat.Codec.h264

    /// The duration of the media that are kept for the next photo: that of the movie before the photo, and half a second
    /// more, because the exposure can begin before the request arrives.
    private static let keptDuration = LivePhotoCapture.halfDuration + CMTime(value: 1, timescale: 2)
    /// The maximum delay of audio relative to video, and the time after which a movie ends even if no frame arrives.
    private static let maximumDelay = CMTime(value: 1, timescale: 2)

    init(system: CaptureSystem) {
        self.system = system
        worker = system.clock.makeWorker(label: "obscura.live-photo")
    }

    /// Adds a frame or audio.
    ///
    /// - Parameter hasAudio: Whether audio accompanies the frames, so that movies wait for it.
    func consume(_ media: CapturedMedia, trimsMovement: Bool, hasAudio: Bool) {
        let isAccepted = worker.submit(media, limitedBy: backlog, on: system.clock) { [self] in
            self.trimsMovement = trimsMovement
            switch media {
            case .video(let frame): append(frame)
            case .audio(let chunk): ring.append(chunk)
            }
            finishCompleteMovies(hasAudio: hasAudio)
        }
        guard !isAccepted, case .video(let frame) = media else { return }
        CaptureLog.write(
            .photo, .debug, system.clock,
            "the Live Photo encoder is too slow for the frame of \(frame.presentationTime.seconds) s")
    }

    /// Begins a capture. Its movie contains earlier media.
    func begin(_ capture: LivePhotoCapture) {
        worker.submit { [self] in
            preferredCodec = capture.codec
            captures.append(capture)
        }
    }

    /// Prepares for captures with a codec; the frames that are already encoded are discarded if they have another one.
    func prepare(_ codec: VideoSampleFormat.Codec) {
        worker.submit { [self] in
            preferredCodec = codec
            if captures.isEmpty { ring.setCodec(preferredCodec) }
        }
    }

    /// Sets the time and the orientation of a capture's photo.
    func photoWasExposed(_ number: Int64, at time: CMTime, _ orientation: MovieOrientation) {
        worker.submit { [self] in
            guard let index = captures.firstIndex(where: { $0.number == number }) else { return }
            captures[index].stillTime = time
            captures[index].orientation = orientation
            let deadline = time + LivePhotoCapture.halfDuration + Self.maximumDelay + Self.maximumDelay
            captures[index].deadline = system.clock.schedule(at: deadline) { [weak self] in
                self?.end(number, at: deadline)
            }
        }
    }

    /// Ends a capture after its photo failed before the exposure.
    func abort(_ number: Int64, _ error: AVError) {
        worker.submit { [self] in
            guard let index = captures.firstIndex(where: { $0.number == number && $0.stillTime == nil }) else { return }
            let capture = captures[index]
            endRecording(capture)
            report(.failure(error), of: capture)
        }
    }

    /// Ends the movies of exposed photos, and discards the media. Later movies contain no media from before this call.
    func endMovies() {
        let now = system.clock.now
        worker.submit { [self] in
            endMovies(at: now)
            ring.removeAll()
        }
    }

    // MARK: On the worker

    private func append(_ frame: CapturedFrame) {
        if ring.frames.isEmpty { ring.setCodec(preferredCodec) }
        guard ring.isDue(frame) else { return }
        do {
            guard let pixels = try moviePixels(of: frame) else { return }
            if !ring.accepts(pixels) {
                endMovies(at: frame.presentationTime)
                ring.removeAll()
            }
            try ring.append(pixels, at: frame.presentationTime, duration: frame.duration)
        } catch let error as EncodingError {
            fail(AVError(error))
        } catch {
            // A damaged frame is skipped.
            CaptureLog.write(
                .photo, .debug, system.clock,
                "the frame of \(frame.presentationTime.seconds) s is not in Live Photos: \(error.localizedDescription)")
        }
        let needed = captures.compactMap(\.stillTime).map { $0 - LivePhotoCapture.halfDuration }
        ring.removeMedia(before: min(frame.presentationTime - Self.keptDuration, needed.min() ?? .positiveInfinity))
    }

    /// Returns a frame in the movie's size, with 8 bits; nil if all buffers are in use.
    private func moviePixels(of frame: CapturedFrame) throws(AVError) -> CVPixelBuffer? {
        let source = try frame.pixelBuffer()
        let size = LivePhotoRing.movieSize(
            of: CMVideoDimensions(
                width: Int32(CVPixelBufferGetWidth(source)), height: Int32(CVPixelBufferGetHeight(source))))
        let format = CVPixelBufferGetPixelFormatType(source)
        let isFullRange = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        return try frame.pixelBuffer(
            as: FrameConverter.Request(
                pixelFormat: isFullRange ? format : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
                size: (Int(size.width), Int(size.height)), transform: .identity))
    }

    private func finishCompleteMovies(hasAudio: Bool) {
        let videoEnd = ring.end
        guard videoEnd.isNumeric else { return }
        let complete = captures.filter { capture in
            guard let end = capture.end, videoEnd >= end else { return false }
            return !hasAudio || ring.audioEnd >= end || videoEnd >= end + Self.maximumDelay
        }
        for capture in complete { finish(capture, at: capture.end ?? videoEnd) }
    }

    /// Ends a movie at its deadline, even if media are missing.
    private func end(_ number: Int64, at time: CMTime) {
        worker.submit { [self] in
            guard let capture = captures.first(where: { $0.number == number }) else { return }
            finish(capture, at: time)
        }
    }

    private func endMovies(at time: CMTime) {
        for capture in captures where capture.stillTime != nil { finish(capture, at: time) }
    }

    private func fail(_ error: AVError) {
        for capture in captures where capture.stillTime != nil {
            endRecording(capture)
            report(.failure(error), of: capture)
        }
    }

    /// Writes the movie of a capture up to a time, or up to the last frame.
    private func finish(_ capture: LivePhotoCapture, at time: CMTime) {
        endRecording(capture)
        guard let movie = makeMovie(of: capture, until: time) else {
            return report(
                .failure(AVError(.noDataCaptured, "no frame of the Live Photo's movie was captured")), of: capture)
        }
        do throws(MovieError) {
            var movie = movie
            try movie.transcode(to: capture.codec)
            try movie.write(to: capture.url, in: system.storage)
            report(.movie(duration: movie.end - movie.start, displayTime: movie.stillMovieTime), of: capture)
        } catch {
            report(.failure(AVError(error)), of: capture)
        }
    }

    /// Removes a capture. No more media are added to its movie.
    private func endRecording(_ capture: LivePhotoCapture) {
        captures.removeAll { $0.number == capture.number }
        capture.deadline?.cancel()
        capture.didEndRecording()
    }

    private func report(_ result: LivePhotoCapture.Result, of capture: LivePhotoCapture) {
        let name = capture.url.lastPathComponent
        switch result {
        case .movie(let duration, let displayTime):
            CaptureLog.write(
                .photo, .info, system.clock,
                "\(name): Live Photo of \(duration.seconds) s, photo at \(displayTime.seconds) s")
        case .failure(let error):
            CaptureLog.write(.photo, .error, system.clock, "\(name): no Live Photo: \(error.localizedDescription)")
        }
        capture.didFinish(result)
    }

    /// Returns the movie of a capture up to a time; nil without frames.
    private func makeMovie(of capture: LivePhotoCapture, until time: CMTime) -> LivePhotoMovie? {
        guard let still = capture.stillTime, let format = ring.format, let limit = capture.end else { return nil }
        var (start, end) = (still - LivePhotoCapture.halfDuration, min(time, limit, ring.end))
        if trimsMovement { (start, end) = ring.motion.trimmed(start, end, around: still) }
        // The first presented frame is the one at the start, or the first one of the ring.
        guard let first = ring.frames.firstIndex(where: { $0.presentationTime >= start }),
            let keyFrame = ring.frames[...first].lastIndex(where: \.isKeyFrame)
        else { return nil }
        start = ring.frames[first].presentationTime
        guard end > start else { return nil }
        var movie = LivePhotoMovie(
            format: format, frames: ring.frames[keyFrame...].filter { $0.presentationTime < end },
            frameDuration: ring.frameDuration, start: start, end: end, stillTime: still)
        movie.audio = ring.audio.filter { $0.presentationTime < end && $0.presentationTime + $0.duration > start }
        movie.orientation = capture.orientation
        movie.metadata = MovieMetadata(of: capture.device, date: system.clock.date(at: start))
        movie.metadata.add(capture.items)
        movie.metadata.custom.insert(
            .init(key: LivePhotoMovie.contentIdentifierKey, value: capture.contentIdentifier), at: 0)
        return movie
    }
}
