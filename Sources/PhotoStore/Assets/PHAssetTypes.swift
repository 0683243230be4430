/// What an asset is in the main.
public enum PHAssetMediaType: Int, Sendable, Hashable, CaseIterable {
    case unknown = 0
    case image = 1
    case video = 2
    case audio = 3
}

/// Finer kinds of pictures and movies.
public struct PHAssetMediaSubtype: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let photoPanorama = PHAssetMediaSubtype(rawValue: 1 << 0)
    public static let photoHDR = PHAssetMediaSubtype(rawValue: 1 << 1)
    public static let photoScreenshot = PHAssetMediaSubtype(rawValue: 1 << 2)
    public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
    public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
    public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
    public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
    public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
}

/// The part that a file plays in an asset.
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
    case photoProxy = 19
}

/// What a program may do with the library.
public enum PHAccessLevel: Int, Sendable, Hashable, CaseIterable {
    case addOnly = 1
    case readWrite = 2
}

/// What the user has said about the library.
public enum PHAuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
    /// Never given here: `Authorization` has no limited consent.
    case limited = 4
}

/// How a picture meets a frame of another shape.
public enum PHImageContentMode: Int, Sendable, Hashable, CaseIterable {
    case aspectFit = 0
    case aspectFill = 1

    public static var `default`: PHImageContentMode { .aspectFit }
}
