/// The type of an asset.
public enum PHAssetMediaType: Int, Sendable, Hashable, CaseIterable {
    case unknown = 0
    case image = 1
    case video = 2
    case audio = 3
}

extension PHAsset {
    /// The number of stars that the user has given an asset.
    public enum Rating: Int, Sendable, Hashable, CaseIterable {
        case unset = 0
        case one = 1
        case two = 2
        case three = 3
        case four = 4
        case five = 5
    }
}

/// Subtypes of photos and movies.
public struct PHAssetMediaSubtype: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let photoPanorama = PHAssetMediaSubtype(rawValue: 1 << 0)
    public static let photoHDR = PHAssetMediaSubtype(rawValue: 1 << 1)
    public static let photoScreenshot = PHAssetMediaSubtype(rawValue: 1 << 2)
    public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
    public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
    public static let spatialMedia = PHAssetMediaSubtype(rawValue: 1 << 10)
    public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
    public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
    public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
    public static let videoScreenRecording = PHAssetMediaSubtype(rawValue: 1 << 19)
    public static let videoCinematic = PHAssetMediaSubtype(rawValue: 1 << 21)
}

/// The role of a file in an asset.
public enum PHAssetResourceType: Int, Sendable, Hashable, CaseIterable {
    case photo = 1
    case video = 2
    case audio = 3
    case alternatePhoto = 4
    case fullSizePhoto = 5
    case fullSizeVideo = 6
    case adjustmentData = 7
    case adjustmentBasePhoto = 8
    case pairedVideo = 9
    case fullSizePairedVideo = 10
    case adjustmentBasePairedVideo = 11
    case adjustmentBaseVideo = 12
    /// The small version of a photo, which the library replaces by the photo one second after the import.
    case photoProxy = 19

    /// Whether the file is an edited photo or movie, which is displayed instead of the original.
    package var isEditedContent: Bool { self == .fullSizePhoto || self == .fullSizeVideo }
}

/// A level of access to the library.
public enum PHAccessLevel: Int, Sendable, Hashable, CaseIterable {
    case addOnly = 1
    case readWrite = 2
}

/// Whether the user has authorized access to the library.
public enum PHAuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
    /// The app may read the assets that the user has selected and those that it has created, and no albums.
    case limited = 4
}

/// How an image is scaled to a target size with another aspect ratio.
public enum PHImageContentMode: Int, Sendable, Hashable, CaseIterable {
    case aspectFit = 0
    case aspectFill = 1

    public static var `default`: PHImageContentMode { .aspectFit }
}

/// How an asset is presented.
public enum PHAssetPlaybackStyle: Int, Sendable, Hashable, CaseIterable {
    case unsupported = 0
    case image = 1
    case imageAnimated = 2
    case livePhoto = 3
    case video = 4
    case videoLooping = 5
}

/// A kind of change to an asset.
public enum PHAssetEditOperation: Int, Sendable, Hashable, CaseIterable {
    case delete = 1
    case content = 2
    case properties = 3
}

/// Why a photo of a burst was selected.
public struct PHAssetBurstSelectionType: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let autoPick = PHAssetBurstSelectionType(rawValue: 1 << 0)
    public static let userPick = PHAssetBurstSelectionType(rawValue: 1 << 1)
}

/// The source of an asset. All assets come from the user's library.
public struct PHAssetSourceType: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let typeUserLibrary = PHAssetSourceType(rawValue: 1 << 0)
    public static let typeCloudShared = PHAssetSourceType(rawValue: 1 << 1)
    public static let typeiTunesSynced = PHAssetSourceType(rawValue: 1 << 2)
}

/// The type of an object in the library.
public enum PHObjectType: Int, Sendable, Hashable, CaseIterable {
    case asset = 1
    case assetCollection = 2
    case collectionList = 3
}
