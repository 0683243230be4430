import AssetTypes
public import Foundation
package import MediaCodecs
import MediaFiles
public import MediaTypes

/// A track of an asset.
///
/// - Important: Thread-safe, immutable.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects.
    private let contents: any TrackContents
    private let owner: WeakReference<AVAsset>

    package init(_ contents: any TrackContents, of asset: AVAsset) {
        self.contents = contents
        owner = WeakReference(asset)
    }

    /// The track's samples and edits as read from the file.
    package var map: TrackMap { contents.map }
    /// The edits that present media, in order.
    package var timeline: [TimelineSegment] { contents.timeline }
    /// The time ranges of empty segments that a client inserted; a file has none.
    package var emptyRanges: [CMTimeRange] { contents.emptyRanges }
    /// The tracks of files that provide the media, each once, in the order of the timeline.
    package var mediaSources: [MediaSource] { contents.mediaSources }
    /// The file's path or a name of the track, for messages.
    package var path: String { contents.filePath ?? "track \(trackID) of the composition" }

    public func loadValues() {}
    public var valueStatus: AVKeyValueStatus { .loaded }
    public var valueError: (any Error)? { nil }

    /// The asset; a weak reference.
    public var asset: AVAsset? { owner.object }
    open var trackID: CMPersistentTrackID { CMPersistentTrackID(truncatingIfNeeded: map.number) }
    open var mediaType: AVMediaType { AVMediaType(map.handler) }
    /// The different `CMFormatDescription`s of the samples.
    public var formatDescriptions: [Any] { typedFormatDescriptions }

    package var typedFormatDescriptions: [CMFormatDescription] {
        var known: Set<CMFormatDescription> = []
        return mediaSources.flatMap(\.formatDescriptions).compactMap { $0 }.filter { known.insert($0).inserted }
    }

    /// The timed metadata format of each format description; other media have none.
    package var timedMetadataFormats: [CMFormatDescription: TimedMetadataFormat] {
        var formats: [CMFormatDescription: TimedMetadataFormat] = [:]
        for source in mediaSources {
            for (entry, description) in zip(source.map.sampleEntries, source.formatDescriptions) {
                guard let description else { continue }
                do throws(MovieError) {
                    let format = try entry.makeSampleFormat(
                        handler: source.map.handler, timescale: source.map.timescale)
                    if case .metadata(let format) = format { formats[description] = format }
                } catch {
                    // The format is not supported, so it is not timed metadata (`mebx`).
                }
            }
        }
        return formats
    }

    public var isPlayable: Bool { isDecodable }
    /// Whether a decoder is available for each format of the samples.
    public var isDecodable: Bool {
        let descriptions = mediaSources.flatMap(\.formatDescriptions)
        return !descriptions.isEmpty && descriptions.allSatisfy { $0.flatMap(DecoderConfiguration.init) != nil }
            && protection == nil
    }
    /// Why the samples cannot be decoded, after the name of the track; nil if they are not encrypted.
    package var protection: String? { mediaSources.lazy.flatMap(\.map.sampleEntries).compactMap(\.protection).first }
    open var isEnabled: Bool { map.isEnabled }
    open var isSelfContained: Bool { true }
    /// The total size of all samples in bytes.
    open var totalSampleDataLength: Int64 { map.samples.byteCount }

    public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .visual: mediaType == .video
        case .audible: mediaType == .audio
        case .frameBased: mediaType == .video
        case .containsHDRVideo:
            mediaSources.contains { $0.map.sampleEntries.contains { $0.color?.isHDR ?? false } }
        case .legible: [.text, .subtitle, .closedCaption].contains(mediaType)
        default: false
        }
    }

    /// The track's time range on the asset's timeline.
    open var timeRange: CMTimeRange { map.timeRange }
    open var naturalTimeScale: CMTimeScale { map.timescale }

    /// The average bit rate in bits per second.
    open var estimatedDataRate: Float {
        let seconds = map.time(map.samples.presentationEnd - map.samples.presentationStart).seconds
        return seconds > 0 ? Float(Double(map.samples.byteCount) * 8 / seconds) : 0
    }

    /// The ISO 639-2/T language code; nil if the file has none.
    open var languageCode: String? { map.languageCode }
    /// The BCP 47 language tag; nil if the file has none.
    open var extendedLanguageTag: String? { map.extendedLanguageTag }
    /// The BCP 47 language tag, or the one of `languageCode` if the file has none; nil for no language.
    var languageTag: String? { extendedLanguageTag ?? languageCode.map { LanguageTag($0).text } }
    /// The display size before `preferredTransform`.
    public var naturalSize: CGSize {
        if map.size.width > 0, map.size.height > 0 { return map.size }
        return map.isVideo ? map.formatDescription?.presentationDimensions() ?? .zero : .zero
    }
    open var preferredTransform: CGAffineTransform { map.transform }
    open var preferredVolume: Float { Float(map.volume) }
    public var hasAudioSampleDependencies: Bool { false }

    /// The average rate of presented frames per second; 0 for media other than video.
    open var nominalFrameRate: Float {
        // In video, each run is one frame.
        let runs = map.isVideo ? map.presentedRuns : []
        let length = map.time(runs.reduce(0) { $0 + $1.totalDuration }).seconds
        return length > 0 ? Float(Double(runs.count) / length) : 0
    }

    /// The shortest time from the presentation of one frame to that of the next, or the duration of a single frame;
    /// invalid for media other than video.
    open var minFrameDuration: CMTime {
        guard map.isVideo else { return .invalid }
        let durations = map.presentedRuns.frameIntervals.map { $0.upperBound &- $0.lowerBound }
        return durations.filter { $0 > 0 }.min().map(map.time) ?? .invalid
    }

    /// Whether the presentation order of any samples differs from their decode order.
    public var requiresFrameReordering: Bool { mediaSources.contains { $0.map.samples.isReordered } }

    /// The segments of the track's timeline, starting at zero.
    open var segments: [AVAssetTrackSegment] { map.segments.map(AVAssetTrackSegment.init) }

    /// Returns the segment that contains a time, or the nearest one.
    open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
        let segments = segments
        return segments.first { $0.timeMapping.target.containsTime(trackTime) }
            ?? (trackTime < .zero ? segments.first : segments.last)
    }

    /// Returns the media time for a track time; invalid outside the track and in empty segments.
    open func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
        guard let mapping = segment(forTrackTime: trackTime)?.timeMapping, !mapping.isEmpty,
            mapping.target.containsTime(trackTime)
        else { return .invalid }
        return CMTimeMapTimeFromRangeToRange(trackTime, fromRange: mapping.target, toRange: mapping.source)
    }

    public func loadSegment(forTrackTime trackTime: CMTime) async throws -> AVAssetTrackSegment? {
        segment(forTrackTime: trackTime)
    }

    public func loadSamplePresentationTime(forTrackTime trackTime: CMTime) async throws -> CMTime {
        samplePresentationTime(forTrackTime: trackTime)
    }

    /// The types of this track's references to other tracks.
    public var availableTrackAssociationTypes: [String] { map.references.keys.sorted() }

    /// Returns the tracks that this track references.
    public func associatedTracks(ofType trackAssociationType: AVAssetTrack.AssociationType) -> [AVAssetTrack] {
        (map.references[trackAssociationType.rawValue] ?? []).compactMap { number in
            asset?.track(withTrackID: CMPersistentTrackID(truncatingIfNeeded: number))
        }
    }

    public func loadAssociatedTracks(
        ofType trackAssociationType: AVAssetTrack.AssociationType
    ) async throws -> [AVAssetTrack] {
        associatedTracks(ofType: trackAssociationType)
    }
}

