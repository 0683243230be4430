import AVFoundation
import CaptureTesting
import Kamera
import UIKit
import XCTest

final class OverlayViewTests: XCTestCase {
    private static let portrait = CGRect(x: 0, y: 0, width: 390, height: 844)
    private static let landscape = CGRect(x: 0, y: 0, width: 844, height: 390)

    /// The middle of a view in the coordinates of another one.
    @MainActor
    private static func middle(of view: UIView, in other: UIView) -> CGPoint {
        view.convert(CGPoint(x: view.bounds.midX, y: view.bounds.midY), to: other)
    }

    func testTheElapsedTimeIsShownInHoursMinutesAndSeconds() {
        MainActor.assumeIsolated {
            let overlay = OverlayView(frame: Self.portrait)
            XCTAssertEqual(overlay.elapsedTimeText, "00:00:00")
            overlay.elapsedTime = 3.9
            XCTAssertEqual(overlay.elapsedTimeText, "00:00:03")
            overlay.elapsedTime = 3600 * 11 + 60 * 22 + 33
            XCTAssertEqual(overlay.elapsedTimeText, "11:22:33")
            overlay.elapsedTime = .nan
            XCTAssertEqual(overlay.elapsedTimeText, "00:00:00")
        }
    }

    func testTapsReachTheControlsInBothLayouts() {
        let frames = [Self.portrait, Self.landscape]
        MainActor.assumeIsolated {
            for frame in frames {
                let overlay = OverlayView(frame: frame)
                var log: [String] = []
                @MainActor func add(_ control: UIControl, _ name: String, _ event: UIControl.Event = .touchUpInside) {
                    control.addAction(UIAction { _ in log.append(name) }, for: event)
                }
                add(overlay.shutterButton, "shutter")
                add(overlay.switchButton, "switch")
                add(overlay.thumbnailButton, "thumbnail")
                add(overlay.lightControl, "light", .valueChanged)
                overlay.layoutIfNeeded()
                for control in [
                    overlay.shutterButton, overlay.switchButton, overlay.thumbnailButton, overlay.lightControl,
                ] {
                    XCTAssertTrue(overlay.tap(at: Self.middle(of: control, in: overlay)))
                }
                XCTAssertEqual(log, ["shutter", "switch", "thumbnail", "light"])
                XCTAssertNil(overlay.hitTest(CGPoint(x: frame.midX, y: frame.midY), with: nil))
            }
        }
    }

    func testTheLightCyclesThroughItsModes() {
        MainActor.assumeIsolated {
            let control = LightControl(frame: CGRect(x: 0, y: 0, width: 80, height: 40))
            let modes = (0..<4).map { _ in
                control.tap(at: CGPoint(x: 40, y: 20))
                return control.mode
            }
            XCTAssertEqual(modes, [.on, .off, .auto, .on])
        }
    }

    func testTheModeSelectorChangesTheShutter() throws {
        try MainActor.assumeIsolated {
            let overlay = OverlayView(frame: Self.portrait)
            overlay.layoutIfNeeded()
            let shutter = Self.middle(of: overlay.shutterButton, in: overlay)
            XCTAssertEqual(try DrawnScreen(of: overlay).color(at: shutter), [255, 59, 48])
            let selector = overlay.modeControl
            var changeCount = 0
            selector.addAction(UIAction { _ in changeCount += 1 }, for: .valueChanged)
            // The second of two modes.
            let photo = selector.convert(
                CGPoint(x: selector.bounds.width * 0.75, y: selector.bounds.midY), to: overlay)
            overlay.tap(at: photo)
            overlay.tap(at: photo)
            XCTAssertEqual(changeCount, 1)
            XCTAssertEqual(selector.mode, .photo)
            XCTAssertNil(overlay.elapsedTimeText)
            XCTAssertEqual(try DrawnScreen(of: overlay).color(at: shutter), [255, 255, 255])
        }
    }

    func testARecordingHidesUnavailableControls() throws {
        try MainActor.assumeIsolated {
            let overlay = OverlayView(frame: Self.portrait)
            overlay.layoutIfNeeded()
            let shutter = overlay.shutterButton.convert(overlay.shutterButton.bounds, to: overlay)
            let red: [UInt8] = [255, 59, 48]
            let discPixelCount = try DrawnScreen(of: overlay).count(of: red, in: shutter)
            overlay.isRecording = true
            let squarePixelCount = try DrawnScreen(of: overlay).count(of: red, in: shutter)
            XCTAssertLessThan(squarePixelCount * 2, discPixelCount)
            XCTAssertGreaterThan(squarePixelCount, 500)
            XCTAssertTrue(overlay.switchButton.isHidden)
            XCTAssertFalse(overlay.tap(at: Self.middle(of: overlay.switchButton, in: overlay)))
            // The time is shown on red.
            XCTAssertEqual(try DrawnScreen(of: overlay).color(at: CGPoint(x: 146, y: 66)), red)
        }
    }

    func testTheThumbnailIsShown() throws {
        try MainActor.assumeIsolated {
            let overlay = OverlayView(frame: Self.landscape)
            // Its middle third is green.
            overlay.thumbnail = UIGraphicsImageRenderer(size: CGSize(width: 30, height: 10)).image { context in
                UIColor.red.setFill()
                context.fill(CGRect(x: 0, y: 0, width: 30, height: 10))
                UIColor.green.setFill()
                context.fill(CGRect(x: 10, y: 0, width: 10, height: 10))
            }
            overlay.layoutIfNeeded()
            let point = Self.middle(of: overlay.thumbnailButton, in: overlay)
            let screen = try DrawnScreen(of: overlay)
            XCTAssertEqual(screen.color(at: point), [0, 255, 0])
            XCTAssertEqual(screen.color(at: CGPoint(x: point.x - 21, y: point.y)), [0, 255, 0])
        }
    }
}
