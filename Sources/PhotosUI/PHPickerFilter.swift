public import PhotoStore

/// The assets that a picker shows.
///
/// - Important: Thread-safe.
public struct PHPickerFilter: Sendable, Hashable {
    private indirect enum Condition: Sendable, Hashable {
        case mediaType(PHAssetMediaType)
        case subtype(PHAssetMediaSubtype)
        case playbackStyle(PHAssetPlaybackStyle)
        case burst
        case any([PHPickerFilter])
        case all([PHPickerFilter])
        case not(PHPickerFilter)
    }

    private let condition: Condition

    private init(_ condition: Condition) { self.condition = condition }

    /// Photos, also Live Photos.
    public static let images = PHPickerFilter(.mediaType(.image))
    public static let videos = PHPickerFilter(.mediaType(.video))
    public static let livePhotos = PHPickerFilter(.subtype(.photoLive))
    public static let depthEffectPhotos = PHPickerFilter(.subtype(.photoDepthEffect))
    /// The photos that represent bursts.
    public static let bursts = PHPickerFilter(.burst)
    public static let panoramas = PHPickerFilter(.subtype(.photoPanorama))
    public static let screenshots = PHPickerFilter(.subtype(.photoScreenshot))
    public static let screenRecordings = PHPickerFilter(.subtype(.videoScreenRecording))
    public static let cinematicVideos = PHPickerFilter(.subtype(.videoCinematic))
    public static let slomoVideos = PHPickerFilter(.subtype(.videoHighFrameRate))
    public static let timelapseVideos = PHPickerFilter(.subtype(.videoTimelapse))
    public static let spatialMedia = PHPickerFilter(.subtype(.spatialMedia))

    public static func playbackStyle(_ playbackStyle: PHAssetPlaybackStyle) -> PHPickerFilter {
        PHPickerFilter(.playbackStyle(playbackStyle))
    }

    /// Assets that match one of several filters.
    public static func any(of subfilters: [PHPickerFilter]) -> PHPickerFilter { PHPickerFilter(.any(subfilters)) }

    /// Assets that match all of several filters.
    public static func all(of subfilters: [PHPickerFilter]) -> PHPickerFilter { PHPickerFilter(.all(subfilters)) }

    /// Assets that do not match a filter.
    public static func not(_ filter: PHPickerFilter) -> PHPickerFilter { PHPickerFilter(.not(filter)) }

    func matches(_ asset: PHAsset) -> Bool {
        switch condition {
        case .mediaType(let type): asset.mediaType == type
        case .subtype(let subtype): asset.mediaSubtypes.contains(subtype)
        case .playbackStyle(let style): asset.playbackStyle == style
        case .burst: asset.burstIdentifier != nil
        case .any(let filters): filters.contains { $0.matches(asset) }
        case .all(let filters): filters.allSatisfy { $0.matches(asset) }
        case .not(let filter): !filter.matches(asset)
        }
    }
}
