import AVFoundation
import CaptureTesting
import UIKit
import XCTest

@testable import CaptureService

/// The requirements S2-10 to S2-12 and S2-30 of docs/tutorials.md, about photos, faces, the preview and the camera's
/// settings.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS2_10…` tests S2-10.
final class OutputStoryTests: XCTestCase {
    func testS2_10APhotoIsUprightAndAFailedCaptureIsNotReported() throws {
        let app = try ServiceApp()
        app.service.capturePhoto()
        app.advance(.milliseconds(300))
        app.start()
        app.service.capturePhoto()
        app.simulated.advance(until: { app.client.photos.count > 0 }, limit: .seconds(2))
        let photo = try XCTUnwrap(app.client.photos.last)
        XCTAssertEqual(photo.size, CGSize(width: 288, height: 352))
        XCTAssertEqual(Set(app.client.areOnMain.all), [true])

        app.service.capturePhoto()
        app.simulated.advance(by: .zero)
        try app.simulated.host.disconnect(uniqueID: "phone.front")
        app.service.capturePhoto()
        app.advance(.seconds(1))
        XCTAssertEqual(app.client.photos.count, 1)
    }

    func testS2_11FacesAreConvertedToPointsOfTheLayer() throws {
        let app = try ServiceApp(scene: .portrait, preset: .hd1280x720)
        app.service.openNativeFaceDetect = true
        app.service.startRunning()
        let layer = try XCTUnwrap(app.client.layers.last)
        layer.frame = CGRect(x: 0, y: 0, width: 360, height: 640)
        app.simulated.advance(until: { !(app.client.faces.last ?? []).isEmpty }, limit: .seconds(3))
        let faces = try XCTUnwrap(app.client.faces.last)
        XCTAssertFalse(faces.isEmpty)
        for face in faces {
            XCTAssertGreaterThan(face.bounds.width, 10)
            XCTAssertTrue(layer.bounds.intersects(face.bounds), "\(face.bounds)")
        }
        // Without the session the layer cannot convert the faces.
        layer.session = nil
        app.client.faces.removeAll()
        app.advance(.milliseconds(300))
        XCTAssertGreaterThan(app.client.faces.count, 0)
        XCTAssertTrue(app.client.faces.all.allSatisfy(\.isEmpty))
    }

    func testS2_11FacesAreDetectedAfterSwitchingCameras() throws {
        let app = try ServiceApp(scene: .portrait, preset: .hd1280x720)
        app.service.openNativeFaceDetect = true
        app.start()
        app.service.switchCamera()
        app.advance(.milliseconds(300))
        app.client.faces.removeAll()
        XCTAssertTrue(
            app.simulated.advance(until: { !(app.client.faces.last ?? []).isEmpty }, limit: .seconds(1)))
    }

    func testS2_12WithoutASourceTheDelegateReceivesALayer() throws {
        let app = try ServiceApp(scene: .street)
        app.service.startRunning()
        let layer = try XCTUnwrap(app.client.layers.last)
        layer.frame = CGRect(x: 0, y: 0, width: 144, height: 176)
        app.advance(.milliseconds(500))
        XCTAssertTrue(layer.session === app.service.session)
        XCTAssertEqual(layer.videoGravity, .resizeAspectFill)
        XCTAssertNotNil(layer.renderedImage(scale: 1))
        app.service.stopRunning()
        app.service.startRunning()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.client.layers.count, 1)
    }

    func testS2_12TheLayerOfASourceReceivesTheSession() throws {
        final class Source: CaptureServicePreviewSource {
            let previewLayer = AVCaptureVideoPreviewLayer()
        }
        let app = try ServiceApp()
        let source = Source()
        app.service.previewSource = source
        app.start()
        XCTAssertEqual(app.client.layers.count, 0)
        XCTAssertTrue(source.previewLayer.session === app.service.session)
        XCTAssertEqual(source.previewLayer.videoGravity, .resizeAspectFill)
    }

    func testS2_30PropertiesReturnTheValuesOfTheCamera() throws {
        let app = try ServiceApp()
        app.service.devicePosition = .back
        app.start()
        app.advance(.seconds(1))
        let (service, camera) = (app.service, try XCTUnwrap(app.camera))
        XCTAssertEqual(service.deviceISO, camera.iso)
        XCTAssertGreaterThan(service.deviceISO, 0)
        XCTAssertEqual(service.deviceMinISO, camera.activeFormat.minISO)
        XCTAssertEqual(service.deviceMaxISO, camera.activeFormat.maxISO)
        XCTAssertLessThan(service.deviceMinISO, service.deviceMaxISO)
        XCTAssertEqual(service.deviceAperture, camera.lensAperture)
        XCTAssertEqual(service.deviceExposureDuration, camera.exposureDuration)
        XCTAssertGreaterThan(service.deviceExposureDuration, .zero)
        XCTAssertEqual(
            [service.supportsTapToFocus, service.supportsTapToExpose, service.hasTorch, service.hasFlash],
            [true, true, true, true])
    }

    func testS2_30SettersChangeTheCamera() throws {
        let app = try ServiceApp()
        app.service.devicePosition = .back
        app.start()
        let (service, camera) = (app.service, try XCTUnwrap(app.camera))
        service.focusPoint = CGPoint(x: 0.25, y: 0.75)
        service.focusMode = .autoFocus
        service.exposurePoint = CGPoint(x: 0.75, y: 0.25)
        service.exposureMode = .locked
        service.whiteBalanceMode = .locked
        service.torchMode = .on
        service.flashMode = .on
        XCTAssertEqual(camera.focusPointOfInterest, CGPoint(x: 0.25, y: 0.75))
        XCTAssertEqual(camera.exposurePointOfInterest, CGPoint(x: 0.75, y: 0.25))
        XCTAssertEqual(service.exposurePoint, camera.exposurePointOfInterest)
        XCTAssertEqual(camera.exposureMode, .locked)
        XCTAssertEqual(camera.whiteBalanceMode, .locked)
        XCTAssertEqual(camera.torchMode, .on)
        app.advance(.seconds(2))
        XCTAssertEqual(service.focusMode, .locked, "the scan has ended")
        XCTAssertEqual(app.log.all, [])
    }

    func testS2_30TheFlashFiresWithThePhoto() throws {
        var meanLevels: [Double] = []
        for mode in [AVCaptureDevice.FlashMode.off, .on] {
            let app = try ServiceApp(scene: .night)
            app.service.devicePosition = .back
            app.start()
            app.service.flashMode = mode
            app.service.capturePhoto()
            app.simulated.advance(until: { app.client.photos.count > 0 }, limit: .seconds(3))
            let data = try XCTUnwrap(app.client.photos.last?.cgImage?.dataProvider?.data) as Data
            meanLevels.append(data.reduce(0) { $0 + Double($1) } / Double(data.count))
        }
        XCTAssertGreaterThan(abs(meanLevels[1] - meanLevels[0]), 1)
    }

    func testS2_30UnsupportedModesAreLogged() throws {
        let front = try ServiceApp()
        front.service.exposureMode = .locked
        XCTAssertEqual(front.log.all, ["unsupported: exposure mode"], "there is no camera yet")
        front.log.removeAll()
        front.start()
        front.service.torchMode = .on
        front.service.flashMode = .on
        XCTAssertEqual(front.log.all, ["unsupported: torch mode", "unsupported: flash mode"])
        XCTAssertEqual(front.service.flashMode, .off)
    }
}
