import AVFoundation
import Photos
import XCTest

/// What a client has that imports the umbrellas only.
final class UmbrellaTests: XCTestCase {
    func testTheProcessHasSimulatedDevicesByDefault() throws {
        let camera = try XCTUnwrap(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        XCTAssertEqual(camera.localizedName, "Back Camera")
        XCTAssertNotNil(AVCaptureDevice.default(for: .audio))
    }

    func testMediaTypesAndFoundationComeAlong() {
        let url: URL = FileManager.default.temporaryDirectory
        XCTAssertFalse(url.path.isEmpty)
        XCTAssertEqual(CMTimeAdd(CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 2)).seconds, 1)
        var buffer: CVPixelBuffer?
        XCTAssertEqual(
            CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &buffer), kCVReturnSuccess)
        XCTAssertEqual(buffer.map(CVPixelBufferGetWidth), 64)
        XCTAssertEqual(CGSize(width: 4, height: 3).width, 4)
    }

    func testThePhotoLibraryIsThere() {
        XCTAssertEqual(PHAssetMediaType.video.rawValue, 2)
        XCTAssertEqual(PHPhotoLibrary.authorizationStatus(for: .readWrite), .authorized)
    }
}
