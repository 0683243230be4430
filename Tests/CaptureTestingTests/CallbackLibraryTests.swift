import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureSimulation
import Foundation
import MediaTypes
import PhotoStore
import XCTest

/// Tests that callbacks use the photo library of their system.
final class CallbackLibraryTests: XCTestCase {
    /// Saves each photo, as an app does.
    private final class PhotoSaver: AVCapturePhotoCaptureDelegate, Sendable {
        let results = Lock<[Bool]>([])
        /// The shared photo library in each completion handler.
        let libraries = Lock<[PHPhotoLibrary]>([])

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            guard let data = photo.fileDataRepresentation() else { return }
            PHPhotoLibrary.requestAuthorization(for: .addOnly) { [self] _ in
                PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: nil)
                } completionHandler: { [self] isSaved, _ in
                    let library = PHPhotoLibrary.shared()
                    libraries.withLock { $0.append(library) }
                    results.withLock { $0.append(isSaved) }
                }
            }
        }
    }

    func testAPhotoThatADelegateSavesIsInTheLibraryOfTheSystem() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        // Outside of `run`, code uses the system that was created last.
        let other = try SimulatedSystem(profile: "webcam")
        let saver = PhotoSaver()
        let (session, output) = try simulated.run {
            let session = AVCaptureSession()
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: camera))
            let output = AVCapturePhotoOutput()
            session.addOutput(output)
            return (session, output)
        }
        session.startRunning()
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: saver)
        XCTAssertTrue(simulated.advance(until: { saver.results.withLock { !$0.isEmpty } }))
        session.stopRunning()
        XCTAssertEqual(saver.results.withLock { $0 }, [true])
        XCTAssertEqual(simulated.run { PHAsset.fetchAssets(with: nil).count }, 1)
        XCTAssertEqual(other.run { PHAsset.fetchAssets(with: nil).count }, 0)
        let library = simulated.run { PHPhotoLibrary.shared() }
        XCTAssertTrue(saver.libraries.withLock { $0 }.allSatisfy { $0 === library })
        XCTAssertEqual(simulated.misuses + other.misuses, [])
    }
}
