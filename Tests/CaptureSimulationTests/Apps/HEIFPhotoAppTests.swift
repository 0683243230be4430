import AVFoundation
import CaptureTesting
import MediaTypes
import Photos
import UIKit
import XCTest

/// Tests an app that takes HEVC photos where the camera has them, and saves them in the photo library.
final class HEIFPhotoAppTests: XCTestCase {
    private final class Camera: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let session = AVCaptureSession()
        let output = AVCapturePhotoOutput()
        let files = Lock<[Data]>([])
        let saved = Lock<[Bool]>([])

        override init() {
            super.init()
            guard let device = AVCaptureDevice.default(for: .video),
                let input = try? AVCaptureDeviceInput(device: device)
            else { return }
            session.sessionPreset = .vga640x480
            session.addInput(input)
            session.addOutput(output)
            output.connection(with: .video)?.videoRotationAngle = 90
            session.startRunning()
        }

        func takePhoto() {
            let codec = output.availablePhotoCodecTypes.contains(.hevc) ? AVVideoCodecType.hevc : .jpeg
            output.capturePhoto(with: AVCapturePhotoSettings(format: [AVVideoCodecKey: codec]), delegate: self)
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            guard let data = photo.fileDataRepresentation() else { return }
            files.withLock { $0.append(data) }
            PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: nil)
            } completionHandler: { isSaved, _ in
                self.saved.withLock { $0.append(isSaved) }
            }
        }
    }

    private func takeAndSave(_ simulated: SimulatedSystem) throws -> (file: Data, asset: PHAsset) {
        let camera = simulated.run { Camera() }
        simulated.advance(by: .milliseconds(200))
        simulated.run { camera.takePhoto() }
        XCTAssertTrue(simulated.advance(until: { !camera.saved.withLock { $0.isEmpty } }))
        XCTAssertEqual(camera.saved.withLock { $0 }, [true])
        simulated.run { camera.session.stopRunning() }
        return try simulated.run {
            (
                try XCTUnwrap(camera.files.withLock { $0.first }),
                try XCTUnwrap(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
            )
        }
    }

    func testAPhoneSavesAnUprightHEIFPhoto() throws {
        let simulated = try SimulatedSystem(
            profile: "phone", scene: .chart, authorization: [.photoLibrary: .authorized])
        let (file, asset) = try takeAndSave(simulated)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [480, 640])
        try simulated.run {
            let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
            XCTAssertEqual(resource.uniformTypeIdentifier, "public.heic")
            let image = try XCTUnwrap(UIImage(data: file))
            XCTAssertEqual(image.size, CGSize(width: 480, height: 640))
        }
        // The same world takes the same photo.
        let second = try SimulatedSystem(
            profile: "phone", scene: .chart, authorization: [.photoLibrary: .authorized])
        XCTAssertEqual(try takeAndSave(second).file, file)
    }

    func testAWebcamSavesAJPEGPhoto() throws {
        let simulated = try SimulatedSystem(
            profile: "webcam", scene: .chart, authorization: [.photoLibrary: .authorized])
        let (_, asset) = try takeAndSave(simulated)
        try simulated.run {
            let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
            XCTAssertEqual(resource.uniformTypeIdentifier, "public.jpeg")
        }
    }
}
