import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHPersistentChangeTests: PhotoLibraryTestCase {
    func testChangesSinceAnArchivedTokenAreFetchedByALaterProcess() throws {
        let system = makeSystem()
        let first = try save(makeJPEG(), in: system)
        let library = system.run { PHPhotoLibrary.shared() }
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: library.currentChangeToken, requiringSecureCoding: true)
        let second = try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
        try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }

        let restartedLibrary = makeSystem().run { PHPhotoLibrary.shared() }
        let token = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: PHPersistentChangeToken.self, from: archive))
        let changes = Array(try restartedLibrary.fetchPersistentChanges(since: token))
        let details = try changes.map { try $0.changeDetails(for: .asset) }
        XCTAssertEqual(details.map(\.insertedLocalIdentifiers), [[second], [], []])
        XCTAssertEqual(details.map(\.updatedLocalIdentifiers), [[], [first], []])
        XCTAssertEqual(details.map(\.deletedLocalIdentifiers), [[], [], [first]])
        XCTAssertEqual(changes.last?.changeToken, restartedLibrary.currentChangeToken)
        XCTAssertEqual(
            Array(try restartedLibrary.fetchPersistentChanges(since: restartedLibrary.currentChangeToken)).count, 0)
        XCTAssertThrowsError(try restartedLibrary.fetchPersistentChanges(since: PHPersistentChangeToken(number: 99))) {
            XCTAssertTrue(PHPhotosError.Code.persistentChangeTokenExpired ~= $0, "\($0)")
        }
    }
}
