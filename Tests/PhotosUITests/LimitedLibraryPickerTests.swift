import CaptureHAL
import CaptureSimulation
import Foundation
import MediaTypes
import PhotosUI
import XCTest

final class LimitedLibraryPickerTests: XCTestCase {
    private final class Observer: NSObject, PHPhotoLibraryChangeObserver {
        let changes = Lock(0, order: .client)

        func photoLibraryDidChange(_ changeInstance: PHChange) { changes.withLock { $0 += 1 } }
    }

    func testTheUserSelectsTheAssetsThatTheAppMayRead() throws {
        try MainActor.assumeIsolated {
            let fixture = try PickerFixture([16, 32, 48])
            let (simulated, ids) = (fixture.simulated, fixture.identifiers)
            simulated.system.authorization.set(.limited, for: .photoLibrary)
            func readable() -> Set<String> {
                simulated.run {
                    let assets = PHAsset.fetchAssets(with: nil)
                    return Set((0..<assets.count).map { assets[$0].localIdentifier })
                }
            }
            let library = simulated.run { PHPhotoLibrary.shared() }
            let observer = Observer()
            library.register(observer)
            let controller = simulated.run { UIViewController() }
            let added = Lock<[[String]]>([], order: .client)
            @MainActor func present(_ answer: PhotoPickerAnswer?) {
                simulated.system.photoPickers.setAnswer(answer, to: .limitedLibrary)
                simulated.run {
                    library.presentLimitedLibraryPicker(from: controller) { ids in added.withLock { $0.append(ids) } }
                }
                simulated.advance(by: .seconds(1))
            }
            present(.select([ids[0], ids[1]]))
            XCTAssertEqual(readable(), [ids[0], ids[1]])
            present(.select([ids[1], ids[2]]))
            XCTAssertEqual(readable(), [ids[1], ids[2]])
            XCTAssertEqual(added.withLock { $0.last }, [ids[2]])
            let changes = observer.changes.withLock { $0 }
            XCTAssertGreaterThan(changes, 0)

            present(.cancel)
            XCTAssertEqual(readable(), [ids[1], ids[2]])
            XCTAssertEqual(added.withLock { $0.last }, [])
            XCTAssertNil(controller.presentedViewController)
            present(nil)
            XCTAssertNotNil(controller.presentedViewController)
            simulated.run { controller.dismiss(animated: false) }
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(added.withLock { $0.count }, 4)
            XCTAssertEqual(observer.changes.withLock { $0 }, changes)

            simulated.system.authorization.set(.authorized, for: .photoLibrary)
            present(.select([ids[0]]))
            XCTAssertNil(controller.presentedViewController)
            XCTAssertEqual(added.withLock { $0.count }, 5)
            XCTAssertEqual(readable(), Set(ids))
            XCTAssertEqual(simulated.misuses, [])
        }
    }
}
