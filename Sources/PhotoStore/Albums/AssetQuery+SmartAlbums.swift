import CaptureHAL
import Foundation

extension AssetQuery {
    /// The smart albums with their titles, in the order in which a fetch returns them.
    static let smartAlbums: [(subtype: PHAssetCollectionSubtype, title: String)] = [
        (.smartAlbumUserLibrary, "Recents"), (.smartAlbumFavorites, "Favorites"), (.smartAlbumVideos, "Videos"),
        (.smartAlbumSelfPortraits, "Selfies"), (.smartAlbumLivePhotos, "Live Photos"),
        (.smartAlbumDepthEffect, "Portrait"), (.smartAlbumPanoramas, "Panoramas"),
        (.smartAlbumTimelapses, "Time-lapse"), (.smartAlbumSlomoVideos, "Slo-mo"),
        (.smartAlbumCinematic, "Cinematic"), (.smartAlbumBursts, "Bursts"), (.smartAlbumScreenshots, "Screenshots"),
        (.smartAlbumScreenRecordings, "Screen Recordings"), (.smartAlbumSpatial, "Spatial"),
        (.smartAlbumAnimated, "Animated"), (.smartAlbumLongExposures, "Long Exposure"), (.smartAlbumRAW, "RAW"),
        (.smartAlbumRecentlyAdded, "Recently Added"), (.smartAlbumAllHidden, "Hidden"),
        (.smartAlbumUnableToUpload, "Unable to Upload"),
    ]
    /// The age in seconds up to which an asset is in the album Recently Added: 30 days.
    private static let recentSeconds = 30.0 * 24 * 3600

    /// Creates the query for the assets of a smart album. An album is empty if it depends on a property that the
    /// library does not store.
    init(smartAlbum subtype: PHAssetCollectionSubtype, in library: PHPhotoLibrary) {
        switch subtype {
        case .smartAlbumUserLibrary, .any: self.init()
        case .smartAlbumFavorites: self.init(isFavorite: true)
        case .smartAlbumVideos: self.init(mediaType: .video)
        case .smartAlbumAllHidden: self.init(isHidden: true, includesHidden: true)
        case .smartAlbumRAW: self.init(hasRawPhoto: true)
        case .smartAlbumSelfPortraits: self.init(isSelfie: true)
        case .smartAlbumRecentlyAdded:
            let now = library.clock.date(at: library.clock.now).timeIntervalSince1970
            self.init(addedSince: now - Self.recentSeconds)
        case .smartAlbumPanoramas: self.init(mediaSubtypes: .photoPanorama)
        case .smartAlbumTimelapses: self.init(mediaSubtypes: .videoTimelapse)
        case .smartAlbumSlomoVideos: self.init(mediaSubtypes: .videoHighFrameRate)
        case .smartAlbumScreenshots: self.init(mediaSubtypes: .photoScreenshot)
        case .smartAlbumDepthEffect: self.init(mediaSubtypes: .photoDepthEffect)
        case .smartAlbumLivePhotos: self.init(mediaSubtypes: .photoLive)
        case .smartAlbumCinematic: self.init(mediaSubtypes: .videoCinematic)
        case .smartAlbumSpatial: self.init(mediaSubtypes: .spatialMedia)
        case .smartAlbumScreenRecordings: self.init(mediaSubtypes: .videoScreenRecording)
        case .smartAlbumBursts: self.init(representsBurst: true)
        case .smartAlbumGeneric, .smartAlbumAnimated, .smartAlbumLongExposures,
            .smartAlbumUnableToUpload, .albumRegular, .albumSyncedEvent, .albumSyncedFaces,
            .albumSyncedAlbum, .albumImported, .albumMyPhotoStream, .albumCloudShared:
            self.init(localIdentifiers: [])
        }
    }
}
