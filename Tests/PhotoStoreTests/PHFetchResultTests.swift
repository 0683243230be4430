import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHFetchResultTests: PhotoLibraryTestCase {
    private var system = CaptureSystem(hosts: [], clock: SimClock())

    /// Creates three photos, 16, 48 and 32 pixels wide, dated 3, 1 and 2 s after 1970. The last one is hidden.
    override func setUpWithError() throws {
        try super.setUpWithError()
        system = makeSystem()
        for (width, second, isHidden) in [(16, 3.0, false), (48, 1.0, false), (32, 2.0, true)] {
            let photo = try makeJPEG(width: width, height: 16)
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    let request = PHAssetCreationRequest.forAsset()
                    request.addResource(with: .photo, data: photo, options: nil)
                    request.creationDate = Date(timeIntervalSince1970: second)
                    request.isHidden = isHidden
                }
            }
        }
    }

    private func widths(_ configure: (PHFetchOptions) -> Void) -> [Int] {
        let options = PHFetchOptions()
        configure(options)
        return assets(in: system, options).map(\.pixelWidth)
    }

    func testAssetsAreInTheOrderOfTheirImportWithoutHiddenOnes() {
        XCTAssertEqual(assets(in: system).map(\.pixelWidth), [16, 48])
        XCTAssertEqual(widths { $0.includeHiddenAssets = true }, [16, 48, 32])
    }

    func testOptionsSortLimitAndFilter() {
        XCTAssertEqual(
            widths {
                $0.includeHiddenAssets = true
                $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
            }, [48, 32, 16])
        XCTAssertEqual(
            widths {
                $0.includeHiddenAssets = true
                $0.sortDescriptors = [NSSortDescriptor(keyPath: \PHAsset.pixelWidth, ascending: false)]
                $0.fetchLimit = 2
            }, [48, 32])
        XCTAssertEqual(
            widths {
                $0.predicate = NSPredicate { object, _ in (object as? PHAsset)?.pixelWidth == 48 }
                $0.fetchLimit = 1
            }, [48])
        XCTAssertEqual(misuse, [])
    }

    func testSortingByAnUnknownPropertyIsMisuse() {
        XCTAssertEqual(widths { $0.sortDescriptors = [NSSortDescriptor(key: "colour", ascending: true)] }, [])
        XCTAssertEqual(misuse.map(\.exception), [.invalidArgument])
    }

    func testFetchesByTypeAndIdentifier() throws {
        let identifiers = assets(in: system).map(\.localIdentifier)
        system.run {
            XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 2)
            XCTAssertEqual(PHAsset.fetchAssets(with: .video, options: nil).count, 0)
            let found = PHAsset.fetchAssets(withLocalIdentifiers: [identifiers[1], "nothing"], options: nil)
            XCTAssertEqual(found.firstObject?.localIdentifier, identifiers[1])
            XCTAssertEqual(found.count, 1)
        }
    }

    func testAResultCanBeAccessedLikeAnArray() throws {
        let result = system.run { PHAsset.fetchAssets(with: nil) }
        XCTAssertEqual(result.count, 2)
        XCTAssertEqual(result[1].pixelWidth, 48)
        XCTAssertEqual(result.lastObject?.pixelWidth, 48)
        XCTAssertEqual(result.objects(at: [0, 1]).map(\.pixelWidth), [16, 48])
        XCTAssertEqual(result.index(of: result[1]), 1)
        XCTAssertEqual(result.countOfAssets(with: .image), 2)
        let secondResult = system.run { PHAsset.fetchAssets(with: nil) }
        XCTAssertTrue(result.contains(secondResult[0]), "assets with the same identifier are equal")
        var visited: [Int] = []
        result.enumerateObjects(options: .reverse) { asset, index, stop in
            visited.append(index)
            stop.pointee = ObjCBool(asset.pixelWidth == 48)
        }
        XCTAssertEqual(visited, [1])
    }
}
