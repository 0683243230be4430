package import Foundation
package import MediaStorage
package import MediaTypes

/// The movie of a Live Photo: encoded frames and audio from before the photo until after it.
///
/// The file has a track of timed metadata with one sample at the time of the photo.
package struct LivePhotoMovie: Sendable {
    /// The format of the frames.
    package var format: VideoSampleFormat
    /// The frames in order of time, at least one, with times on the clock of the media. The first one is a key frame; those
    /// before `start` are only decoded.
    package var frames: [EncodedSample]
    /// The expected duration of a frame.
    package var frameDuration: CMTime
    /// The audio in order of time; empty for a movie without audio. Missing audio is replaced by silence.
    package var audio: [AudioChunk] = []
    /// The time of the first presented frame.
    package var start: CMTime
    /// The end of the movie, after `start`.
    package var end: CMTime
    /// The time of the photo.
    package var stillTime: CMTime
    /// The orientation for display.
    package var orientation = MovieOrientation()
    /// The metadata of the movie.
    package var metadata = MovieMetadata()

    /// Creates a movie without audio.
    package init(
        format: VideoSampleFormat, frames: [EncodedSample], frameDuration: CMTime, start: CMTime, end: CMTime,
        stillTime: CMTime
    ) {
        self.format = format
        self.frames = frames
        self.frameDuration = frameDuration
        self.start = start
        self.end = end
        self.stillTime = stillTime
    }

    /// The metadata key of the identifier that the photo and the movie of a Live Photo have in common.
    package static let contentIdentifierKey = "com.apple.quicktime.content.identifier"

    /// The format of the track that marks the time of the photo.
    private static let stillTimeFormat = TimedMetadataFormat(
        // 65 is a signed 8-bit integer.
        keys: [.init(name: "com.apple.quicktime.still-image-time", dataType: 65, localID: 1)])

    /// The time of the photo on the movie's timeline, within the movie.
    package var stillMovieTime: CMTime { min(max(stillTime - start, .zero), end - start) }

    /// Writes the movie to a new file.
    ///
    /// - Throws: After an error no file remains; an existing file is not changed.
    package func write(to url: URL, in storage: any CaptureStorage) throws(MovieError) {
        var configuration = MovieFileWriter.Configuration(container: .mov, fragmentInterval: .invalid)
        configuration.keepsPartialMovie = false
        let writer = try MovieFileWriter(url: url, storage: storage, configuration: configuration, metadata: metadata)
        do throws(MovieError) {
            try write(to: writer)
        } catch {
            writer.cancel()
            throw error
        }
    }

    private func write(to writer: MovieFileWriter) throws(MovieError) {
        let scale = MovieRecorder.timescale(for: frameDuration)
        let rate = 1 / max(frameDuration.seconds, 0.001)
        let video = try writer.addTrack(
            MovieTrackConfiguration(
                format: .video(format), timescale: scale, transform: orientation.transform(for: format.dimensions),
                expectedSampleRate: rate))
        let sound = try LivePhotoSound(audio, from: start, to: end)
        let soundTrack: MovieTrackID?
        if let sound {
            soundTrack = try writer.addTrack(
                MovieTrackConfiguration(format: .audio(sound.format), timescale: sound.format.sampleRate))
        } else {
            soundTrack = nil
        }
        let marker = try writer.addTrack(
            MovieTrackConfiguration(format: .metadata(Self.stillTimeFormat), timescale: scale, expectedSampleRate: 1))
        writer.relate(marker, to: video, as: .describes)
        // The tracks are interleaved in chunks.
        var next = 0
        for frame in frames {
            let sample = onTimeline(frame, scale)
            while let sound, let soundTrack, next < sound.packets.count,
                sound.packets[next].presentationTime < sample.presentationTime
            {
                try writer.append(sound.packets[next], to: soundTrack)
                next += 1
            }
            try writer.append(sample, to: video)
        }
        if let sound, let soundTrack {
            for packet in sound.packets[next...] { try writer.append(packet, to: soundTrack) }
            writer.setPresentationEnd(end - start, of: soundTrack)
        }
        let mark = Self.stillTimeFormat.sample([(0, Data([UInt8(bitPattern: -1)]))])
        try writer.append(
            EncodedSample(data: mark, presentationTime: stillMovieTime, duration: frameDuration), to: marker)
        writer.extendLastSample(of: video, until: end - start)
        writer.setPresentationStart(.zero, of: video)
        writer.setPresentationEnd(end - start, of: video)
        try writer.finish()
    }

    /// Returns a frame with times on the movie's timeline, rounded to ticks.
    private func onTimeline(_ frame: EncodedSample, _ scale: CMTimeScale) -> EncodedSample {
        var sample = frame
        let time = CMTimeConvertScale(frame.presentationTime - start, timescale: scale, method: .roundHalfAwayFromZero)
        (sample.presentationTime, sample.decodeTime) = (time, time)
        if !sample.duration.isNumeric || sample.duration <= .zero { sample.duration = frameDuration }
        return sample
    }
}
