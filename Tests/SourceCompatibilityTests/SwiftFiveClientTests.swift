import AVFoundation
import Photos
import XCTest

/// Code of camera apps in the Swift 5 language mode, which passes handlers that are not marked as `@Sendable`.
///
/// Compiling it without a warning is the test.
private struct Client {
    func requestAccess(completion: @escaping (Bool) -> Void) {
        AVCaptureDevice.requestAccess(for: .video, completionHandler: completion)
    }

    func lockControls(of device: AVCaptureDevice, completion: @escaping (CMTime) -> Void) {
        device.setFocusModeLocked(lensPosition: 0.5, completionHandler: completion)
        device.setExposureModeCustom(
            duration: CMTime(value: 1, timescale: 60), iso: 100, completionHandler: completion)
        device.setExposureTargetBias(0, completionHandler: completion)
        device.setWhiteBalanceModeLocked(with: device.deviceWhiteBalanceGains, completionHandler: completion)
    }

    func prepare(
        _ output: AVCapturePhotoOutput, _ settings: [AVCapturePhotoSettings],
        completion: @escaping (Bool, Error?) -> Void
    ) {
        output.setPreparedPhotoSettingsArray(settings, completionHandler: completion)
    }

    func write(_ input: AVAssetWriterInput, _ writer: AVAssetWriter, block: @escaping () -> Void) {
        input.requestMediaDataWhenReady(on: .main, using: block)
        input.respondToEachPassDescription(on: .main, using: block)
        writer.finishWriting(completionHandler: block)
    }

    func show(_ layer: AVSampleBufferDisplayLayer, block: @escaping () -> Void) {
        layer.requestMediaDataWhenReady(on: .main, using: block)
    }

    func export(
        _ session: AVAssetExportSession, _ generator: AVAssetImageGenerator, completion: @escaping () -> Void,
        image: @escaping (CGImage?, CMTime, Error?) -> Void
    ) {
        session.exportAsynchronously(completionHandler: completion)
        generator.generateCGImageAsynchronously(for: .zero, completionHandler: image)
    }

    func save(
        changes: @escaping () -> Void, completion: @escaping (Bool, Error?) -> Void,
        progress: @escaping (Double) -> Void
    ) {
        PHPhotoLibrary.shared().performChanges(changes, completionHandler: completion)
        PHAssetResourceRequestOptions().progressHandler = progress
    }
}

final class SwiftFiveClientTests: XCTestCase {
    func testPermissionIsRequestedWithAPlainHandler() {
        let answered = expectation(description: "answer")
        Client().requestAccess { _ in answered.fulfill() }
        wait(for: [answered], timeout: 10)
    }
}
