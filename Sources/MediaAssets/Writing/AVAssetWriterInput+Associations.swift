import AssetTypes
import CaptureHAL
public import Foundation
import MediaCodecs

/// The location of a track's media in the file, and its references to other tracks.
extension AVAssetWriterInput {
    /// The location of a track's media in the file.
    public struct MediaDataLocation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Interleaved with the media of other tracks.
        public static let interleavedWithMainMediaData = MediaDataLocation(
            rawValue: "AVAssetWriterInputMediaDataLocationInterleavedWithMainMediaData")
        /// Before all interleaved media.
        public static let beforeMainMediaDataNotInterleaved = MediaDataLocation(
            rawValue: "AVAssetWriterInputMediaDataLocationBeforeMainMediaDataNotInterleaved")
        /// Interleaved, but other tracks do not wait for media of this one.
        public static let sparselyInterleavedWithMainMediaData = MediaDataLocation(
            rawValue: "AVAssetWriterInputMediaDataLocationSparselyInterleavedWithMainMediaData")
    }

    /// A reference from an input's track to that of another input.
    struct TrackAssociation: Sendable {
        weak var input: AVAssetWriterInput?
        let relation: MovieTrackRelation
    }

    /// The location of the track's media in the file; interleaved by default.
    ///
    /// With `sparselyInterleavedWithMainMediaData` other inputs do not wait for this one.
    /// - Note: Unlike Apple, media is always interleaved.
    public var mediaDataLocation: MediaDataLocation {
        get { options.withLock { $0.mediaDataLocation } }
        set { set("setMediaDataLocation:") { $0.mediaDataLocation = newValue } }
    }

    /// The directory to which the URLs of sample references are relative.
    ///
    /// - Note: Unlike Apple, the value has no effect: sample references cannot be written.
    public var sampleReferenceBaseURL: URL? {
        get { options.withLock { $0.sampleReferenceBaseURL } }
        set { set("setSampleReferenceBaseURL:") { $0.sampleReferenceBaseURL = newValue } }
    }

    /// Whether this input's track can refer to another input's track.
    ///
    /// - Parameter trackAssociationType: The raw value of an `AVAssetTrack.AssociationType`.
    public func canAddTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) -> Bool
    {
        guard let relation = MovieTrackRelation(rawValue: trackAssociationType), input !== self else { return false }
        for writer in [writer, input.writer] {
            if let writer, !writer.canRelateTracks { return false }
        }
        return switch relation {
        case .timecode: input.mediaType == .timecode
        case .describes: mediaType == .metadata
        case .chapters: input.mediaType == .text || input.mediaType == .video
        case .audioFallback: mediaType == .audio && input.mediaType == .audio
        case .forcedSubtitles: mediaType == input.mediaType && [.subtitle, .text].contains(mediaType)
        case .selectionFollower: true
        case .renderMetadata: input.mediaType == .metadata
        }
    }

    /// Adds a reference from this input's track to another input's track.
    ///
    /// Calling it if `canAddTrackAssociation(withTrackOf:type:)` returns false, or after the writer has started, is
    /// misuse. References to tracks without samples are not written.
    public func addTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) {
        let method = "addTrackAssociationWithTrackOfInput:type:"
        guard canAddTrackAssociation(withTrackOf: input, type: trackAssociationType),
            let relation = MovieTrackRelation(rawValue: trackAssociationType)
        else {
            return report(
                .invalidArgument, method,
                "a track of media type \(mediaType.rawValue) cannot have an association of type "
                    + "\(trackAssociationType) with one of media type \(input.mediaType.rawValue)")
        }
        set(method) { $0.associations.append(TrackAssociation(input: input, relation: relation)) }
    }
}

extension AVAssetWriter {
    /// Whether the output can contain references between tracks and groups of tracks.
    var canRelateTracks: Bool {
        if case .movie = kind { return !isSegmented }
        return false
    }

    /// Returns the references between the tracks of a writer's inputs.
    func references(between inputs: [AVAssetWriterInput]) -> [AssetWriterEngine.Reference] {
        inputs.enumerated().flatMap { source, input in
            input.options.withLock { $0.associations }.compactMap { association in
                inputs.firstIndex { $0 === association.input }.map { target in
                    AssetWriterEngine.Reference(source: source, target: target, relation: association.relation)
                }
            }
        }
    }
}
