import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// The edits of a track of a composition, and the properties that were set on the track.
///
/// - Important: Thread-safe.
final class CompositionTrackContents: TrackContents {
    struct State: @unchecked Sendable {
        // SAFETY: values and thread-safe objects.
        var list = EditList()
        var isEnabled = true
        var transform: CGAffineTransform?
        var volume: Float = 1
        var timescale: CMTimeScale = 0
        var languageCode: String?
        var extendedLanguageTag: String?
        var references: [String: [UInt32]] = [:]
        var alternateGroup: Int16 = 0
        var layer: Int16 = 0
        var perspective = MovieTrackConfiguration.affinePerspective
        var metadata: [MovieMap.Entry] = []
        /// The boxes that contain `metadata` and other properties of a copied track.
        var trackBoxes: [Data] = []
    }

    let type: AVMediaType
    let id: CMPersistentTrackID
    let state: Lock<State>

    init(_ type: AVMediaType, _ id: CMPersistentTrackID, _ state: State) {
        self.type = type
        self.id = id
        self.state = Lock(state)
    }

    /// The properties and samples of the first source, with the properties that were set on this track. The samples of
    /// the other sources are only in `timeline` and `mediaSources`.
    var map: TrackMap {
        let state = state.withLock { $0 }
        var map = state.list.edits.lazy.compactMap { $0.source?.timeline.first?.media.map }.first ?? TrackMap(number: 0)
        let sourceScale = map.timescale
        map.number = UInt32(id)
        map.handler = type.rawValue
        map.isEnabled = state.isEnabled
        map.alternateGroup = state.alternateGroup
        map.layer = state.layer
        map.perspective = state.perspective
        map.volume = Double(state.volume)
        // Without a source, 600 ticks per second, the conventional time scale of QuickTime movies.
        map.timescale = state.timescale > 0 ? state.timescale : sourceScale > 0 ? sourceScale : 600
        map.transform = state.transform ?? .identity
        if map.languageCode != state.languageCode { map.storedBoxes?.language = nil }
        map.languageCode = state.languageCode
        map.extendedLanguageTag = state.extendedLanguageTag
        map.references = state.references
        map.metadata = state.metadata
        map.storedBoxes?.trackBoxes = state.trackBoxes
        return map
    }

    var timeline: [TimelineSegment] { state.withLock { $0.list }.edits.flatMap(\.timeline) }
    var emptyRanges: [CMTimeRange] {
        state.withLock { $0.list }.edits.filter { $0.source == nil }.map(\.target)
    }
    var mediaSources: [MediaSource] {
        var known: Set<ObjectIdentifier> = []
        return timeline.map(\.media).filter { known.insert(ObjectIdentifier($0)).inserted }
    }
    var filePath: String? { nil }
}
