import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import PhotoStore

/// Tests proxies, whose photos the library finishes.
final class PhotoProxyTests: PhotoLibraryTestCase {
    private func add(_ data: Data, as type: PHAssetResourceType, in system: CaptureSystem) throws -> PHAsset {
        let result = Lock<(Bool, (any Error)?)>((false, nil))
        system.run {
            PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: type, data: data, options: nil)
            } completionHandler: { success, error in
                result.withLock { $0 = (success, error) }
            }
        }
        XCTAssertTrue(result.withLock { $0.0 }, "\(String(describing: result.withLock { $0.1 }))")
        return try XCTUnwrap(assets(in: system).last)
    }

    func testTheLibraryFinishesThePhotoOfAProxy() throws {
        let (small, large) = (try makeJPEG(width: 32, height: 24), try makeJPEG(width: 64, height: 48))
        let proxy = DeferredPhotoFile.join(small, large)
        let system = makeSystem()
        XCTAssertTrue(
            PHAssetCreationRequest.supportsAssetResourceTypes([
                NSNumber(value: PHAssetResourceType.photoProxy.rawValue),
                NSNumber(value: PHAssetResourceType.pairedVideo.rawValue),
            ]))
        let asset = try add(proxy, as: .photoProxy, in: system)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [64, 48])
        let resources = system.run { PHAssetResource.assetResources(for: asset) }
        XCTAssertEqual(resources.map(\.type), [.photo])
        XCTAssertEqual(resources.first?.uniformTypeIdentifier, "public.jpeg")
    }

    func testAProxyThatIsSavedAsAPhotoRemainsSmall() throws {
        let proxy = DeferredPhotoFile.join(
            try makeJPEG(width: 32, height: 24), try makeJPEG(width: 64, height: 48))
        XCTAssertEqual(try add(proxy, as: .photo, in: makeSystem()).pixelWidth, 32)
    }

    func testAProxyWithoutAnotherPhotoIsThePhoto() throws {
        XCTAssertEqual(try add(makeJPEG(), as: .photoProxy, in: makeSystem()).pixelWidth, 64)
    }
}
