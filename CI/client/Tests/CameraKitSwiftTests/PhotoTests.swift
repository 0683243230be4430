import AVFoundation
import CameraKit
import CaptureTesting
import Testing
import UIKit

/// Tests of Swift Testing in virtual time.
@Suite(.simulated(profile: "phone")) struct PhotoTests {
    @Test func aPhotoIsAnImageThatATestCanAttach() async throws {
        let controller = CameraController()
        let error = await withCheckedContinuation { continuation in
            controller.start { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        let data = try await withCheckedThrowingContinuation { continuation in
            controller.takePhoto { continuation.resume(with: $0) }
        }
        let image = try #require(UIImage(data: data))
        #expect(image.size.width > image.size.height)
        Attachment.record(image, named: "photo.jpg")
        await withCheckedContinuation { continuation in controller.stop { continuation.resume() } }
        #expect(!controller.session.isRunning)
    }
}
