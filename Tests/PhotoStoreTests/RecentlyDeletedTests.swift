import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class RecentlyDeletedTests: PhotoLibraryTestCase {
    private func change(_ system: CaptureSystem, _ body: () -> Void) throws {
        try system.run { try PHPhotoLibrary.shared().performChangesAndWait(body) }
    }

    private func albumContents(in system: CaptureSystem) throws -> [Int] {
        try system.run {
            let album = try XCTUnwrap(
                PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).firstObject)
            XCTAssertEqual(album.estimatedAssetCount, PHAsset.fetchAssets(in: album, options: nil).count)
            return PHAsset.fetchAssets(in: album, options: nil).objects.map(\.pixelWidth)
        }
    }

    func testADeletedAssetIsRestoredWithItsPropertiesAndAlbums() throws {
        let system = makeSystem()
        for width in [16, 32, 48] { try save(makeJPEG(width: width, height: 16), in: system) }
        let all = assets(in: system)
        try change(system) {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets(all)
            PHAssetChangeRequest(for: all[1]).isFavorite = true
        }
        let files = try libraryFiles()
        let library = system.run { PHPhotoLibrary.shared() }
        try change(system) { PHAssetChangeRequest.deleteAssets([all[1]]) }
        XCTAssertEqual(assets(in: system).map(\.pixelWidth), [16, 48])
        XCTAssertEqual(try albumContents(in: system), [16, 48])
        XCTAssertEqual(try library.listedAssets(ListedAssetQuery()).map(\.pixelWidth), [16, 48])
        XCTAssertEqual(try library.storedAssets().map(\.pixelWidth), [16, 48])
        XCTAssertEqual(try libraryFiles(), files)
        XCTAssertTrue(try library.differences().isEmpty)
        // Reordering the album does not lose the deleted asset.
        try system.run {
            let album = try XCTUnwrap(
                PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).firstObject)
            try library.performChangesAndWait {
                PHAssetCollectionChangeRequest(for: album)?.moveAssets(at: [1], to: 0)
            }
        }
        let token = library.currentChangeToken
        try change(system) {
            PHAssetChangeRequest.restoreAssets(withLocalIdentifiers: all.map(\.localIdentifier))
        }
        XCTAssertEqual(assets(in: system).map(\.pixelWidth), [16, 32, 48])
        XCTAssertEqual(assets(in: system).map(\.isFavorite), [false, true, false])
        XCTAssertEqual(Set(try albumContents(in: system)), [16, 32, 48])
        let changes = Array(try library.fetchPersistentChanges(since: token))
        XCTAssertEqual(
            try changes.map { try $0.changeDetails(for: .asset).insertedLocalIdentifiers }, [[all[1].localIdentifier]])
        XCTAssertEqual(try libraryFiles(), files)
    }

    func testADeletedAssetIsRemovedByTheFirstChangeAfter30Days() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        for width in [16, 32] { try save(makeJPEG(width: width, height: 16), in: system) }
        let all = assets(in: system)
        try change(system) { PHAssetChangeRequest.deleteAssets([all[0]]) }
        clock.advance(by: .seconds(30 * 24 * 3600 - 1))
        try change(system) { PHAssetChangeRequest.deleteAssets([all[1]]) }
        XCTAssertEqual(try libraryFiles().count, 4)
        clock.advance(by: .seconds(1))
        XCTAssertEqual(try libraryFiles().count, 4, "without a change, nothing is removed")
        try change(system) {}
        XCTAssertEqual(try libraryFiles().count, 2)
        try change(system) {
            PHAssetChangeRequest.restoreAssets(withLocalIdentifiers: all.map(\.localIdentifier))
        }
        XCTAssertEqual(assets(in: system).map(\.pixelWidth), [32])
        XCTAssertTrue(try system.run { try PHPhotoLibrary.shared().differences() }.isEmpty)
    }

    func testADeletedAssetCannotBeChangedAndIsNoDuplicate() throws {
        let system = makeSystem()
        let file = folder.appendingPathComponent("a.jpg")
        try makeJPEG().write(to: file)
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let library = system.run { PHPhotoLibrary.shared() }
        XCTAssertEqual(try library.asset(withOriginal: file), asset.localIdentifier)
        try change(system) { PHAssetChangeRequest.deleteAssets([asset]) }
        XCTAssertNil(try library.asset(withOriginal: file))
        XCTAssertThrowsError(try change(system) { PHAssetChangeRequest(for: asset).isFavorite = true }) {
            XCTAssertTrue(PHPhotosError.identifierNotFound ~= $0, "\($0)")
        }
        XCTAssertThrowsError(
            try change(system) {
                PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets([asset])
            }
        ) { XCTAssertTrue(PHPhotosError.identifierNotFound ~= $0, "\($0)") }
        // Removing it at once is not another deletion for observers.
        let token = library.currentChangeToken
        try remove([asset], in: system)
        XCTAssertEqual(Array(try library.fetchPersistentChanges(since: token)).count, 0)
        XCTAssertEqual(try libraryFiles(), [])
    }
}
