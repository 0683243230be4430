// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import ImageTypes
import MediaTypes
import PhotoStore

/// The orientation in which an asset is stored; the raw values are those of `UIImage.Orientation`.
public enum ALAssetOrientation: Int, Sendable, Hashable {
    case up = 0
    case down = 1
    case left = 2
    case right = 3
    case upMirrored = 4
    case downMirrored = 5
    case leftMirrored = 6
    case rightMirrored = 7

    init(_ orientation: CGImagePropertyOrientation) {
        self = ALAssetOrientation(rawValue: UIImage.Orientation(orientation).rawValue) ?? .up
    }

    /// The same orientation with the value of the EXIF tag, 1…8.
    var property: CGImagePropertyOrientation { UIImage.Orientation(rawValue: rawValue)?.property ?? .up }
}

/// Whether the user has authorized access to the library.
public enum ALAuthorizationStatus: Int, Sendable, Hashable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3

    init(_ status: PHAuthorizationStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorized, .limited: .authorized
            }
    }
}

// MARK: Types of groups

/// A bit field of the types of groups.
public typealias ALAssetsGroupType = Int

/// The groups of assets that were not captured by the device; there are none.
public var ALAssetsGroupLibrary: UInt32 { 1 << 0 }
/// The albums.
public var ALAssetsGroupAlbum: UInt32 { 1 << 1 }
/// The groups of an event; there are none.
public var ALAssetsGroupEvent: UInt32 { 1 << 2 }
/// The groups of a person; there are none.
public var ALAssetsGroupFaces: UInt32 { 1 << 3 }
/// The group of all saved photos and movies.
public var ALAssetsGroupSavedPhotos: UInt32 { 1 << 4 }
/// The photo stream; there is none.
public var ALAssetsGroupPhotoStream: UInt32 { 1 << 5 }
/// All types of groups.
public var ALAssetsGroupAll: UInt32 { 0xFFFF_FFFF }

// MARK: Properties

public let ALAssetPropertyType = "ALAssetPropertyType"
public let ALAssetPropertyLocation = "ALAssetPropertyLocation"
public let ALAssetPropertyDuration = "ALAssetPropertyDuration"
public let ALAssetPropertyOrientation = "ALAssetPropertyOrientation"
public let ALAssetPropertyDate = "ALAssetPropertyDate"
public let ALAssetPropertyRepresentations = "ALAssetPropertyRepresentations"
public let ALAssetPropertyURLs = "ALAssetPropertyURLs"
public let ALAssetPropertyAssetURL = "ALAssetPropertyAssetURL"

public let ALAssetTypePhoto = "ALAssetTypePhoto"
public let ALAssetTypeVideo = "ALAssetTypeVideo"
public let ALAssetTypeUnknown = "ALAssetTypeUnknown"

/// The value of a property that an asset or group does not have.
public let ALErrorInvalidProperty = "ALErrorInvalidProperty"

public let ALAssetsGroupPropertyName = "ALAssetsGroupPropertyName"
public let ALAssetsGroupPropertyType = "ALAssetsGroupPropertyType"
public let ALAssetsGroupPropertyPersistentID = "ALAssetsGroupPropertyPersistentID"
public let ALAssetsGroupPropertyURL = "ALAssetsGroupPropertyURL"

// MARK: Notification

extension NSNotification.Name {
    /// Posted on the main thread after the library changed, for each existing `ALAssetsLibrary`.
    ///
    /// Without user info, any asset or group may have changed. Otherwise the user info contains sets with the URLs of
    /// the changed assets and groups.
    public static let ALAssetsLibraryChanged = NSNotification.Name("ALAssetsLibraryChangedNotification")
}

/// User info key: a `Set<URL>` of the assets that were added or changed.
public let ALAssetLibraryUpdatedAssetsKey = "ALAssetLibraryUpdatedAssetsKey"
/// User info key: a `Set<URL>` of the groups that were added.
public let ALAssetLibraryInsertedAssetGroupsKey = "ALAssetLibraryInsertedAssetGroupsKey"
/// User info key: a `Set<URL>` of the changed groups. A group also changes when an asset is added to it or deleted.
public let ALAssetLibraryUpdatedAssetGroupsKey = "ALAssetLibraryUpdatedAssetGroupsKey"
/// User info key: a `Set<URL>` of the groups that were deleted.
public let ALAssetLibraryDeletedAssetGroupsKey = "ALAssetLibraryDeletedAssetGroupsKey"

// MARK: Blocks

/// Receives each group, and then nil. To stop the enumeration, set the flag.
public typealias ALAssetsLibraryGroupsEnumerationResultsBlock =
    (ALAssetsGroup?, UnsafeMutablePointer<ObjCBool>?) -> Void
/// Receives an asset; nil if there is none.
public typealias ALAssetsLibraryAssetForURLResultBlock = (ALAsset?) -> Void
/// Receives a group; nil if there is none.
public typealias ALAssetsLibraryGroupResultBlock = (ALAssetsGroup?) -> Void
/// Receives the reason why the library cannot be accessed.
public typealias ALAssetsLibraryAccessFailureBlock = ((any Error)?) -> Void
/// Receives the URL of the new asset, or an error.
public typealias ALAssetsLibraryWriteImageCompletionBlock = (URL?, (any Error)?) -> Void
/// Receives the URL of the new asset, or an error.
public typealias ALAssetsLibraryWriteVideoCompletionBlock = (URL?, (any Error)?) -> Void
/// Receives each asset with its index, and then nil with `NSNotFound`. To stop the enumeration, set the flag.
public typealias ALAssetsGroupEnumerationResultsBlock = (ALAsset?, Int, UnsafeMutablePointer<ObjCBool>?) -> Void
