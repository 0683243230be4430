import AVFoundation
import CaptureTesting
import ModernCamera
import Photos
import XCTest

/// Tests that photos and movies are upright in all orientations of the phone.
@MainActor
final class RotationTests: XCTestCase {
    func testPhotosAndMoviesAreUprightInPortraitAndLandscape() async throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let settings = CaptureSettings(
            preset: .cif352x288, movieFolder: simulated.folder, takesLargestPhotos: false)
        let model = CameraModel(settings: settings)
        await model.start()
        try await capture(with: model)
        simulated.system.orientation.rotate(to: .landscapeLeft)
        await simulated.wait(for: .milliseconds(100))
        try await capture(with: model)
        XCTAssertNil(model.message)
        let upright = [CGSize(width: 288, height: 352), CGSize(width: 352, height: 288)]
        XCTAssertEqual(sizes(.image), upright)
        XCTAssertEqual(sizes(.video), upright)
    }

    private func capture(with model: CameraModel) async throws {
        await model.takePhoto()
        model.startRecording()
        try await Task.sleep(for: .milliseconds(300))
        await model.stopRecording()
    }

    /// Returns the display sizes of the library's assets, the oldest first.
    private func sizes(_ type: PHAssetMediaType) -> [CGSize] {
        let assets = PHAsset.fetchAssets(with: type, options: nil)
        return (0..<assets.count).map { assets.object(at: $0) }.map {
            CGSize(width: $0.pixelWidth, height: $0.pixelHeight)
        }
    }
}
