import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import XCTest

@testable import CaptureCore

final class PhotoDepthTests: XCTestCase {
    private func makeSession(
        _ fixture: CaptureFixture, camera: String = "phone.front-true-depth",
        preset: AVCaptureSession.Preset = .vga640x480
    ) throws -> (session: AVCaptureSession, output: AVCapturePhotoOutput) {
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        return (try fixture.makeSession(camera: camera, microphone: nil, preset: preset, [output]), output)
    }

    private func settings(filtered: Bool = true) -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings()
        XCTAssertTrue(settings.isDepthDataFiltered)
        XCTAssertTrue(settings.embedsDepthDataInPhoto)
        settings.isDepthDataDeliveryEnabled = true
        settings.isDepthDataFiltered = filtered
        return settings
    }

    func testAPhotoContainsTheDepthOfItsFrame() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .portrait)
        let (session, output) = try makeSession(fixture)
        XCTAssertTrue(output.isDepthDataDeliverySupported)
        XCTAssertFalse(output.isDepthDataDeliveryEnabled)
        output.isDepthDataDeliveryEnabled = true
        session.startRunning()
        fixture.advance(milliseconds: 500)
        let photos = RecordingPhotos()
        output.capturePhoto(with: settings(), delegate: photos)
        output.capturePhoto(with: settings(filtered: false), delegate: photos)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(photos.errors.compactMap { $0 }, [])
        XCTAssertEqual(photos.photos.count, 3)
        let filtered = try XCTUnwrap(photos.photos[0].depthData)
        XCTAssertTrue(filtered.isDepthDataFiltered)
        let values = try DepthMap(filtered.depthDataMap, asDisparity: false).values
        XCTAssertFalse(values.contains(where: \.isNaN))
        XCTAssertEqual(values.min() ?? 0, 0.9, accuracy: 0.02)
        let unfiltered = try XCTUnwrap(photos.photos[1].depthData)
        XCTAssertFalse(unfiltered.isDepthDataFiltered)
        XCTAssertTrue(try DepthMap(unfiltered.depthDataMap, asDisparity: false).values.contains(where: \.isNaN))
        XCTAssertNil(photos.photos[2].depthData)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAPhotoWaitsForAFrameWithDepth() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture)
        output.isDepthDataDeliveryEnabled = true
        let device = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        try device.lockForConfiguration()
        device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 5)
        device.unlockForConfiguration()
        session.startRunning()
        fixture.advance(milliseconds: 250)
        let photos = RecordingPhotos()
        output.capturePhoto(with: settings(), delegate: photos)
        fixture.advance(milliseconds: 300)
        XCTAssertEqual(photos.photos.first?.timestamp.seconds ?? 0, 0.4, accuracy: 0.001)
        XCTAssertNotNil(photos.photos.first?.depthData)
        session.stopRunning()
    }

    func testDeliveryCanBeEnabledWhileTheSessionRunsAndIsDisabledByAFormatWithoutDepth() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture)
        session.startRunning()
        fixture.advance(milliseconds: 100)
        output.isDepthDataDeliveryEnabled = true
        let photos = RecordingPhotos()
        output.capturePhoto(with: settings(), delegate: photos)
        fixture.advance(milliseconds: 200)
        XCTAssertNotNil(photos.photos.first?.depthData)
        let device = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        let withDepth = device.activeFormat
        try device.lockForConfiguration()
        device.activeFormat = try XCTUnwrap(device.formats.first { $0.supportedDepthDataFormats.isEmpty })
        XCTAssertFalse(output.isDepthDataDeliverySupported)
        XCTAssertFalse(output.isDepthDataDeliveryEnabled)
        device.activeFormat = withDepth
        XCTAssertTrue(output.isDepthDataDeliverySupported)
        XCTAssertFalse(output.isDepthDataDeliveryEnabled, "it must be enabled again")
        device.unlockForConfiguration()
        fixture.assertMisuse(.invalidArgument) {
            output.capturePhoto(with: settings(), delegate: RecordingPhotos())
        }
        session.stopRunning()
    }

    func testCopiedSettingsRequestTheSameDepth() {
        let settings = settings(filtered: false)
        settings.embedsDepthDataInPhoto = false
        let copy = AVCapturePhotoSettings(from: settings)
        XCTAssertTrue(copy.isDepthDataDeliveryEnabled)
        XCTAssertFalse(copy.isDepthDataFiltered)
        XCTAssertFalse(copy.embedsDepthDataInPhoto)
    }

    func testDeliveryStaysDisabledWhenTheCameraHasDepthAgain() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture)
        output.isDepthDataDeliveryEnabled = true
        let reported = Lock<[Bool]>([])
        let observation = output.observe(\.isDepthDataDeliverySupported, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? false) }
        }
        for camera in ["phone.back-wide", "phone.front-true-depth"] {
            let input = try fixture.input(camera)
            fixture.inSystem {
                session.beginConfiguration()
                session.removeInput(session.inputs[0])
                session.addInput(input)
                session.commitConfiguration()
            }
        }
        XCTAssertTrue(output.isDepthDataDeliverySupported)
        XCTAssertFalse(output.isDepthDataDeliveryEnabled)
        XCTAssertTrue(reported.withLock { $0 }.contains(false))
        XCTAssertEqual(reported.withLock { $0 }.last, true)
        observation.invalidate()
    }
}
