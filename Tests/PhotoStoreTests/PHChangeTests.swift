import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHChangeTests: PhotoLibraryTestCase {
    /// Records the reported changes.
    private final class RecordingObserver: NSObject, PHPhotoLibraryChangeObserver {
        let changes = Lock<[PHChange]>([])

        func photoLibraryDidChange(_ changeInstance: PHChange) {
            changes.withLock { $0.append(changeInstance) }
        }

        var last: PHChange? { changes.withLock { $0.last } }
        var count: Int { changes.withLock { $0.count } }
    }

    func testObserversReceiveEachChangeWithItsDetails() throws {
        let system = makeSystem()
        let observer = RecordingObserver()
        let library = system.run { PHPhotoLibrary.shared() }
        library.register(observer)
        let before = system.run { PHAsset.fetchAssets(with: nil) }

        try save(makeJPEG(), in: system)
        let details = try XCTUnwrap(observer.last?.changeDetails(for: before))
        XCTAssertEqual(details.insertedIndexes, [0])
        XCTAssertEqual(details.fetchResultAfterChanges.count, 1)
        XCTAssertNil(details.removedIndexes)

        let asset = details.fetchResultAfterChanges[0]
        try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
        let changed = try XCTUnwrap(observer.last?.changeDetails(for: details.fetchResultAfterChanges))
        XCTAssertEqual(changed.changedIndexes, [0])
        XCTAssertEqual(changed.changedObjects.map(\.isFavorite), [true])
        XCTAssertEqual(observer.last?.changeDetails(for: asset)?.objectAfterChanges?.isFavorite, true)

        try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
        let removed = try XCTUnwrap(observer.last?.changeDetails(for: changed.fetchResultAfterChanges))
        XCTAssertEqual(removed.removedIndexes, [0])
        XCTAssertEqual(removed.removedObjects, [asset])
        XCTAssertEqual(observer.last?.changeDetails(for: asset)?.objectWasDeleted, true)

        XCTAssertEqual(observer.count, 3)
        library.unregisterChangeObserver(observer)
        try save(makeJPEG(), in: system)
        XCTAssertEqual(observer.count, 3)
    }

    func testAFailedChangeIsNotReported() throws {
        let system = makeSystem()
        let observer = RecordingObserver()
        system.run { PHPhotoLibrary.shared() }.register(observer)
        XCTAssertThrowsError(try save(Data("text".utf8), in: system))
        XCTAssertEqual(observer.count, 0)
    }

    func testAReorderedResultHasMoves() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        try save(makeJPEG(), in: system)
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "isFavorite", ascending: false)]
        let before = system.run { PHAsset.fetchAssets(with: options) }
        let observer = RecordingObserver()
        let library = system.run { PHPhotoLibrary.shared() }
        library.register(observer)
        try library.performChangesAndWait { PHAssetChangeRequest(for: before[1]).isFavorite = true }
        let details = try XCTUnwrap(observer.last?.changeDetails(for: before))
        XCTAssertTrue(details.hasMoves)
        XCTAssertEqual(details.fetchResultAfterChanges[0], before[1])
    }
}
