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
            handler.withLock { $0 }?()
        }

        private let handler = Lock<(@Sendable () -> Void)?>(nil)

        /// Calls a handler after each change.
        func report(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }

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

    func testObserversReceiveChangesOfOtherProcessesOnce() throws {
        let (system, other) = (makeSystem(), makeSystem(seed: 8))
        let observer = RecordingObserver()
        let library = system.run { PHPhotoLibrary.shared() }
        library.register(observer)
        let before = system.run { PHAsset.fetchAssets(with: nil) }
        library.reportForeignChanges()
        XCTAssertEqual(observer.count, 0)
        // The other system is to this one as another process.
        try save(makeJPEG(width: 16, height: 16), in: other)
        try save(makeJPEG(width: 32, height: 16), in: system)
        XCTAssertEqual(observer.count, 1)
        library.reportForeignChanges()
        XCTAssertEqual(observer.count, 2)
        let details = try XCTUnwrap(observer.last?.changeDetails(for: before))
        XCTAssertEqual(details.insertedObjects.map(\.pixelWidth), [16, 32])
        let asset = try XCTUnwrap(assets(in: other).first)
        try other.run {
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
        }
        library.reportForeignChanges()
        XCTAssertEqual(observer.count, 4)
        XCTAssertEqual(observer.last?.changeDetails(for: details.insertedObjects[0])?.objectWasDeleted, true)
        library.reportForeignChanges()
        XCTAssertEqual(observer.count, 4)
    }

    func testAChangeOfAnotherProcessIsReportedInRealTime() throws {
        let (system, other) = (makeSystem(clock: HostClock.shared), makeSystem(seed: 8))
        let observer = RecordingObserver()
        let library = system.run { PHPhotoLibrary.shared() }
        library.register(observer)
        XCTAssertNil(library.unavailabilityReason)
        let isReported = expectation(description: "the change is reported")
        observer.report { isReported.fulfill() }
        try save(makeJPEG(), in: other)
        wait(for: [isReported], timeout: 10)
        XCTAssertEqual(observer.count, 1)
        library.unregisterChangeObserver(observer)
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
