import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

/// Tests that the EXIF data of photos describe the frames.
final class PhotoMetadataTests: XCTestCase {
    /// A running session that takes JPEG photos.
    private struct Capture {
        var fixture: CaptureFixture
        var session: AVCaptureSession
        var output: AVCapturePhotoOutput
        var device: AVCaptureDevice

        func exif(_ settings: AVCapturePhotoSettings = AVCapturePhotoSettings()) throws -> EXIF {
            let photos = RecordingPhotos()
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 1500)
            fixture.assertNoMisuse()
            let file = try XCTUnwrap(photos.photos.first?.fileDataRepresentation())
            return try XCTUnwrap(JPEGSegments(file).exif())
        }
    }

    private func start(_ camera: String = "phone.back-wide", scene: SimScene = .chart) throws -> Capture {
        let fixture = try CaptureFixture(profile: "phone", scene: scene)
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 110)
        return Capture(fixture: fixture, session: session, output: output, device: try fixture.device(camera))
    }

    private func set(_ device: AVCaptureDevice, _ change: () -> Void) throws {
        try device.lockForConfiguration()
        change()
        device.unlockForConfiguration()
    }

    private func numbers(_ exif: EXIF, _ key: String) -> [Double]? {
        switch exif.additional[key] {
        case .numbers(let values): values
        case .integers(let values): values.map(Double.init)
        case .text, nil: nil
        }
    }

    func testTheEquivalentFocalLengthContainsTheDigitalZoom() throws {
        let capture = try start()
        let wide = try capture.exif()
        XCTAssertEqual(wide.equivalentFocalLengthMillimeters, 24)
        XCTAssertNil(wide.additional[kCGImagePropertyExifDigitalZoomRatio])
        try set(capture.device) { capture.device.videoZoomFactor = 2.5 }
        let near = try capture.exif()
        XCTAssertEqual(near.equivalentFocalLengthMillimeters, 60)
        XCTAssertEqual(near.focalLengthMillimeters ?? 0, 6.86, accuracy: 1e-5)
        XCTAssertEqual(numbers(near, kCGImagePropertyExifDigitalZoomRatio)?.first ?? 0, 2.5, accuracy: 1e-5)
        let connection = try XCTUnwrap(capture.output.connection(with: .video))
        connection.videoScaleAndCropFactor = 2
        let cropped = try capture.exif()
        XCTAssertEqual(cropped.equivalentFocalLengthMillimeters, 120)
        XCTAssertEqual(numbers(cropped, kCGImagePropertyExifDigitalZoomRatio)?.first ?? 0, 5, accuracy: 1e-5)
    }

    func testTheLensOfAVirtualCameraIsThatOfTheFrame() throws {
        let capture = try start("phone.back-triple")
        let ultraWide = try capture.exif()
        XCTAssertEqual(ultraWide.equivalentFocalLengthMillimeters, 13)
        XCTAssertEqual(ultraWide.focalLengthMillimeters ?? 0, 2.22, accuracy: 1e-5)
        XCTAssertEqual(numbers(ultraWide, kCGImagePropertyExifLensSpecification), [2.22, 9, 1.78, 2.8])
        try set(capture.device) { capture.device.videoZoomFactor = 2 }
        let wide = try capture.exif()
        XCTAssertEqual(wide.focalLengthMillimeters ?? 0, 6.86, accuracy: 1e-5)
        XCTAssertEqual(wide.equivalentFocalLengthMillimeters, 26)
        XCTAssertEqual(
            numbers(wide, kCGImagePropertyExifDigitalZoomRatio)?.first ?? 0, 2 * 13 / 24.0, accuracy: 1e-4)
        XCTAssertEqual(wide.aperture ?? 0, 1.78, accuracy: 1e-5)
    }

    func testTheBiasIsThatOfTheFrame() throws {
        /// Changes the bias after the exposure, before the photo is processed.
        final class Changing: AVCapturePhotoCaptureDelegate, Sendable {
            let file = Lock<Data?>(nil)
            let change: @Sendable () -> Void

            init(_ change: @escaping @Sendable () -> Void) { self.change = change }

            func photoOutput(
                _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
            ) { change() }

            func photoOutput(
                _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
            ) { file.withLock { $0 = photo.fileDataRepresentation() } }
        }
        let capture = try start()
        let device = capture.device
        try set(device) { device.setExposureTargetBias(1) }
        capture.fixture.advance(milliseconds: 2000)
        let photos = Changing {
            guard (try? device.lockForConfiguration()) != nil else { return }
            device.setExposureTargetBias(-2)
            device.unlockForConfiguration()
        }
        capture.output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        capture.fixture.advance(milliseconds: 500)
        XCTAssertEqual(device.exposureTargetBias, -2)
        let file = try XCTUnwrap(photos.file.withLock { $0 })
        XCTAssertEqual(try JPEGSegments(file).exif()?.exposureBias, 1)
    }

    func testTheExposureProgramAndTheWhiteBalanceAreThoseOfTheDevice() throws {
        let capture = try start()
        let automatic = try capture.exif()
        XCTAssertEqual(automatic.whiteBalance, .automatic)
        XCTAssertEqual(numbers(automatic, kCGImagePropertyExifExposureProgram), [2])
        XCTAssertEqual(numbers(automatic, kCGImagePropertyExifExposureMode), [0])
        XCTAssertEqual(numbers(automatic, kCGImagePropertyExifMeteringMode), [5])
        XCTAssertEqual(numbers(automatic, kCGImagePropertyExifSubjectArea), [320, 240, 352, 211])
        XCTAssertEqual(numbers(automatic, kCGImagePropertyExifSceneType), [1])
        let time = try XCTUnwrap(automatic.exposureTime)
        let (shutter, aperture) = (-log2(time), 2 * log2(1.78))
        XCTAssertEqual(
            numbers(automatic, kCGImagePropertyExifShutterSpeedValue)?.first ?? 0, shutter, accuracy: 1e-4)
        XCTAssertEqual(numbers(automatic, kCGImagePropertyExifApertureValue)?.first ?? 0, aperture, accuracy: 1e-4)
        let sensitivity = log2(capture.device.iso.asDouble / 3.125)
        XCTAssertEqual(
            numbers(automatic, kCGImagePropertyExifBrightnessValue)?.first ?? 0, aperture + shutter - sensitivity,
            accuracy: 0.05)
        try set(capture.device) {
            capture.device.exposurePointOfInterest = CGPoint(x: 0.25, y: 0.75)
            capture.device.exposureMode = .continuousAutoExposure
            capture.device.whiteBalanceMode = .locked
        }
        let spot = try capture.exif()
        XCTAssertEqual(spot.whiteBalance, .manual)
        XCTAssertEqual(numbers(spot, kCGImagePropertyExifMeteringMode), [3])
        XCTAssertEqual(numbers(spot, kCGImagePropertyExifSubjectArea), [160, 360, 64, 86])
        try set(capture.device) {
            capture.device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 100), iso: 200)
        }
        let manual = try capture.exif()
        XCTAssertEqual(numbers(manual, kCGImagePropertyExifExposureProgram), [1])
        XCTAssertEqual(numbers(manual, kCGImagePropertyExifExposureMode), [1])
        XCTAssertNil(manual.additional[kCGImagePropertyExifBrightnessValue])
    }

    func testTheSubjectIsTheLargestFace() throws {
        let area = try XCTUnwrap(numbers(start(scene: .portrait).exif(), kCGImagePropertyExifSubjectArea))
        XCTAssertLessThan(area[2], 352)
        XCTAssertGreaterThan(area[2], 20)
    }

    func testAPhotoWithoutTheRequestedDepthIsLogged() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart)
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-dual-wide", microphone: nil, preset: .vga640x480, [output])
        output.isDepthDataDeliveryEnabled = true
        session.startRunning()
        fixture.advance(milliseconds: 110)
        let photos = RecordingPhotos()
        let settings = AVCapturePhotoSettings()
        settings.isDepthDataDeliveryEnabled = true
        let entries = try CaptureLog.entries("photo") {
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 2000)
        }
        XCTAssertNil(photos.photos.first?.depthData)
        let message = "has no depth at zoom factor 1.0, so the photo has none"
        XCTAssertTrue(entries.contains { $0.message.contains(message) })
    }
}

extension Float {
    fileprivate var asDouble: Double { Double(self) }
}
