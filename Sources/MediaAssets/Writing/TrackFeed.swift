import Foundation
import MediaCodecs
import MediaTypes

/// What a client appends to a writer input.
enum WriterSample: @unchecked Sendable {
    // SAFETY: sample buffers and pixel buffers are thread-safe, and what is appended does not change any more.
    case buffer(CMSampleBuffer)
    case pixels(CVPixelBuffer, at: CMTime)
    case metadata(AVTimedMetadataGroup)
}

/// Makes the samples of one track from what a client appends.
///
/// - Important: Confined to the writer's worker.
protocol TrackFeed: AnyObject {
    /// What the track is; nil until the first sample has told.
    var track: MovieTrackConfiguration? { get }
    /// When what came so far ends, on the movie's timeline; invalid before the first sample.
    var end: CMTime { get }
    /// When the presentation begins where the first samples are only to be decoded; invalid where they are presented.
    var presentationStart: CMTime { get }
    /// Whether nothing may be presented after `end`, as the padding of a sound codec.
    var endsPresentation: Bool { get }
    /// Takes what a client appended.
    ///
    /// - Parameter origin: The source's time that is the movie's zero.
    /// - Returns: The samples that came out, on the movie's timeline.
    func take(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample]
    /// Decides what the track is before its first sample, where that can be.
    func decideTrack()
    /// Makes the next sample one at which a player can begin.
    func forceKeyFrame()
    /// Gives the samples that are still held; nothing can follow.
    func finish() throws(AVError) -> [EncodedSample]
}

extension TrackFeed {
    var presentationStart: CMTime { .invalid }

    func decideTrack() {}
    func forceKeyFrame() {}
}

/// What a client has set of an input's track.
struct TrackOptions: Sendable {
    /// What the track's header says.
    struct Header: Sendable {
        var transform = CGAffineTransform.identity
        /// ISO 639-2/T.
        var language = "und"
        var isEnabled = true
        var volume = 1.0
        /// nil takes that of the pictures.
        var presentationSize: CGSize?
        var metadata = MovieMetadata()
    }

    /// Ticks a second; 0 lets the first sample choose.
    var timescale: CMTimeScale = 0
    var header = Header()
    var isRealTime = false
    /// The time between the file's fragments or segments, each of which must begin with a key frame; invalid without.
    var fragmentInterval = CMTime.invalid
    /// When on the source's timeline the first segment begins; invalid for a file, whose fragments count from zero.
    var segmentStart = CMTime.invalid
    /// Whether the file has no timeline, so that nothing can begin late.
    var beginsAtZero = false

    /// A timescale in which a first sample's time and its multiples are exact, as far as numbers of usual size go.
    func timescale(for time: CMTime, duration: CMTime) -> CMTimeScale {
        guard timescale <= 0 else { return timescale }
        var common: Int64 = 90_000
        for part in [time, duration] where part.isNumeric && part.timescale > 0 {
            let next = common / Self.greatestCommonDivisor(common, Int64(part.timescale)) * Int64(part.timescale)
            if next <= 10_000_000 { common = next }
        }
        return CMTimeScale(common)
    }

    /// A track of these options.
    func track(
        _ format: MovieSampleFormat, timescale: CMTimeScale, expectedSampleRate: Double
    ) -> MovieTrackConfiguration {
        var track = MovieTrackConfiguration(
            format: format, timescale: timescale, transform: header.transform, expectedSampleRate: expectedSampleRate,
            language: header.language, isEnabled: header.isEnabled)
        track.volume = header.volume
        track.presentationSize = header.presentationSize
        track.metadata = header.metadata
        return track
    }

    private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}
