import Foundation
import MediaTypes

/// The tracks that describe the video track: timecode, orientation changes and timed metadata.
///
/// Their first samples are written with the first video sample, so that a movie never contains only these tracks.
/// - Important: Confined to one thread at a time.
final class MovieCompanionTracks {
    /// The timecode track. `timeOfDay` is the time at the movie's start, in seconds since midnight.
    private let timecode: (track: MovieTrackID, format: TimecodeSampleFormat, timeOfDay: Double)?
    private let orientation: MovieTrackID?
    private let metadata: [RecordedMetadataTrack]
    /// The duration of a sample until the next one is appended.
    private let sampleDuration: CMTime
    private let firstOrientation: MovieOrientation
    private var hasBegun = false
    /// The last EXIF orientation and its time. Before the tracks have begun, the last one that is not yet written.
    private var lastOrientation: (value: Int16, time: CMTime)?

    init(
        _ configuration: MovieRecorder.Configuration, describing video: MovieTrackID?, in writer: MovieFileWriter
    ) throws(MovieError) {
        let interval = configuration.fragmentInterval
        sampleDuration = interval.isNumeric && interval > .zero ? interval : CMTime(value: 1, timescale: 1)
        firstOrientation = configuration.video?.orientation ?? MovieOrientation()
        guard let video, let settings = configuration.video else {
            (timecode, orientation, metadata) = (nil, nil, [])
            return
        }
        let scale = writer.tracks[video.index].timescale
        if configuration.container == .mov, let timeOfDay = settings.timeOfDay,
            let format = TimecodeSampleFormat(
                frameDuration: CMTimeConvertScale(
                    settings.encoder.expectedFrameDuration, timescale: scale, method: .roundHalfAwayFromZero))
        {
            let track = try writer.addTrack(
                MovieTrackConfiguration(format: .timecode(format), timescale: scale, expectedSampleRate: 1))
            writer.relate(track, to: video, as: .timecode)
            timecode = (track, format, timeOfDay)
        } else {
            timecode = nil
        }
        if settings.recordsOrientationChanges {
            let track = try writer.addTrack(
                MovieTrackConfiguration(format: .metadata(.videoOrientation), timescale: scale, expectedSampleRate: 1))
            writer.relate(track, to: video, as: .describes)
            orientation = track
        } else {
            orientation = nil
        }
        var tracks: [RecordedMetadataTrack] = []
        for format in configuration.timedMetadata {
            let track = try writer.addTrack(
                MovieTrackConfiguration(format: .metadata(format), timescale: scale, expectedSampleRate: 30))
            tracks.append(RecordedMetadataTrack(track, nominalDuration: sampleDuration))
        }
        metadata = tracks
    }

    /// Writes a sample of timed metadata.
    ///
    /// - Parameter track: The index of the track in `MovieRecorder.Configuration.timedMetadata`.
    func append(
        metadata data: Data, track: Int, at time: CMTime, duration: CMTime, in writer: MovieFileWriter
    ) throws(MovieError) {
        guard metadata.indices.contains(track) else { return }
        try metadata[track].append(data, at: time, duration: duration, in: writer)
    }

    /// Writes the first samples; later calls do nothing.
    func begin(at time: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        guard !hasBegun else { return }
        hasBegun = true
        let start = max(time, .zero)
        for track in metadata { try track.begin(at: start, in: writer) }
        if let timecode {
            let data = timecode.format.sample(secondsSinceMidnight: timecode.timeOfDay + start.seconds)
            try writer.append(
                EncodedSample(data: data, presentationTime: start, duration: sampleDuration), to: timecode.track)
        }
        let pending = lastOrientation
        lastOrientation = nil
        try changeOrientation(to: firstOrientation.exifOrientation, at: start, in: writer)
        if let pending { try changeOrientation(to: pending.value, at: pending.time, in: writer) }
    }

    /// Writes a change of the orientation.
    func changeOrientation(
        to orientation: MovieOrientation, at time: CMTime, in writer: MovieFileWriter
    ) throws(MovieError) {
        guard hasBegun else {
            // The first frame is still in the encoder.
            lastOrientation = (orientation.exifOrientation, time)
            return
        }
        try changeOrientation(to: orientation.exifOrientation, at: time, in: writer)
    }

    private func changeOrientation(to value: Int16, at time: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        guard let orientation, lastOrientation?.value != value else { return }
        let scale = writer.tracks[orientation.index].timescale
        let rounded = CMTimeConvertScale(time, timescale: scale, method: .roundHalfAwayFromZero)
        // If two changes have the same time, the second is delayed by one tick.
        let start = lastOrientation.map { max(rounded, $0.time + CMTime(value: 1, timescale: scale)) } ?? rounded
        try writer.append(
            EncodedSample(
                data: TimedMetadataFormat.videoOrientationSample(value), presentationTime: start,
                duration: sampleDuration), to: orientation)
        lastOrientation = (value, start)
    }

    /// Extends the last samples to the end of the movie.
    func finish(at end: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        guard hasBegun else { return }
        for track in metadata { try track.finish(at: end, in: writer) }
        for track in [timecode?.track, orientation].compactMap({ $0 }) {
            writer.extendLastSample(of: track, until: end)
            writer.setPresentationEnd(end, of: track)
        }
    }
}
