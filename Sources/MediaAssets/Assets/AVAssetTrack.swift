public import Foundation
package import MediaCodecs
public import MediaTypes

/// A track of an asset.
///
/// - Important: Thread-safe; nothing changes.
public class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects.
    package let map: TrackMap
    let file: MovieFile
    private let sampleDescription: CMFormatDescription?
    private let owner: WeakAsset

    /// A reference that may go away.
    private final class WeakAsset: @unchecked Sendable {
        // SAFETY: weak references may be read from any thread, and this one is set once.
        weak var asset: AVAsset?

        init(_ asset: AVAsset) { self.asset = asset }
    }

    init(_ map: TrackMap, of asset: AVAsset, in file: MovieFile) {
        self.map = map
        self.file = file
        sampleDescription = map.formatDescription
        owner = WeakAsset(asset)
    }

    public func loadValues() {}
    public var valueStatus: AVKeyValueStatus { .loaded }
    public var valueError: (any Error)? { nil }

    /// The asset, as long as somebody keeps it.
    public var asset: AVAsset? { owner.asset }
    public var trackID: CMPersistentTrackID { CMPersistentTrackID(truncatingIfNeeded: map.number) }
    public var mediaType: AVMediaType { AVMediaType(map.handler) }
    /// `CMFormatDescription`s of the samples.
    public var formatDescriptions: [Any] { typedFormatDescriptions }

    var typedFormatDescriptions: [CMFormatDescription] {
        map.sampleEntries.compactMap { $0.makeDescription(handler: map.handler, timescale: map.timescale) }
    }

    public var isPlayable: Bool { isDecodable }
    /// Whether a decoder is known.
    public var isDecodable: Bool { sampleDescription.flatMap(DecoderConfiguration.init) != nil }
    public var isEnabled: Bool { map.isEnabled }
    public var isSelfContained: Bool { true }
    /// The bytes of all samples.
    public var totalSampleDataLength: Int64 { map.samples.byteCount }

    public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .visual: mediaType == .video
        case .audible: mediaType == .audio
        case .frameBased: mediaType == .video
        case .legible: [.text, .subtitle, .closedCaption].contains(mediaType)
        default: false
        }
    }

    /// Where the track shows something on the asset's timeline.
    public var timeRange: CMTimeRange { map.timeRange }
    public var naturalTimeScale: CMTimeScale { map.timescale }

    /// Bits a second, on the whole.
    public var estimatedDataRate: Float {
        let seconds = map.time(map.samples.presentationEnd - map.samples.presentationStart).seconds
        return seconds > 0 ? Float(Double(map.samples.byteCount) * 8 / seconds) : 0
    }

    /// ISO 639-2/T; nil where the file tells none.
    public var languageCode: String? { map.languageCode }
    /// BCP 47; nil where the file tells none.
    public var extendedLanguageTag: String? { map.extendedLanguageTag }
    /// The size to show in before `preferredTransform`.
    public var naturalSize: CGSize {
        if map.size.width > 0, map.size.height > 0 { return map.size }
        return map.isVideo ? sampleDescription?.presentationDimensions() ?? .zero : .zero
    }
    public var preferredTransform: CGAffineTransform { map.transform }
    public var preferredVolume: Float { Float(map.volume) }
    public var hasAudioSampleDependencies: Bool { false }

    /// Frames a second, on the whole, of what is shown; 0 for other media than video.
    public var nominalFrameRate: Float {
        let runs = map.isVideo ? map.shownRuns : []
        let length = map.time(runs.reduce(0) { $0 + $1.totalDuration }).seconds
        return length > 0 ? Float(Double(runs.count) / length) : 0
    }

    /// The shortest frame that is shown; invalid for other media than video.
    public var minFrameDuration: CMTime {
        guard map.isVideo, let least = map.shownRuns.map(\.duration).filter({ $0 > 0 }).min() else { return .invalid }
        return map.time(Int64(least))
    }

    /// Whether frames are shown in another order than they are decoded.
    public var requiresFrameReordering: Bool { map.samples.isReordered }

    /// The parts of the track's timeline, from zero on.
    public var segments: [AVAssetTrackSegment] { map.segments.map(AVAssetTrackSegment.init) }

    /// The segment in which a time lies, or the nearest one.
    public func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
        let segments = segments
        return segments.first { $0.timeMapping.target.containsTime(trackTime) }
            ?? (trackTime < .zero ? segments.first : segments.last)
    }

    /// The time on the media's own timeline of a time of the track; invalid outside and where nothing is shown.
    public func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
        guard let mapping = segment(forTrackTime: trackTime)?.timeMapping, !mapping.isEmpty,
            mapping.target.containsTime(trackTime)
        else { return .invalid }
        return trackTime - mapping.target.start + mapping.source.start
    }

    public func loadSegment(forTrackTime trackTime: CMTime) async throws -> AVAssetTrackSegment? {
        segment(forTrackTime: trackTime)
    }

    public func loadSamplePresentationTime(forTrackTime trackTime: CMTime) async throws -> CMTime {
        samplePresentationTime(forTrackTime: trackTime)
    }

    /// The kinds of references to other tracks.
    public var availableTrackAssociationTypes: [String] { map.references.keys.sorted() }

    /// The tracks to which one refers.
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
    /// What a track is to another; the raw values are QuickTime's.
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

/// A part of a track's timeline, and what of the media it shows.
public final class AVAssetTrackSegment: NSObject, Sendable {
    public let timeMapping: CMTimeMapping

    init(_ segment: TrackMap.Segment) {
        timeMapping =
            if let source = segment.source {
                CMTimeMapping(source: source, target: segment.target)
            } else {
                CMTimeMappingMakeEmpty(target: segment.target)
            }
    }

    /// Whether nothing is shown.
    public var isEmpty: Bool { timeMapping.isEmpty }
}
