import AVFoundation
import CaptureTesting
import UIKit
import XCTest

final class PreviewDrawingTests: XCTestCase {
    /// A view whose layer is a camera preview.
    private final class CameraView: UIView {
        override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
    }

    func testAViewHierarchyIsDrawnWithThePreview() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let session = AVCaptureSession()
        session.sessionPreset = .vga640x480
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        try MainActor.assumeIsolated {
            let root = UIView(frame: CGRect(x: 0, y: 0, width: 80, height: 60))
            root.backgroundColor = .green
            let view = CameraView(frame: CGRect(x: 8, y: 6, width: 64, height: 48))
            let preview = try XCTUnwrap(view.layer as? AVCaptureVideoPreviewLayer)
            preview.session = session
            view.layer.cornerRadius = 10
            view.clipsToBounds = true
            let badge = UIView(frame: CGRect(x: 0, y: 40, width: 64, height: 8))
            badge.backgroundColor = .red
            view.addSubview(badge)
            root.addSubview(view)
            let pixelWithoutPreview = try Self.draw(root)
            XCTAssertEqual(pixelWithoutPreview(40, 20), 0xff00_ff00)
            session.startRunning()
            XCTAssertTrue(simulated.advance(until: { preview.renderedImage() != nil }))
            let pixelWithPreview = try Self.draw(root)
            let content = try XCTUnwrap(preview.renderedImage(scale: 2))
            let pixels = try Self.pixels(of: content)
            for (x, y) in [(30, 10), (64, 40), (100, 70)] {
                XCTAssertEqual(pixelWithPreview(16 + x, 12 + y), pixels(x, y), "\(x) \(y)")
            }
            XCTAssertEqual(pixelWithPreview(16, 12), 0xff00_ff00, "the corner is cut off")
            XCTAssertEqual(pixelWithPreview(80, 100), 0xffff_0000, "the badge is in front")
        }
        session.stopRunning()
    }

    /// Draws a view with two pixels per point, and returns a function from column and row to the pixel as 0xAARRGGBB.
    @MainActor
    private static func draw(_ view: UIView) throws -> (Int, Int) -> UInt32 {
        let format = UIGraphicsImageRendererFormat()
        format.scale = 2
        let image = UIGraphicsImageRenderer(bounds: view.bounds, format: format).image { _ in
            view.drawHierarchy(in: view.bounds, afterScreenUpdates: true)
        }
        return try pixels(of: try XCTUnwrap(image.cgImage))
    }

    private nonisolated static func pixels(of image: CGImage) throws -> (Int, Int) -> UInt32 {
        let (data, bytesPerRow) = (try XCTUnwrap(image.dataProvider?.data), image.bytesPerRow)
        return { x, y in
            0xff00_0000
                | data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: y * bytesPerRow + x * 4, as: UInt32.self) }
        }
    }
}
