import AVFoundation
import CoreImage
import CoreLocation
import Photos
import UIKit
import XCTest

/// Tests that the umbrella modules alone import the API that apps use.
final class UmbrellaTests: XCTestCase {
    func testTheProcessHasSimulatedDevicesByDefault() throws {
        let camera = try XCTUnwrap(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        XCTAssertEqual(camera.localizedName, "Back Camera")
        XCTAssertNotNil(AVCaptureDevice.default(for: .audio))
    }

    func testMediaTypesAndFoundationAreImported() {
        let url: URL = FileManager.default.temporaryDirectory
        XCTAssertFalse(url.path.isEmpty)
        XCTAssertEqual(CMTimeAdd(CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 2)).seconds, 1)
        var buffer: CVPixelBuffer?
        XCTAssertEqual(
            CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &buffer), kCVReturnSuccess)
        XCTAssertEqual(buffer.map(CVPixelBufferGetWidth), 64)
        XCTAssertEqual(CGSize(width: 4, height: 3).width, 4)
    }

    func testObservationAndSerialQueuesAreImported() async {
        let camera = ObservableCamera()
        let isChanged = expectation(description: "the change is observed")
        withObservationTracking {
            _ = camera.isRunning
        } onChange: {
            isChanged.fulfill()
        }
        camera.isRunning = true
        await fulfillment(of: [isChanged], timeout: 20)
        let value = await CameraActor().value()
        XCTAssertEqual(value, 1)
        let queues = [
            CoreImageState().queue, CoreMediaState().queue, CoreVideoState().queue, PhotosState().queue,
            UIKitState().queue,
        ]
        XCTAssertEqual(queues.map(\.label), ["CoreImage", "CoreMedia", "CoreVideo", "Photos", "UIKit"])
    }

    func testSystemSoundsAreImported() {
        XCTAssertEqual(AudioServicesDisposeSystemSoundID(4096), kAudioServicesSystemSoundUnspecifiedError)
        XCTAssertEqual(kSystemSoundID_Vibrate, 4095)
    }

    func testLayersImagesAndLocationsAreImported() throws {
        let (preview, container) = (AVCaptureVideoPreviewLayer(), CALayer())
        preview.videoGravity = .resizeAspectFill
        preview.frame = CGRect(x: 0, y: 0, width: 300, height: 200)
        container.insertSublayer(preview, at: 0)
        XCTAssertTrue(container.sublayers?.first === preview)
        XCTAssertEqual(CATransform3DGetAffineTransform(CATransform3DIdentity), .identity)
        XCTAssertGreaterThan(CACurrentMediaTime(), 0)
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 8, 4, kCVPixelFormatType_32BGRA, nil, &buffer)
        let ciImage = CIImage(cvPixelBuffer: try XCTUnwrap(buffer))
        let image = try XCTUnwrap(CIContext().createCGImage(ciImage, from: ciImage.extent))
        XCTAssertEqual(UIImage(cgImage: image, scale: 1, orientation: .right).size, CGSize(width: 4, height: 8))
        XCTAssertEqual(UIDevice.current.orientation, UIDeviceOrientation.portrait)
        XCTAssertEqual(autoreleasepool { CLLocationCoordinate2D(latitude: 1, longitude: 2).latitude }, 1)
    }

    /// Change blocks that ignore the created requests, as in apps. Compiling it without a warning is the test.
    private func save(_ url: URL, _ data: Data, in library: PHPhotoLibrary) {
        library.performChanges { PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url) }
        library.performChanges { PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url) }
        library.performChanges {
            PHAssetCreationRequest.forAsset()
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
        }
    }

    func testAContextAcceptsOptions() throws {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 8, 4, kCVPixelFormatType_32BGRA, nil, &buffer)
        let image = CIImage(cvPixelBuffer: try XCTUnwrap(buffer))
        for context in [CIContext(options: nil), CIContext(options: [.useSoftwareRenderer: true])] {
            XCTAssertEqual(context.createCGImage(image, from: image.extent)?.width, 8)
        }
    }

    /// Awaits notifications in an actor, as camera apps do.
    private actor NotificationObserver {
        func firstReason(in center: NotificationCenter) async -> AVCaptureSession.InterruptionReason? {
            let reasons = center.notifications(named: AVCaptureSession.wasInterruptedNotification)
                .compactMap { $0.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int }
                .compactMap { AVCaptureSession.InterruptionReason(rawValue: $0) }
            // Posted by the actor itself, so that the loop does not wait.
            center.post(
                name: AVCaptureSession.wasInterruptedNotification, object: nil,
                userInfo: [AVCaptureSessionInterruptionReasonKey: 3])
            for await reason in reasons { return reason }
            return nil
        }

        func firstName(in center: NotificationCenter) async -> Notification.Name? {
            let notifications = center.notifications(
                named: AVCaptureSession.interruptionEndedNotification, object: self)
            center.post(name: AVCaptureSession.interruptionEndedNotification, object: self)
            for await notification in notifications { return notification.name }
            return nil
        }
    }

    func testNotificationsCanBeAwaited() async {
        let (observer, center) = (NotificationObserver(), NotificationCenter())
        let reason = await observer.firstReason(in: center)
        XCTAssertEqual(reason, .videoDeviceInUseByAnotherClient)
        let name = await observer.firstName(in: center)
        XCTAssertEqual(name, AVCaptureSession.interruptionEndedNotification)
    }

    func testThePhotoLibraryIsImported() {
        XCTAssertEqual(PHAssetMediaType.video.rawValue, 2)
        XCTAssertEqual(PHPhotoLibrary.authorizationStatus(for: .readWrite), .authorized)
    }
}
