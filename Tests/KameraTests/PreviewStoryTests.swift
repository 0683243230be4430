import AVFoundation
import CaptureTesting
import XCTest

@testable import Kamera

/// The stories about the layer of the preview.
final class PreviewStoryTests: XCTestCase {
    func testS0_10TheLayerHoldsTheSession() throws {
        let app = try KameraApp()
        let layer = AVCaptureVideoPreviewLayer()
        XCTAssertNil(layer.session)
        layer.session = app.controller.session
        XCTAssertTrue(layer.session === app.controller.session)

        weak var session: AVCaptureSession?
        do {
            let other = AVCaptureSession()
            session = other
            layer.session = other
        }
        XCTAssertNotNil(session)
        layer.session = nil
        XCTAssertNil(session)
    }

    func testS0_11PointsAreConvertedBothWaysForAllGravitiesAndMirrored() throws {
        let app = try KameraApp()
        try app.start()
        let layer = AVCaptureVideoPreviewLayer(session: app.controller.session)
        layer.frame = CGRect(x: 0, y: 0, width: 320, height: 568)
        // Upright, the picture of 480 x 640 is shown in these sizes.
        let shown: [(AVLayerVideoGravity, CGSize)] = [
            (.resize, CGSize(width: 320, height: 568)), (.resizeAspect, CGSize(width: 320, height: 320 * 4 / 3.0)),
            (.resizeAspectFill, CGSize(width: 568 * 3 / 4.0, height: 568)),
        ]
        for isMirrored in [false, true] {
            let connection = try XCTUnwrap(layer.connection)
            XCTAssertEqual(connection.isVideoMirrored, isMirrored)
            for (gravity, size) in shown {
                layer.videoGravity = gravity
                for point in [CGPoint(x: 0.2, y: 0.3), CGPoint(x: 0.5, y: 0.5), CGPoint(x: 0.9, y: 0.1)] {
                    // The sensor is a landscape: its x axis runs down, its y axis to the left.
                    let across = isMirrored ? point.y : 1 - point.y
                    let expected = CGPoint(
                        x: 160 + (across - 0.5) * size.width, y: 284 + (point.x - 0.5) * size.height)
                    let converted = layer.layerPointConverted(fromCaptureDevicePoint: point)
                    XCTAssertEqual(converted.x, expected.x, accuracy: 0.01, "\(gravity), mirrored \(isMirrored)")
                    XCTAssertEqual(converted.y, expected.y, accuracy: 0.01, "\(gravity), mirrored \(isMirrored)")
                    let back = layer.captureDevicePointConverted(fromLayerPoint: converted)
                    XCTAssertEqual(back.x, point.x, accuracy: 0.001)
                    XCTAssertEqual(back.y, point.y, accuracy: 0.001)
                }
            }
            app.controller.switchCameras()
            app.advance(300)
        }
    }
}
