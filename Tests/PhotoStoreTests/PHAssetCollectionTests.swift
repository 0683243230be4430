import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import PhotoStore

final class PHAssetCollectionTests: PhotoLibraryTestCase {
    private func albums(
        in system: CaptureSystem, _ type: PHAssetCollectionType = .album, _ options: PHFetchOptions? = nil
    ) -> [PHAssetCollection] {
        system.run { PHAssetCollection.fetchAssetCollections(with: type, subtype: .any, options: options) }.objects
    }

    private func assets(of album: PHAssetCollection) -> [String] {
        PHAsset.fetchAssets(in: album, options: nil).objects.map(\.localIdentifier)
    }

    func testAnAlbumAndItsAssetCanBeCreatedInTheSameBlock() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        let older = try save(photo, in: system)
        let olderAsset = try XCTUnwrap(assets(in: system).first)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let asset = PHAssetCreationRequest.forAsset()
                asset.addResource(with: .photo, data: photo, options: nil)
                let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Trip")
                album.addAssets([asset.placeholderForCreatedAsset].compactMap { $0 } as NSArray)
                album.addAssets([olderAsset])
                album.addAssets([olderAsset])
            }
        }
        let reopened = makeSystem()
        let album = try XCTUnwrap(albums(in: reopened).first)
        XCTAssertEqual(album.localizedTitle, "Trip")
        XCTAssertEqual(album.estimatedAssetCount, 2)
        XCTAssertNotNil(album.startDate)
        XCTAssertEqual(assets(of: album).last, older, "the album's own order")
        XCTAssertEqual(assets(of: album).count, 2)
        XCTAssertEqual(
            PHAssetCollection.fetchAssetCollectionsContaining(olderAsset, with: .album, options: nil).objects, [album])
    }

    func testAnAlbumContainsAnAssetThatTheBlockCreatesLater() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        try save(photo, in: system)
        let older = try XCTUnwrap(assets(in: system).first)
        let library = system.run { PHPhotoLibrary.shared() }
        func addNewAsset(to album: PHAssetCollectionChangeRequest?) {
            let asset = PHAssetCreationRequest.forAsset()
            asset.addResource(with: .photo, data: photo, options: nil)
            album?.addAssets([asset.placeholderForCreatedAsset].compactMap { $0 } as NSArray)
        }
        try library.performChangesAndWait {
            addNewAsset(to: .creationRequestForAssetCollection(withTitle: "Trip"))
        }
        let album = try XCTUnwrap(albums(in: system).first)
        XCTAssertEqual(assets(of: album).count, 1)
        try library.performChangesAndWait {
            let request = PHAssetCollectionChangeRequest(for: album)
            request?.insertAssets([older], at: [0])
            addNewAsset(to: request)
            PHAssetChangeRequest.deleteAssets([older])
        }
        let content = assets(of: album)
        XCTAssertEqual(content.count, 2)
        XCTAssertFalse(content.contains(older.localIdentifier), "a later request of the block deletes it")
        XCTAssertEqual(Set(content), Set(assets(in: system).map(\.localIdentifier)))
    }

    func testChangingAndDeletingAnAlbumKeepsItsAssets() throws {
        let system = makeSystem()
        let identifiers = try [save(makeJPEG(), in: system), save(makeJPEG(), in: system)]
        let library = system.run { PHPhotoLibrary.shared() }
        let all = system.run { PHAsset.fetchAssets(with: nil) }
        try library.performChangesAndWait {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets(all)
        }
        let album = try XCTUnwrap(albums(in: system).first)
        try library.performChangesAndWait {
            let request = PHAssetCollectionChangeRequest(for: album)
            request?.title = "B"
            request?.removeAssets([all[0]] as NSArray)
        }
        XCTAssertEqual(albums(in: system).map(\.localizedTitle), ["B"])
        XCTAssertEqual(assets(of: album), [identifiers[1]])

        try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([all[1]]) }
        XCTAssertEqual(assets(of: album), [])
        try library.performChangesAndWait { PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray) }
        XCTAssertEqual(albums(in: system), [])
        XCTAssertEqual(assets(in: system).map(\.localIdentifier), [identifiers[0]])
        XCTAssertThrowsError(
            try library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.title = "C" }
        ) { XCTAssertTrue(PHPhotosError.identifierNotFound ~= $0, "\($0)") }
    }

    func testAlbumsAreFoundByTitle() throws {
        let system = makeSystem()
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                for title in ["One", "Two", "Two"] {
                    _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                }
            }
        }
        let options = PHFetchOptions()
        options.predicate = NSPredicate { object, _ in (object as? PHAssetCollection)?.localizedTitle == "Two" }
        XCTAssertEqual(albums(in: system, .album, options).count, 2)
        options.fetchLimit = 1
        XCTAssertEqual(albums(in: system, .album, options).count, 1)
        XCTAssertEqual(Set(albums(in: system).map(\.localIdentifier)).count, 3)
    }

    func testSmartAlbumsContainTheMatchingAssets() throws {
        let system = makeSystem()
        for _ in 0..<3 { try save(makeJPEG(), in: system) }
        let found = assets(in: system)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: found[0]).isFavorite = true
                PHAssetChangeRequest(for: found[1]).isHidden = true
            }
        }
        var contents: [PHAssetCollectionSubtype: [String]] = [:]
        for album in albums(in: system, .smartAlbum) { contents[album.assetCollectionSubtype] = assets(of: album) }
        let identifiers = found.map(\.localIdentifier)
        XCTAssertEqual(contents[.smartAlbumVideos], [])
        XCTAssertEqual(contents.count, AssetQuery.smartAlbums.count)
        XCTAssertEqual(
            contents.filter { !$0.value.isEmpty },
            [
                .smartAlbumUserLibrary: [identifiers[0], identifiers[2]], .smartAlbumFavorites: [identifiers[0]],
                .smartAlbumAllHidden: [identifiers[1]],
                .smartAlbumRecentlyAdded: [identifiers[0], identifiers[2]],
            ])
        let smart = try XCTUnwrap(albums(in: system, .smartAlbum).first)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                XCTAssertNil(PHAssetCollectionChangeRequest(for: smart))
            }
        }
    }

    func testAChangeToAnAlbumIsReported() throws {
        final class RecordingObserver: NSObject, PHPhotoLibraryChangeObserver {
            let last = Lock<PHChange?>(nil)

            func photoLibraryDidChange(_ changeInstance: PHChange) { last.withLock { $0 = changeInstance } }
        }
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let observer = RecordingObserver()
        let library = system.run { PHPhotoLibrary.shared() }
        try library.performChangesAndWait {
            _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        }
        let album = try XCTUnwrap(albums(in: system).first)
        let before = PHAsset.fetchAssets(in: album, options: nil)
        let asset = try XCTUnwrap(assets(in: system).first)
        library.register(observer)
        try library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.addAssets([asset]) }
        let change = try XCTUnwrap(observer.last.withLock { $0 })
        XCTAssertEqual(change.changeDetails(for: before)?.insertedObjects, [asset])
        XCTAssertEqual(change.changeDetails(for: album)?.objectAfterChanges?.estimatedAssetCount, 1)
        XCTAssertNil(change.changeDetails(for: asset))
    }

    func testDeletingAnAssetIsReportedAsAChangeOfItsAlbums() throws {
        final class RecordingObserver: NSObject, PHPhotoLibraryChangeObserver {
            let last = Lock<PHChange?>(nil)

            func photoLibraryDidChange(_ changeInstance: PHChange) { last.withLock { $0 = changeInstance } }
        }
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        try save(makeJPEG(), in: system)
        let library = system.run { PHPhotoLibrary.shared() }
        let found = assets(in: system)
        try library.performChangesAndWait {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets(found)
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "B").addAssets([found[1]])
        }
        let before = albums(in: system)
        let observer = RecordingObserver()
        library.register(observer)
        let token = library.currentChangeToken
        try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([found[0]]) }
        let change = try XCTUnwrap(observer.last.withLock { $0 })
        XCTAssertEqual(change.changeDetails(for: before[0])?.objectAfterChanges?.estimatedAssetCount, 1)
        XCTAssertNil(change.changeDetails(for: before[1]))
        let changes = Array(try library.fetchPersistentChanges(since: token))
        let details = try changes.map { try $0.changeDetails(for: .assetCollection) }
        XCTAssertEqual(details.map(\.updatedLocalIdentifiers), [[before[0].localIdentifier]])
        // An album that the same change deletes is only deleted.
        let secondToken = library.currentChangeToken
        try library.performChangesAndWait {
            PHAssetChangeRequest.deleteAssets([found[1]])
            PHAssetCollectionChangeRequest.deleteAssetCollections([before[1]])
        }
        let deletion = try XCTUnwrap(Array(try library.fetchPersistentChanges(since: secondToken)).first)
        let albumDetails = try deletion.changeDetails(for: .assetCollection)
        XCTAssertEqual(albumDetails.updatedLocalIdentifiers, [before[0].localIdentifier])
        XCTAssertEqual(albumDetails.deletedLocalIdentifiers, [before[1].localIdentifier])
    }

    func testSmartAlbumsContainPhotosAndMoviesWithTheirMetadata() throws {
        let system = makeSystem()
        var width = 16
        func save(_ configure: (inout EXIF) -> Void) throws {
            var exif = EXIF()
            configure(&exif)
            _ = try self.save(makeJPEG(width: width, height: 16, exif: exif), in: system)
            width += 16
        }
        try save { $0.lensModel = "iPhone 12 front camera 2.71mm f/2.2" }
        try save { $0.lensModel = "iPhone 12 back camera 4.2mm f/1.6" }
        for value in [2, 6, 7, 1] {
            try save { $0.additional[kCGImagePropertyExifCustomRendered as String] = .integers([value]) }
        }
        try save { $0.additional[kCGImagePropertyExifUserComment as String] = .text("Screenshot") }
        let map = try XCTUnwrap(CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_OneComponent8))
        var properties = XMPWriter(namespaces: [("apdi", "http://ns.apple.com/pixeldatainfo/1.0/")])
        properties.add("apdi:AuxiliaryImageType", "disparity")
        var photo = try JPEGPhoto(makeJPEG(width: width, height: 16))
        try photo.add(map, xmp: Data(properties.text.utf8))
        _ = try self.save(photo.fileData, in: system)
        try saveMovie(makeMovie(), in: system)
        try saveMovie(makeMovie("slow.mov", arguments: ["-vf", "scale=32:32,setsar=1", "-r", "120"]), in: system)
        func widths(_ subtype: PHAssetCollectionSubtype) throws -> [Int] {
            try system.run {
                let album = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: subtype, options: nil)
                return PHAsset.fetchAssets(in: try XCTUnwrap(album.firstObject), options: nil).objects.map(\.pixelWidth)
            }
        }
        XCTAssertEqual(try widths(.smartAlbumSelfPortraits), [16])
        XCTAssertEqual(try widths(.smartAlbumPanoramas), [64])
        XCTAssertEqual(try widths(.smartAlbumDepthEffect), [80, width])
        XCTAssertEqual(try widths(.smartAlbumScreenshots), [112])
        XCTAssertEqual(try widths(.smartAlbumSlomoVideos), [32])
        XCTAssertEqual(try widths(.smartAlbumVideos), [64, 32])
        XCTAssertEqual(
            assets(in: system).map { $0.mediaSubtypes.contains(.photoHDR) }.prefix(7),
            [false, false, true, false, true, false, false])
    }

    func testSmartAlbumsAreFetchedByTheirIdentifiers() throws {
        let system = makeSystem()
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
            }
        }
        let album = try XCTUnwrap(albums(in: system).first)
        let smart = try XCTUnwrap(albums(in: system, .smartAlbum).first { $0.localizedTitle == "Favorites" })
        let found = system.run {
            PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [smart.localIdentifier, album.localIdentifier, "unknown"], options: nil)
        }
        XCTAssertEqual(found.objects, [album, smart])
        XCTAssertEqual(found.objects.last?.assetCollectionSubtype, .smartAlbumFavorites)
    }

    func testBurstsAreFoundByTheIdentifierOfTheCamera() throws {
        let system = makeSystem()
        func burstPhoto(_ identifier: String, _ side: Int) throws -> Data {
            try AppleMakerNoteData.jpeg(
                makeJPEG(width: side, height: side), AppleMakerNoteData.make([(0x0B, identifier)]))
        }
        for (identifier, side) in [("first burst", 16), ("second burst", 24), ("first burst", 32)] {
            try save(burstPhoto(identifier, side), in: system)
        }
        try save(makeJPEG(), in: system)
        let options = PHFetchOptions()
        options.includeAllBurstAssets = true
        let all = assets(in: system, options)
        XCTAssertEqual(all.map(\.burstIdentifier), ["first burst", "second burst", "first burst", nil])
        XCTAssertEqual(assets(in: system), [all[0], all[1], all[3]])
        XCTAssertEqual(all.map(\.representsBurst), [true, true, false, false])
        XCTAssertEqual(all.map(\.burstSelectionTypes), [.autoPick, .autoPick, [], []])
        func photos(of burst: String, _ options: PHFetchOptions? = nil) -> [PHAsset] {
            system.run { PHAsset.fetchAssets(withBurstIdentifier: burst, options: options) }.objects
        }
        XCTAssertEqual(photos(of: "first burst"), [all[0]])
        XCTAssertEqual(photos(of: "first burst", options), [all[0], all[2]])
        XCTAssertEqual(photos(of: "none"), [])
        options.predicate = NSPredicate(format: "burstIdentifier == 'first burst'")
        XCTAssertEqual(assets(in: system, options), [all[0], all[2]])
        let identifiers = all.map(\.localIdentifier)
        XCTAssertEqual(
            system.run { PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil) }.count, 4)
        let shown = system.run { PHAsset.fetchAssets(with: nil) }
        let album = try XCTUnwrap(
            system.run {
                PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumBursts, options: nil)
            }.firstObject)
        XCTAssertEqual(assets(of: album), [all[0], all[1]].map(\.localIdentifier))
        try remove([all[0]], in: system)
        XCTAssertEqual(assets(of: album), [all[1], all[2]].map(\.localIdentifier))
        XCTAssertEqual(assets(in: system).map(\.representsBurst), [true, true, false])
        // The next photo of the burst takes the place of the removed one.
        let details = try XCTUnwrap(
            PHChange(ChangeOutcome(), in: system.run { PHPhotoLibrary.shared() }).changeDetails(for: shown))
        XCTAssertEqual(details.removedIndexes, [0])
        XCTAssertEqual(details.insertedObjects, [all[2]])
    }

    func testSmartAlbumsOfLiveAndRawPhotosAreFilled() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        let photo = try makeJPEG()
        let movie = try makeMovie()
        let raw = Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0])
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let live = PHAssetCreationRequest.forAsset()
                live.addResource(with: .photo, data: photo, options: nil)
                live.addResource(with: .pairedVideo, fileURL: movie, options: nil)
                let withRaw = PHAssetCreationRequest.forAsset()
                withRaw.addResource(with: .photo, data: photo, options: nil)
                withRaw.addResource(with: .alternatePhoto, data: raw, options: nil)
            }
        }
        let identifiers = assets(in: system).map(\.localIdentifier)
        func content(_ subtype: PHAssetCollectionSubtype) -> [String] {
            system.run {
                PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: subtype, options: nil)
            }.objects.flatMap(assets(of:))
        }
        XCTAssertEqual(content(.smartAlbumLivePhotos), [identifiers[0]])
        XCTAssertEqual(content(.smartAlbumRAW), [identifiers[1]])
        XCTAssertEqual(content(.smartAlbumBursts), [])
        XCTAssertEqual(content(.smartAlbumRecentlyAdded), identifiers)
        clock.advance(by: .seconds(31 * 24 * 3600))
        XCTAssertEqual(content(.smartAlbumRecentlyAdded), [])
    }
}
