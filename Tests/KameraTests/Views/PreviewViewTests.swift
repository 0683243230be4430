import AVFoundation
import CaptureTesting
import Kamera
import UIKit
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS0_10…` tests S0-10.
final class PreviewViewTests: XCTestCase {
    /// Logs what the user taps.
    private final class Log: PreviewViewDelegate {
        var entries: [String] = []
        var points: [CGPoint] = []

        func previewView(_ view: PreviewView, didTapToFocusAt point: CGPoint) { add("focus", point) }
        func previewView(_ view: PreviewView, didTapToExposeAt point: CGPoint) { add("expose", point) }
        func previewViewDidTapToReset(_ view: PreviewView) { entries.append("reset") }

        private func add(_ entry: String, _ point: CGPoint) {
            entries.append(entry)
            points.append(point)
        }
    }

    /// A running preview of a simulated phone.
    @MainActor
    private struct Fixture {
        let simulated: SimulatedSystem
        let session: AVCaptureSession
        let view: PreviewView
        let log = Log()

        init(position: AVCaptureDevice.Position = .back) throws {
            // Objects created after the system belong to it.
            simulated = try SimulatedSystem(scene: .grey)
            session = AVCaptureSession()
            view = PreviewView(frame: CGRect(x: 0, y: 0, width: 320, height: 568))
            session.sessionPreset = .vga640x480
            let camera = try XCTUnwrap(
                AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
            session.addInput(try AVCaptureDeviceInput(device: camera))
            view.session = session
            view.delegate = log
        }
    }

    func testS0_10TheLayerRetainsTheSessionOfTheView() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem(scene: .grey)
            let view = PreviewView(frame: CGRect(x: 0, y: 0, width: 32, height: 56))
            XCTAssertNil(view.session)
            weak var weakSession: AVCaptureSession?
            do {
                let session = AVCaptureSession()
                weakSession = session
                view.session = session
            }
            XCTAssertNotNil(weakSession)
            XCTAssertTrue(view.session === weakSession)
            XCTAssertTrue(view.previewLayer?.session === weakSession)
            view.session = nil
            simulated.advance(by: .milliseconds(10))
            XCTAssertNil(weakSession)
        }
    }

    func testS0_11TapsReportPointsOfTheCameraForAllGravitiesAndMirrored() throws {
        try MainActor.assumeIsolated {
            for position in [AVCaptureDevice.Position.back, .front] {
                let fixture = try Fixture(position: position)
                let (view, log) = (fixture.view, fixture.log)
                for gravity in [AVLayerVideoGravity.resizeAspectFill, .resizeAspect, .resize] {
                    view.previewLayer?.videoGravity = gravity
                    let tapped = CGPoint(x: 80, y: 200)
                    view.tap(at: tapped)
                    fixture.simulated.advance(by: .seconds(1))
                    let point = try XCTUnwrap(log.points.last)
                    // The upright image has 480x640 pixels: the top of the view is the left of the sensor.
                    let height: CGFloat = gravity == .resizeAspect ? 320.0 * 640 / 480 : 568
                    XCTAssertEqual(point.x, (tapped.y - 284) / height + 0.5, accuracy: 1e-6, "\(gravity)")
                    let width: CGFloat = gravity == .resizeAspectFill ? 568.0 * 480 / 640 : 320
                    let offset = (tapped.x - 160) / width
                    // The front camera is mirrored: the left of the view is the right of the upright image.
                    XCTAssertEqual(abs(point.y - 0.5), abs(offset), accuracy: 1e-6, "\(gravity)")
                    let convertedPoint = view.previewLayer?.layerPointConverted(fromCaptureDevicePoint: point) ?? .zero
                    XCTAssertEqual(convertedPoint.x, tapped.x, accuracy: 1e-6)
                    XCTAssertEqual(convertedPoint.y, tapped.y, accuracy: 1e-6)
                }
                XCTAssertEqual(log.entries, ["focus", "focus", "focus"])
                let isMirrored = view.previewLayer?.connection?.isVideoMirrored
                XCTAssertEqual(isMirrored, position == .front)
                let left = view.captureDevicePoint(for: CGPoint(x: 0, y: 284)).y
                let right = view.captureDevicePoint(for: CGPoint(x: 320, y: 284)).y
                XCTAssertEqual(left > right, position == .back)
            }
        }
    }

    func testATapFocusesWithABlueBoxThatDisappears() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.view.tap(at: CGPoint(x: 100, y: 300))
            XCTAssertEqual(visibleBoxes(fixture.view), [])
            fixture.simulated.advance(by: .milliseconds(400))
            XCTAssertEqual(fixture.log.entries, ["focus"])
            let box = try XCTUnwrap(visibleBoxes(fixture.view).first)
            XCTAssertEqual(box, CGRect(x: 62.5, y: 262.5, width: 75, height: 75))
            XCTAssertEqual(try color(of: fixture.view, at: CGPoint(x: 64, y: 300)), [26, 162, 255])
            fixture.simulated.advance(by: .seconds(1))
            XCTAssertEqual(visibleBoxes(fixture.view), [])
        }
    }

    func testADoubleTapExposesWithAnOrangeBox() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.view.tap(at: CGPoint(x: 200, y: 400))
            fixture.simulated.advance(by: .milliseconds(200))
            fixture.view.tap(at: CGPoint(x: 203, y: 402))
            XCTAssertEqual(try color(of: fixture.view, at: CGPoint(x: 167, y: 402)), [255, 107, 13])
            fixture.simulated.advance(by: .seconds(2))
            XCTAssertEqual(fixture.log.entries, ["expose"])
            XCTAssertEqual(visibleBoxes(fixture.view), [])
        }
    }

    func testADoubleTapWithTwoFingersResets() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.view.tap(at: CGPoint(x: 200, y: 400), tapCount: 2, touchCount: 2)
            let boxes = visibleBoxes(fixture.view)
            XCTAssertEqual(boxes.map(\.width), [75, 105])
            for box in boxes { XCTAssertEqual(CGPoint(x: box.midX, y: box.midY), CGPoint(x: 160, y: 284)) }
            fixture.simulated.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log.entries, ["reset"])
        }
    }

    func testDisabledTapsNeitherFocusNorExpose() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.view.isTapToFocusEnabled = false
            fixture.view.tap(at: CGPoint(x: 100, y: 300))
            fixture.simulated.advance(by: .seconds(1))
            fixture.view.isTapToExposeEnabled = false
            fixture.view.tap(at: CGPoint(x: 100, y: 300), tapCount: 2)
            fixture.simulated.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log.entries, [])
            XCTAssertEqual(visibleBoxes(fixture.view), [])
        }
    }
}

/// The frames of the boxes that are visible.
@MainActor
private func visibleBoxes(_ view: UIView) -> [CGRect] { view.subviews.filter { !$0.isHidden }.map(\.frame) }

/// The red, green and blue components of a drawn view at a point.
@MainActor
private func color(of view: UIView, at point: CGPoint) throws -> [UInt8] {
    try DrawnScreen(of: view).color(at: point)
}
