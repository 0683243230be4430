import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import UIKit
import XCTest

@MainActor
private func show(_ controller: UIViewController) {
    controller.beginAppearanceTransition(true, animated: false)
    controller.endAppearanceTransition()
}

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_39…` tests S1-39.
final class FrameViewControllerTests: XCTestCase {
    func testS1_39AFrameBecomesAnImageWithTheSamePixels() throws {
        let simulated = try SimulatedSystem(scene: .chart)
        let results = Events<(UIImage?, [UInt8])>()
        let receiver = FrameReceiver { sampleBuffer in
            guard results.count == 0, let buffer = sampleBuffer.imageBuffer else { return }
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
            guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
            let row = base + 100 * CVPixelBufferGetBytesPerRow(buffer)
            results.add((UIImage(sampleBuffer), [UInt8](UnsafeRawBufferPointer(start: row, count: 4 * 640))))
        }
        let session = try makeSession(receiver.output)
        session.startRunning()
        XCTAssertTrue(simulated.advance(until: { results.count == 1 }))
        session.stopRunning()
        let (image, row) = try XCTUnwrap(results.last)
        XCTAssertEqual(image?.size, CGSize(width: 640, height: 480))
        let pixels = try Pixels(image?.cgImage)
        XCTAssertEqual((0..<640).map { pixels.green($0, 100) }, (0..<640).map { Int(row[4 * $0 + 1]) })
        XCTAssertGreaterThan(
            Set((0..<640).map { pixels.green($0, 100) }).count, 20, "the row shows the chart, not a uniform grey")
    }

    func testS1_40GrantedAccessShowsFifteenImagesPerSecond() throws {
        // The prompt is answered by granting access, which is the default answer.
        let simulated = try SimulatedSystem(scene: .chart, authorization: [.video: .notDetermined])
        try MainActor.assumeIsolated {
            let controller = FrameViewController()
            show(controller)
            simulated.advance(by: .seconds(1))
            XCTAssertTrue(try XCTUnwrap(controller.session).isRunning)
            XCTAssertNil(controller.presentedViewController)
            let imageIdentifiers = Events<ObjectIdentifier>()
            // Retained, so that the identifiers of the images stay unique.
            var retainedImages: [UIImage] = []
            for _ in 0..<100 {
                simulated.advance(by: .milliseconds(10))
                guard let image = controller.image else { continue }
                retainedImages.append(image)
                imageIdentifiers.add(ObjectIdentifier(image))
            }
            XCTAssertEqual(Set(imageIdentifiers.all).count, 15, accuracy: 1)
            let image = try XCTUnwrap(controller.image)
            XCTAssertEqual(image.size, CGSize(width: 480, height: 360))
            XCTAssertTrue(controller.view.layer.contents as? CGImage === image.cgImage)
            controller.beginAppearanceTransition(false, animated: false)
            controller.endAppearanceTransition()
            XCTAssertFalse(try XCTUnwrap(controller.session).isRunning)
        }
    }

    func testS1_40DeniedAccessShowsAnAlert() throws {
        let simulated = try SimulatedSystem(
            authorization: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(2))])
        try MainActor.assumeIsolated {
            let controller = FrameViewController()
            show(controller)
            simulated.advance(by: .seconds(1))
            XCTAssertNil(controller.presentedViewController)
            simulated.advance(by: .seconds(2))
            let alert = try XCTUnwrap(controller.presentedViewController as? UIAlertController)
            XCTAssertEqual(alert.title, "AVCam!")
            XCTAssertTrue(try XCTUnwrap(alert.message).contains("privacy settings"))
            XCTAssertNil(controller.session)
            XCTAssertTrue(alert.press("OK"))
            XCTAssertNil(controller.presentedViewController)
        }
    }
}
