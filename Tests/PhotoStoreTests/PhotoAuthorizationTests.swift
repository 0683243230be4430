import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class PhotoAuthorizationTests: PhotoLibraryTestCase {
    /// Performs changes, and returns the code of their error; nil if they succeed.
    private func changeErrorCode(
        _ system: CaptureSystem, _ block: @escaping @Sendable () -> Void
    ) -> PHPhotosError.Code? {
        let code = Lock<PHPhotosError.Code?>(nil)
        system.run {
            PHPhotoLibrary.shared().performChanges(block) { success, error in
                let found = (error as? PHPhotosError)?.code
                XCTAssertEqual(success, found == nil)
                code.withLock { $0 = found }
            }
        }
        return code.withLock { $0 }
    }

    func testWithoutAuthorizationNothingIsAddedOrListed() throws {
        let photo = try makeJPEG()
        try save(photo, in: makeSystem())
        let add: @Sendable () -> Void = {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
        }
        for (state, code) in [
            (AuthorizationState.denied, PHPhotosError.Code.accessUserDenied), (.restricted, .accessRestricted),
        ] {
            let system = makeSystem(states: [.photoLibrary: state, .photoLibraryAdditions: state])
            XCTAssertEqual(changeErrorCode(system, add), code)
            XCTAssertEqual(assets(in: system), [])
        }
        XCTAssertEqual(assets(in: makeSystem()).count, 1)
    }

    func testAddOnlyAuthorizationAllowsAddingButNotChanging() throws {
        let photo = try makeJPEG()
        try save(photo, in: makeSystem())
        let system = makeSystem()
        let asset = try XCTUnwrap(assets(in: system).first)
        system.authorization.set(.denied, for: .photoLibrary)
        XCTAssertEqual(system.run { PHPhotoLibrary.authorizationStatus(for: .addOnly) }, .authorized)
        XCTAssertEqual(system.run { PHPhotoLibrary.authorizationStatus(for: .readWrite) }, .denied)
        XCTAssertNil(
            changeErrorCode(system) {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
            })
        XCTAssertEqual(changeErrorCode(system) { PHAssetChangeRequest.deleteAssets([asset]) }, .accessUserDenied)
        XCTAssertEqual(assets(in: makeSystem()).count, 2)
    }

    func testLimitedAuthorizationIncludesOnlySelectedAndAddedAssets() throws {
        let photo = try makeJPEG()
        let first = makeSystem()
        for _ in 0..<3 { try save(photo, in: first) }
        XCTAssertNil(
            changeErrorCode(first) {
                PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
            })
        let identifiers = assets(in: first).map(\.localIdentifier)
        let system = makeSystem(states: [.photoLibrary: .limited, .photoLibraryAdditions: .denied])
        XCTAssertEqual(system.run { PHPhotoLibrary.authorizationStatus(for: .readWrite) }, .limited)
        XCTAssertEqual(system.run { PHPhotoLibrary.authorizationStatus(for: .addOnly) }, .authorized)
        XCTAssertEqual(assets(in: system), [])
        try system.run { try PHPhotoLibrary.shared().select([identifiers[1]]) }
        XCTAssertEqual(assets(in: system).map(\.localIdentifier), [identifiers[1]])
        XCTAssertNil(
            changeErrorCode(system) {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
            })
        XCTAssertEqual(assets(in: system).count, 2)
        func albumCount(_ system: CaptureSystem) -> Int {
            system.run { PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).count }
        }
        XCTAssertEqual(albumCount(system), 0)
        XCTAssertEqual(try system.run { try PHPhotoLibrary.shared().storedAssets().count }, 4)
        system.authorization.set(.authorized, for: .photoLibrary)
        XCTAssertEqual(assets(in: system).count, 4)
        XCTAssertEqual(albumCount(system), 1)
    }

    func testTheSelectionOfALimitedAuthorizationIsKeptFromRunToRun() throws {
        let photo = try makeJPEG()
        let first = makeSystem()
        for _ in 0..<3 { try save(photo, in: first) }
        let identifiers = assets(in: first).map(\.localIdentifier)
        func makeLimited() -> CaptureSystem { makeSystem(states: [.photoLibrary: .limited]) }
        let second = makeLimited()
        try second.run { try PHPhotoLibrary.shared().select([identifiers[1]]) }
        let added = try save(photo, in: second)
        XCTAssertEqual(assets(in: makeLimited()).map(\.localIdentifier), [identifiers[1], added])

        let third = makeLimited()
        let observer = SelectionObserver(third)
        XCTAssertEqual(
            try third.run { try PHPhotoLibrary.shared().replaceSelection(with: [identifiers[0], added]) },
            [identifiers[0]])
        let details = try XCTUnwrap(observer.details)
        XCTAssertEqual(details.insertedObjects.map(\.localIdentifier), [identifiers[0]])
        XCTAssertEqual(details.removedObjects.map(\.localIdentifier), [identifiers[1]])
        XCTAssertEqual(assets(in: makeLimited()).map(\.localIdentifier), [identifiers[0], added])
        XCTAssertEqual(assets(in: makeSystem()).count, 4)
    }

    /// Stores the changes of all assets.
    private final class SelectionObserver: NSObject, PHPhotoLibraryChangeObserver {
        private let result: PHFetchResult<PHAsset>
        private(set) var details: PHFetchResultChangeDetails<PHAsset>?

        init(_ system: CaptureSystem) {
            result = system.run { PHAsset.fetchAssets(with: nil) }
            super.init()
            system.run { PHPhotoLibrary.shared().register(self) }
        }

        func photoLibraryDidChange(_ changeInstance: PHChange) {
            details = changeInstance.changeDetails(for: result)
        }
    }

    func testALibraryThatIsNotAvailableIsNeitherReadNorChanged() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        try save(photo, in: system)
        let library = system.run { PHPhotoLibrary.shared() }
        library.setAvailable(false)
        XCTAssertEqual((library.unavailabilityReason as? PHPhotosError)?.code, .libraryVolumeOffline)
        XCTAssertEqual(assets(in: system), [])
        XCTAssertEqual(
            changeErrorCode(system) {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
            }, .libraryVolumeOffline)
        XCTAssertEqual(try library.storedAssets().count, 1)
        library.setAvailable(true)
        XCTAssertNil(library.unavailabilityReason)
        XCTAssertEqual(assets(in: system).count, 1)
    }

    func testTheFirstChangeAsksTheUserAndWaits() throws {
        let photo = try makeJPEG()
        let clock = SimClock()
        let system = makeSystem(
            clock: clock, states: [.photoLibrary: .notDetermined, .photoLibraryAdditions: .notDetermined],
            answers: [.photoLibraryAdditions: PromptAnswer(.authorized, after: .seconds(3))])
        let completionTime = Lock<CMTime?>(nil)
        system.run {
            PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
            } completionHandler: { success, _ in
                completionTime.withLock { $0 = success ? clock.now : nil }
            }
        }
        XCTAssertNil(completionTime.withLock { $0 })
        let start = clock.now
        clock.advance(by: .seconds(5))
        XCTAssertEqual(completionTime.withLock { $0 }, start + CMTime(value: 3, timescale: 1))
        XCTAssertEqual(assets(in: makeSystem()).count, 1)
    }

    func testRequestingAuthorizationAsksTheUserOnce() throws {
        let clock = SimClock()
        let system = makeSystem(
            clock: clock, states: [.photoLibrary: .notDetermined], answers: [.photoLibrary: .deny])
        let statuses = Lock<[PHAuthorizationStatus]>([])
        XCTAssertEqual(system.run { PHPhotoLibrary.authorizationStatus() }, .notDetermined)
        system.run {
            PHPhotoLibrary.requestAuthorization { status in statuses.withLock { $0.append(status) } }
        }
        clock.advance(by: .seconds(1))
        system.run {
            PHPhotoLibrary.requestAuthorization(for: .readWrite) { status in statuses.withLock { $0.append(status) } }
        }
        XCTAssertEqual(statuses.withLock { $0 }, [.denied], "the handler ran inside the call")
        clock.settle()
        XCTAssertEqual(statuses.withLock { $0 }, [.denied, .denied])
    }

    func testReadWriteAuthorizationIncludesAdding() throws {
        let clock = SimClock()
        let system = makeSystem(
            clock: clock, states: [.photoLibraryAdditions: .notDetermined], answers: [.photoLibraryAdditions: .deny])
        let statuses = Lock<[PHAuthorizationStatus]>([])
        system.run {
            PHPhotoLibrary.requestAuthorization(for: .addOnly) { status in statuses.withLock { $0.append(status) } }
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(statuses.withLock { $0 }, [.authorized])
        XCTAssertEqual(system.authorization.state(of: .photoLibraryAdditions), .notDetermined, "the user was not asked")
    }
}
