import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHCollectionListTests: PhotoLibraryTestCase {
    private func titles(_ collections: PHFetchResult<PHCollection>) -> [String?] {
        collections.objects.map(\.localizedTitle)
    }

    private func topLevel(in system: CaptureSystem) -> PHFetchResult<PHCollection> {
        system.run { PHCollection.fetchTopLevelUserCollections(with: nil) }
    }

    private func folders(in system: CaptureSystem) -> [PHCollectionList] {
        system.run { PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: nil) }.objects
    }

    private func perform(in system: CaptureSystem, _ block: () -> Void) throws {
        try system.run { try PHPhotoLibrary.shared().performChangesAndWait(block) }
    }

    /// Creates a folder "Travel" with the album "Rome" and the folder "Asia", which contains the album "Kyoto".
    private func createFolders(in system: CaptureSystem) throws {
        try perform(in: system) {
            let rome = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Rome")
            let kyoto = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Kyoto")
            let travel = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Travel")
            let asia = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Asia")
            asia.addChildCollections([kyoto.placeholderForCreatedAssetCollection] as NSArray)
            travel.addChildCollections([
                rome.placeholderForCreatedAssetCollection, asia.placeholderForCreatedCollectionList,
            ])
        }
    }

    func testFoldersContainAlbumsAndFolders() throws {
        let system = makeSystem()
        try createFolders(in: system)
        XCTAssertEqual(titles(topLevel(in: system)), ["Travel"])
        let (travel, asia) = (folders(in: system)[0], folders(in: system)[1])
        XCTAssertEqual(titles(PHCollection.fetchCollections(in: travel, options: nil)), ["Rome", "Asia"])
        let kyoto = try XCTUnwrap(PHCollection.fetchCollections(in: asia, options: nil).firstObject)
        XCTAssertEqual(kyoto.localizedTitle, "Kyoto")
        XCTAssertEqual(PHCollectionList.fetchCollectionListsContaining(kyoto, options: nil).objects, [asia])
        XCTAssertEqual(
            [travel.canContainAssets, travel.canContainCollections, travel.canPerform(.addContent)],
            [false, true, true])
        let reopened = makeSystem()
        XCTAssertEqual(titles(topLevel(in: reopened)), ["Travel"], "folders are saved")
        let found = reopened.run {
            PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [asia.localIdentifier, "x"], options: nil)
        }
        XCTAssertEqual(found.objects, [asia])
    }

    func testChildrenAreInsertedMovedReplacedAndRemoved() throws {
        let system = makeSystem()
        try perform(in: system) {
            for title in ["A", "B", "C", "D"] {
                PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
            }
            PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "F")
        }
        let folder = try XCTUnwrap(folders(in: system).first)
        let albums = topLevel(in: system).objects.filter(\.canContainAssets)
        var content: [String?] { titles(PHCollection.fetchCollections(in: folder, options: nil)) }
        try perform(in: system) {
            let request = PHCollectionListChangeRequest(for: folder)
            request?.title = "G"
            request?.addChildCollections(Array(albums.prefix(2)) as NSArray)
            request?.insertChildCollections([albums[2]], at: [0])
        }
        XCTAssertEqual(content, ["C", "A", "B"])
        XCTAssertEqual(titles(topLevel(in: system)), ["D", "G"])
        let fetched = PHCollection.fetchCollections(in: folder, options: nil)
        try perform(in: system) {
            PHCollectionListChangeRequest(for: folder, childCollections: fetched)?.moveChildCollections(at: [0], to: 2)
        }
        XCTAssertEqual(content, ["A", "B", "C"])
        try perform(in: system) {
            PHCollectionListChangeRequest(for: folder)?.replaceChildCollections(
                at: [1], withChildCollections: [albums[3]] as NSArray)
        }
        XCTAssertEqual(content, ["A", "D", "C"])
        try perform(in: system) {
            let request = PHCollectionListChangeRequest(for: folder)
            request?.removeChildCollections(at: [0])
            request?.removeChildCollections([albums[2]] as NSArray)
        }
        XCTAssertEqual(content, ["D"])
        XCTAssertEqual(titles(topLevel(in: system)), ["G", "B", "A", "C"])
        let top = topLevel(in: system)
        try perform(in: system) {
            PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: top)?
                .moveChildCollections(at: [3], to: 0)
        }
        XCTAssertEqual(titles(topLevel(in: system)), ["C", "G", "B", "A"])
    }

    func testAFolderCannotContainItself() throws {
        let system = makeSystem()
        try createFolders(in: system)
        let (travel, asia) = (folders(in: system)[0], folders(in: system)[1])
        for child in [travel, asia] {
            XCTAssertThrowsError(
                try perform(in: system) {
                    PHCollectionListChangeRequest(for: asia)?.addChildCollections([travel, child])
                }
            ) { XCTAssertTrue(PHPhotosError.changeNotSupported ~= $0, "\($0)") }
        }
        XCTAssertEqual(titles(topLevel(in: system)), ["Travel"], "nothing changed")
    }

    func testDeletingAFolderDeletesItsContentButNoAssets() throws {
        let system = makeSystem()
        let photo = try save(makeJPEG(), in: system)
        try createFolders(in: system)
        let travel = folders(in: system)[0]
        let library = system.run { PHPhotoLibrary.shared() }
        let token = library.currentChangeToken
        try perform(in: system) { PHCollectionListChangeRequest.deleteCollectionLists([travel] as NSArray) }
        XCTAssertEqual(topLevel(in: system).count, 0)
        XCTAssertEqual(folders(in: system), [])
        XCTAssertEqual(assets(in: system).map(\.localIdentifier), [photo])
        let change = try XCTUnwrap(try library.fetchPersistentChanges(since: token).first { _ in true })
        XCTAssertEqual(try change.changeDetails(for: .collectionList).deletedLocalIdentifiers.count, 2)
        XCTAssertEqual(try change.changeDetails(for: .assetCollection).deletedLocalIdentifiers.count, 2)
        XCTAssertEqual(try change.changeDetails(for: .asset).deletedLocalIdentifiers, [])
    }

    func testTransientCollectionsAreNotSaved() throws {
        let system = makeSystem()
        for _ in 0..<2 { try save(makeJPEG(), in: system) }
        let reversed = Array(assets(in: system).reversed())
        let album = system.run { PHAssetCollection.transientAssetCollection(with: reversed, title: "T") }
        XCTAssertEqual(PHAsset.fetchAssets(in: album, options: nil).objects, reversed)
        XCTAssertEqual(PHAsset.fetchKeyAssets(in: album, options: nil)?.objects, [reversed[0]])
        XCTAssertFalse(album.canPerform(.addContent))
        let list = system.run { PHCollectionList.transientCollectionList(with: [album], title: "L") }
        XCTAssertEqual(titles(PHCollection.fetchCollections(in: list, options: nil)), ["T"])
        try perform(in: system) {
            XCTAssertNil(PHAssetCollectionChangeRequest(for: album))
            XCTAssertNil(PHCollectionListChangeRequest(for: list))
        }
        XCTAssertEqual(topLevel(in: system).count, 0)
    }

    func testTheAssetsOfAnAlbumAreReordered() throws {
        let system = makeSystem()
        for _ in 0..<4 { try save(makeJPEG(), in: system) }
        let all = assets(in: system)
        try perform(in: system) {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets(
                Array(all.prefix(3)) as NSArray)
        }
        let album = try XCTUnwrap(topLevel(in: system).firstObject as? PHAssetCollection)
        var content: [PHAsset] { PHAsset.fetchAssets(in: album, options: nil).objects }
        let before = PHAsset.fetchAssets(in: album, options: nil)
        try perform(in: system) {
            let request = PHAssetCollectionChangeRequest(for: album, assets: before)
            request?.moveAssets(at: [2], to: 0)
            request?.insertAssets([all[3]], at: [1])
        }
        XCTAssertEqual(content, [all[2], all[3], all[0], all[1]])
        let details = PHFetchResultChangeDetails(
            from: before, to: PHAsset.fetchAssets(in: album, options: nil), changedObjects: [])
        var items = [all[0], all[3], all[1], all[2]]
        details.enumerateMoves { items.insert(items.remove(at: $0), at: $1) }
        XCTAssertEqual(items, content)
        try perform(in: system) {
            let request = PHAssetCollectionChangeRequest(for: album)
            request?.removeAssets(at: [0, 3])
            request?.replaceAssets(at: [1], withAssets: [all[1]] as NSArray)
        }
        XCTAssertEqual(content, [all[3], all[1]])
    }
}