extension AVAssetTrack {
    /// The type of a reference to another track; the raw values are QuickTime's.
    public struct AssociationType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let audioFallback = AssociationType(rawValue: "fall")
        public static let chapterList = AssociationType(rawValue: "chap")
        public static let forcedSubtitlesOnly = AssociationType(rawValue: "forc")
        public static let selectionFollower = AssociationType(rawValue: "folw")
        public static let timecode = AssociationType(rawValue: "tmcd")
        public static let metadataReferent = AssociationType(rawValue: "cdsc")
    }
}

/// A segment of a track's timeline, with the media that it presents.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // SAFETY: the constants of this class and its subclass are values and thread-safe objects.
    public let timeMapping: CMTimeMapping

    package init(timeMapping: CMTimeMapping) { self.timeMapping = timeMapping }

    init(_ segment: TrackMap.Segment) {
        timeMapping =
            if let source = segment.source {
                CMTimeMapping(source: source, target: segment.target)
            } else {
                CMTimeMappingMakeEmpty(target: segment.target)
            }
    }

    /// Whether the segment presents no media.
    public var isEmpty: Bool { timeMapping.isEmpty }
}

extension [AVAssetTrack] {
    /// The video track to present: the first enabled one, or the first if none is enabled.
    package var firstVideoTrack: AVAssetTrack? {
        let tracks = filter { $0.mediaType == .video }
        return tracks.first(where: \.isEnabled) ?? tracks.first
    }
}

extension [SampleMap.Run] {
    /// The times from the start of each video frame to the start of the next, in ticks; for a single frame the time of
    /// its sample. The durations of samples are times in decode order, and that of the last sample can be arbitrary.
    package var frameIntervals: [Range<Int64>] {
        guard count > 1 else { return map { $0.presentationTime..<$0.presentationTime + $0.totalDuration } }
        let starts = map(\.presentationTime).sorted()
        return zip(starts, starts.dropFirst()).map { $0..<$1 }
    }
}
