import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_35…` tests S1-35.
final class PreviewTests: XCTestCase {
    private func makeContainer(_ width: CGFloat, _ height: CGFloat) -> CALayer {
        let layer = CALayer()
        layer.bounds = CGRect(x: 0, y: 0, width: width, height: height)
        return layer
    }

    func testS1_35APreviewNeedsNoOutputAndKeepsItsSession() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let container = makeContainer(96, 128)
        weak var session: AVCaptureSession?
        var preview: Preview?
        do {
            let strongSession = try makeSession()
            session = strongSession
            preview = Preview(of: strongSession, on: container)
            strongSession.startRunning()
        }
        XCTAssertEqual(session?.outputs, [])
        simulated.advance(by: .milliseconds(500))
        let image = try Pixels(preview?.layer.renderedImage(scale: 1))
        XCTAssertEqual([image.width, image.height], [96, 128])
        XCTAssertGreaterThan(image.green(48, 64), 50)
        XCTAssertEqual(container.sublayers?.count, 1)
        preview?.layer.removeFromSuperlayer()
        preview = nil
        simulated.advance(by: .milliseconds(100))
        XCTAssertNil(session)
    }

    func testS1_36TheGravityLetterboxesCropsOrStretches() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let session = try makeSession()
        let preview = Preview(of: session, on: makeContainer(200, 200))
        session.startRunning()
        simulated.advance(by: .milliseconds(500))
        let metadataBounds = CGRect(x: 0, y: 0, width: 1, height: 1)
        // The upright image has 480x640 pixels.
        let expected: [(AVLayerVideoGravity, hasBlackSides: Bool, CGSize)] = [
            (.resizeAspect, true, CGSize(width: 150, height: 200)),
            (.resizeAspectFill, false, CGSize(width: 200, height: 266.667)),
            (.resize, false, CGSize(width: 200, height: 200)),
        ]
        for (gravity, hasBlackSides, size) in expected {
            preview.setGravity(gravity)
            let image = try Pixels(preview.layer.renderedImage(scale: 1))
            XCTAssertEqual(image.green(10, 100) < 10, hasBlackSides, "\(gravity)")
            XCTAssertEqual(image.green(190, 100) < 10, hasBlackSides, "\(gravity)")
            XCTAssertGreaterThan(image.green(100, 2), 50, "\(gravity)")
            let shown = preview.layer.layerRectConverted(fromMetadataOutputRect: metadataBounds)
            XCTAssertEqual(shown.width, size.width, accuracy: 0.01, "\(gravity)")
            XCTAssertEqual(shown.height, size.height, accuracy: 0.01, "\(gravity)")
        }
    }

    func testS1_37ThePreviewOfTheFrontCameraIsMirroredUnlessSetOtherwise() throws {
        let simulated = try SimulatedSystem(scene: .chart, orientation: .landscapeLeft)
        let session = AVCaptureSession()
        try session.addInput(for: try XCTUnwrap(DeviceList.camera(at: .front)))
        try session.usePreset(.vga640x480)
        let preview = Preview(of: session, on: makeContainer(160, 120))
        let connection = try XCTUnwrap(preview.layer.connection)
        session.startRunning()
        func image() throws -> Pixels {
            simulated.advance(by: .seconds(1))
            return try Pixels(preview.layer.renderedImage(scale: 1))
        }
        XCTAssertTrue(connection.automaticallyAdjustsVideoMirroring)
        XCTAssertTrue(connection.isVideoMirrored)
        let mirrored = try image()
        preview.setMirrored(false)
        XCTAssertFalse(connection.automaticallyAdjustsVideoMirroring)
        let unmirrored = try image()
        XCTAssertLessThan(unmirrored.difference(from: mirrored, isMirrored: true), 3)
        XCTAssertGreaterThan(unmirrored.difference(from: mirrored), 10)
        preview.setMirrored(nil)
        XCTAssertTrue(connection.isVideoMirrored)

        let backSession = try makeSession()
        XCTAssertEqual(Preview(of: backSession, on: makeContainer(160, 120)).layer.connection?.isVideoMirrored, false)
    }

    func testS1_38LevelsArePolledTenTimesPerSecond() throws {
        let simulated = try SimulatedSystem(scene: .grey, sound: .tone)
        let meter = LevelMeter()
        let session = try makeSession(hasMicrophone: true, meter.output)
        session.startRunning()
        simulated.advance(by: .milliseconds(500))
        let levels = Events<[LevelMeter.Level]>()
        let threads = Events<Bool>()
        meter.start {
            levels.add($0)
            threads.add(Thread.isMainThread)
        }
        simulated.advance(by: .seconds(2.05))
        XCTAssertEqual(levels.count, 20)
        XCTAssertFalse(threads.all.contains(false))
        for level in levels.all {
            XCTAssertGreaterThan(try XCTUnwrap(level.first).average, -40)
            XCTAssertGreaterThanOrEqual(try XCTUnwrap(level.first).peakHold, try XCTUnwrap(level.first).average)
            XCTAssertLessThanOrEqual(try XCTUnwrap(level.first).peakHold, 0)
        }
        let channel: AnyObject = try XCTUnwrap(meter.output.connections.first?.audioChannels.first)
        XCTAssertFalse(channel is any KeyValueObserving, "the guide says that levels are polled")
        meter.stop()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(levels.count, 20)
    }

    func testATapSetsThePointsOfInterestToThePointInTheImage() throws {
        let simulated = try SimulatedSystem(scene: .chart)
        let session = try makeSession()
        let preview = Preview(of: session, on: makeContainer(300, 400))
        session.startRunning()
        simulated.advance(by: .milliseconds(300))
        try preview.focus(at: CGPoint(x: 75, y: 100))
        let device = try camera(of: session)
        // The tap is a quarter from the left and the top of the upright image; the sensor's image is rotated.
        XCTAssertEqual(device.focusPointOfInterest.x, 0.25, accuracy: 0.001)
        XCTAssertEqual(device.focusPointOfInterest.y, 0.75, accuracy: 0.001)
        XCTAssertEqual(device.exposurePointOfInterest, device.focusPointOfInterest)
    }
}
