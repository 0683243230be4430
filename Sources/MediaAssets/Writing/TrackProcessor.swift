package import AssetTypes
package import Foundation
package import MediaCodecs
package import MediaTypes

/// A sample that a client appended to a writer input.
package enum WriterSample: @unchecked Sendable {
    // SAFETY: sample and pixel buffers and groups are thread-safe, and appended ones no longer change.
    case buffer(CMSampleBuffer)
    case pixels(CVPixelBuffer, at: CMTime)
    case metadata(AVTimedMetadataGroup)
    case captions(any CaptionSample)
}

/// The captions that are shown during a time range.
package protocol CaptionSample: Sendable {
    var timeRange: CMTimeRange { get }
    /// Returns the captions as one text.
    ///
    /// - Parameters:
    ///   - defaultColor: The track's color of text without a specified color, as 0xRRGGBBAA.
    ///   - size: The size of the track in pixels; nil if it is not known.
    func text(defaultColor: UInt32, in size: CGSize?) -> TimedTextSample
}

/// Converts a client's samples to the encoded samples of one track.
///
/// - Important: Confined to the writer's worker.
protocol TrackProcessor: AnyObject {
    /// The track's configuration; nil before the first sample.
    var track: MovieTrackConfiguration? { get }
    /// The end of the processed samples on the movie's timeline; invalid before the first sample.
    var end: CMTime { get }
    /// The start of the presentation if the first samples are only decoded; invalid if they are presented.
    var presentationStart: CMTime { get }
    /// Whether nothing may be presented after `end`, such as an audio codec's padding.
    var endsPresentation: Bool { get }
    /// Processes a sample that a client appended.
    ///
    /// - Parameter origin: The source time that is the movie's zero.
    /// - Returns: The encoded samples that are ready, on the movie's timeline.
    func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample]
    /// Determines the track's configuration before its first sample, if possible.
    func configureTrack()
    /// Makes the next sample a sync sample.
    func forceKeyFrame()
    /// Returns the samples that are still buffered; no more samples can follow.
    func finish() throws(AVError) -> [EncodedSample]
}

extension TrackProcessor {
    var presentationStart: CMTime { .invalid }

    func configureTrack() {}
    func forceKeyFrame() {}
}

/// The client's settings for an input's track.
package struct TrackOptions: Sendable {
    /// The contents of the track's header.
    struct Header: Sendable {
        var transform = CGAffineTransform.identity
        /// ISO 639-2/T.
        var language = "und"
        /// BCP 47; nil for none.
        var extendedLanguageTag: String?
        var isEnabled = true
        var volume = 1.0
        /// Nil for the size of the images.
        var presentationSize: CGSize?
        var metadata = MovieMetadata()
        /// 0 for none.
        var alternateGroup: Int16 = 0
    }

    /// Ticks per second; 0 selects a scale in which the first sample's times are exact.
    var timescale: CMTimeScale = 0
    var header = Header()
    var isRealTime = false
    /// The time between fragments or segments, each of which must start with a key frame; invalid without them.
    var fragmentInterval = CMTime.invalid
    /// The start of the first segment on the source's timeline; invalid for a file, whose fragments start at zero.
    var segmentStart = CMTime.invalid
    /// Whether the file has no timeline, so that its media always starts at zero.
    var beginsAtZero = false

    /// Returns `timescale`, or if it is 0 a time scale in which multiples of a first sample's times are exact, if it is
    /// at most 10,000,000 ticks per second.
    func timescale(for time: CMTime, duration: CMTime) -> CMTimeScale {
        guard timescale <= 0 else { return timescale }
        var common = ExactTimescale(90_000, limit: 10_000_000)
        for part in [time, duration] { common.include(part) }
        return common.value
    }

    /// Returns the configuration of a track with these settings.
    func track(
        _ format: MovieSampleFormat, timescale: CMTimeScale, expectedSampleRate: Double
    ) -> MovieTrackConfiguration {
        var track = MovieTrackConfiguration(
            format: format, timescale: timescale, transform: header.transform, expectedSampleRate: expectedSampleRate,
            language: header.language, isEnabled: header.isEnabled)
        track.extendedLanguageTag = header.extendedLanguageTag
        track.volume = header.volume
        track.presentationSize = header.presentationSize
        track.metadata = header.metadata
        track.alternateGroup = header.alternateGroup
        return track
    }
}
