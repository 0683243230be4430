import AssetTypes
import MediaAssets
package import MediaTypes

/// A track of an asset that an exported file does not contain.
package struct OmittedTrack: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The identifier of the track in the asset.
    package let track: CMPersistentTrackID
    /// The media type, a QuickTime handler type.
    package let type: String
    /// The four-character codes of the sample descriptions.
    package let codecs: [String]
    /// Why the file does not contain the track.
    package let reason: String

    /// The reason for a track that presents nothing in the exported range.
    static let noMediaReason = "it has no media in the exported range"

    init(_ track: AVAssetTrack, _ reason: String) {
        self.track = track.trackID
        type = track.mediaType.rawValue
        codecs = track.sampleCodes
        self.reason = reason
    }

    package var description: String { "\(AVAssetTrack.summary(track, type, codecs)): \(reason)" }
}

extension AVAssetTrack {
    /// The track for messages: its identifier, media type and sample descriptions, such as `track 3 (meta, gpmd)`.
    package var summary: String { Self.summary(trackID, mediaType.rawValue, sampleCodes) }

    /// The different four-character codes of the sample descriptions.
    fileprivate var sampleCodes: [String] {
        var known: Set<String> = []
        return mediaSources.flatMap(\.map.sampleEntries).map(\.code).filter { known.insert($0).inserted }
    }

    fileprivate static func summary(_ id: CMPersistentTrackID, _ type: String, _ codecs: [String]) -> String {
        "track \(id) (\(([type] + codecs).joined(separator: ", ")))"
    }

    /// The paths of the files with the track's media, or a name of a track without media, for messages.
    var sourcePath: String {
        let sources = mediaSources
        return sources.isEmpty ? path : sources.map(\.file.url.path).joined(separator: " and ")
    }

    /// Whether an export fails if it cannot contain the track: it is enabled video or audio. Other tracks are omitted.
    var isEssential: Bool { isEnabled && (mediaType == .video || mediaType == .audio) }
}
