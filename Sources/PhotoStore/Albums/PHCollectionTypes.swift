/// The type of a collection of assets.
public enum PHAssetCollectionType: Int, Sendable, Hashable, CaseIterable {
    /// Created by a program or a user.
    case album = 1
    /// Defined by the properties of its assets.
    case smartAlbum = 2
    /// Assets of one time and place. The library has none.
    case moment = 3
}

/// The subtype of a collection of assets.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
    case albumRegular = 2
    case albumSyncedEvent = 3
    case albumSyncedFaces = 4
    case albumSyncedAlbum = 5
    case albumImported = 6
    case albumMyPhotoStream = 100
    case albumCloudShared = 101
    case smartAlbumGeneric = 200
    case smartAlbumPanoramas = 201
    case smartAlbumVideos = 202
    case smartAlbumFavorites = 203
    case smartAlbumTimelapses = 204
    case smartAlbumAllHidden = 205
    case smartAlbumRecentlyAdded = 206
    case smartAlbumBursts = 207
    case smartAlbumSlomoVideos = 208
    case smartAlbumUserLibrary = 209
    case smartAlbumSelfPortraits = 210
    case smartAlbumScreenshots = 211
    case smartAlbumDepthEffect = 212
    case smartAlbumLivePhotos = 213
    case smartAlbumAnimated = 214
    case smartAlbumLongExposures = 215
    case smartAlbumUnableToUpload = 216
    case smartAlbumRAW = 217
    case smartAlbumCinematic = 218
    case smartAlbumSpatial = 219
    case smartAlbumScreenRecordings = 220
    case any = 0x7FFF_FFFF_FFFF_FFFF
}

/// The type of a collection list.
public enum PHCollectionListType: Int, Sendable, Hashable, CaseIterable {
    case momentList = 1
    /// Created by a program or a user.
    case folder = 2
    case smartFolder = 3
}

/// The subtype of a collection list.
public enum PHCollectionListSubtype: Int, Sendable, Hashable, CaseIterable {
    case momentListCluster = 1
    case momentListYear = 2
    case regularFolder = 100
    case smartFolderEvents = 200
    case smartFolderFaces = 201
    case any = 0x7FFF_FFFF_FFFF_FFFF
}

/// A kind of change to a collection.
public enum PHCollectionEditOperation: Int, Sendable, Hashable, CaseIterable {
    case deleteContent = 1
    case removeContent = 2
    case addContent = 3
    case createContent = 4
    case rearrangeContent = 5
    case delete = 6
    case rename = 7
}
