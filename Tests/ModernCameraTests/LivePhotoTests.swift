import AVFoundation
import CaptureTesting
import ModernCamera
import Photos
import XCTest

/// Tests the main path of current camera apps: Live Photos in HEIF files, saved to the photo library.
@MainActor
final class LivePhotoTests: XCTestCase {
    func testALivePhotoIsSavedAndReadAgain() async throws {
        let simulated = try SimulatedSystem(scene: .grey)
        var settings = CaptureSettings(preset: .vga640x480, movieFolder: simulated.folder)
        settings.takesLivePhotos = true
        let model = CameraModel(settings: settings)
        await model.start()
        try await Task.sleep(for: .seconds(2))
        await model.takePhoto()
        XCTAssertNil(model.message)
        let asset = try XCTUnwrap(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
        XCTAssertTrue(asset.mediaSubtypes.contains(.photoLive))
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [3024, 4032], "the maximum size of the camera")
        XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 1)
        let types = PHAssetResource.assetResources(for: asset).map(\.uniformTypeIdentifier)
        XCTAssertEqual(types, ["public.heic", "com.apple.quicktime-movie"])
        let photo = await withCheckedContinuation { continuation in
            _ = PHImageManager.default().requestLivePhoto(
                for: asset, targetSize: .zero, contentMode: .default, options: nil
            ) { photo, _ in continuation.resume(returning: photo) }
        }
        XCTAssertEqual(photo.map { PHAssetResource.assetResources(for: $0).count }, 2)
    }
}
