import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Photos that a camera captures beside its stream.
final class StillCaptureTests: XCTestCase {
    /// A session of a phone's camera at 640x480, with photos of up to 960x720.
    private struct Setup {
        let fixture: CaptureFixture
        let session: AVCaptureSession
        let output: AVCapturePhotoOutput

        init() throws {
            fixture = try CaptureFixture(profile: "phone") { profile in
                for index in profile.devices.indices {
                    guard case .camera(var camera) = profile.devices[index] else { continue }
                    for format in camera.formats.indices where camera.formats[format].dimensions.width == 640 {
                        camera.formats[format].photoDimensions = [
                            camera.formats[format].dimensions, CMVideoDimensions(width: 960, height: 720),
                        ]
                    }
                    profile.devices[index] = .camera(camera)
                }
            }
            let output = fixture.inSystem { AVCapturePhotoOutput() }
            self.output = output
            session = try fixture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        }

        func start() {
            session.startRunning()
            fixture.advance(milliseconds: 1010)
        }

        func bracket(_ exposures: [AVCaptureBracketedStillImageSettings]) -> AVCapturePhotoBracketSettings {
            fixture.inSystem {
                AVCapturePhotoBracketSettings(
                    rawPixelFormatType: 0,
                    processedFormat: [
                        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
                    ], bracketedSettings: exposures)
            }
        }
    }

    private func automatic(_ biases: [Float]) -> [AVCaptureBracketedStillImageSettings] {
        biases.map { AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0) }
    }

    func testEachOfThreeRequestsAtOnceHasAnExposureOfItsOwn() throws {
        let setup = try Setup()
        setup.start()
        let listeners = (0..<3).map { _ in RecordingPhotos() }
        for listener in listeners { setup.output.capturePhoto(with: AVCapturePhotoSettings(), delegate: listener) }
        setup.fixture.advance(milliseconds: 200)
        for listener in listeners { XCTAssertEqual(listener.events, ["begin", "will", "did", "photo", "end"]) }
        let photos = try listeners.map { try XCTUnwrap($0.photos.first) }
        let times = photos.map(\.timestamp.seconds)
        for (earlier, later) in zip(times, times.dropFirst()) {
            XCTAssertEqual(later - earlier, 1.0 / 30, accuracy: 1e-6)
        }
        XCTAssertEqual(Set(photos.map { $0.fileDataRepresentation() }).count, 3)
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testAPhotoCanBeLargerThanTheStream() throws {
        let setup = try Setup()
        let large = CMVideoDimensions(width: 960, height: 720)
        XCTAssertEqual(setup.output.maxPhotoDimensions.pixelSize, PixelSize(width: 640, height: 480))
        setup.output.maxPhotoDimensions = large
        setup.start()
        for (size, expected) in [(large, (960, 720)), (CMVideoDimensions(width: 0, height: 0), (640, 480))] {
            let settings = AVCapturePhotoSettings()
            settings.maxPhotoDimensions = size
            let photos = RecordingPhotos()
            setup.output.capturePhoto(with: settings, delegate: photos)
            setup.fixture.advance(milliseconds: 200)
            let photo = try XCTUnwrap(photos.photos.first)
            XCTAssertEqual(Int(photo.resolvedSettings.photoDimensions.width), expected.0)
            let file = try XCTUnwrap(photo.fileDataRepresentation())
            let header = try JPEGCodec().header(of: file)
            XCTAssertEqual([header.width, header.height], [expected.0, expected.1])
            XCTAssertEqual(try JPEGSegments(file).exif()?.pixelWidth, expected.0)
        }
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testABracketHasAPhotoForEachExposure() throws {
        let setup = try Setup()
        XCTAssertEqual(setup.output.maxBracketedCapturePhotoCount, 3)
        setup.start()
        let exposures = automatic([-1, 0, 1])
        let photos = RecordingPhotos()
        setup.output.capturePhoto(with: setup.bracket(exposures), delegate: photos)
        setup.fixture.advance(milliseconds: 300)
        XCTAssertEqual(photos.events, ["begin", "will", "photo", "photo", "did", "photo", "end"])
        XCTAssertEqual(photos.photos.map(\.photoCount), [1, 2, 3])
        XCTAssertEqual(photos.photos.map(\.sequenceCount), [1, 2, 3])
        XCTAssertEqual(photos.photos.map(\.resolvedSettings.expectedPhotoCount), [3, 3, 3])
        for (photo, exposure) in zip(photos.photos, exposures) { XCTAssertTrue(photo.bracketSettings === exposure) }
        let products = try photos.photos.map { photo in
            let exif = try XCTUnwrap(photo.metadata["{Exif}"] as? [String: Any])
            return try XCTUnwrap(exif["ExposureTime"] as? Double)
                * Double(XCTUnwrap((exif["ISOSpeedRatings"] as? [Int])?.first))
        }
        XCTAssertEqual(products[1] / products[0], 2, accuracy: 0.1)
        XCTAssertEqual(products[2] / products[1], 2, accuracy: 0.1)
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testBracketsThatTheCameraCannotCaptureAreMisuse() throws {
        let setup = try Setup()
        setup.start()
        let manual = { (seconds: Double, iso: Float) in
            [
                AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
                    exposureDuration: CMTime(seconds: seconds, preferredTimescale: 1_000_000), iso: iso)
            ]
        }
        let rejected: [(String, [AVCaptureBracketedStillImageSettings])] = [
            ("4 bracketedSettings exceed", automatic([-2, -1, 1, 2])), ("exposureTargetBias 9.0", automatic([0, 9])),
            ("exposureDuration 2.0 s", manual(2, 100)), ("ISO 10.0", manual(0.01, 10)),
        ]
        for (text, exposures) in rejected {
            let settings = setup.bracket(exposures)
            let message = setup.fixture.assertMisuse(.invalidArgument) {
                setup.output.capturePhoto(with: settings, delegate: RecordingPhotos())
            }
            XCTAssertTrue(message.contains(text), message)
        }
        setup.session.stopRunning()
    }

    /// The callbacks of a capture that ends after its first exposure, or before it.
    func testACaptureThatFailsReceivesAllExpectedPhotosAndTheLastCallbackOnce() throws {
        typealias End = (Setup) throws -> Void
        let ends: [(AVError.Code, End)] = [
            (.sessionNotRunning, { $0.session.stopRunning() }),
            (.sessionWasInterrupted, { $0.fixture.system.interruptions.begin(.notAvailableInBackground) }),
            (.deviceWasDisconnected, { try $0.fixture.host.disconnect(uniqueID: "phone.back-wide") }),
            (.sessionConfigurationChanged, { $0.session.removeOutput($0.output) }),
            (.sessionConfigurationChanged, { $0.session.sessionPreset = .hd1280x720 }),
        ]
        for (code, end) in ends {
            for (count, milliseconds) in [(1, 0), (3, 0), (3, 40)] {
                let setup = try Setup()
                setup.start()
                let photos = RecordingPhotos()
                let settings = count == 1 ? AVCapturePhotoSettings() : setup.bracket(automatic([-1, 0, 1]))
                setup.output.capturePhoto(with: settings, delegate: photos)
                setup.fixture.advance(milliseconds: milliseconds)
                let captured = milliseconds == 0 ? 0 : 1
                try end(setup)
                setup.fixture.advance(milliseconds: 300)
                let expected =
                    ["begin"] + (captured > 0 ? ["will"] : []) + [String](repeating: "photo", count: captured)
                    + [String](repeating: "error", count: count - captured) + ["end"]
                XCTAssertEqual(photos.events, expected, "\(code), \(count) exposures, \(captured) captured")
                XCTAssertEqual(photos.errors.map { $0?.code }, [code])
                XCTAssertEqual(photos.photos.map(\.photoCount), Array(1...count))
                setup.fixture.system.interruptions.end(.notAvailableInBackground)
                setup.session.stopRunning()
            }
        }
    }

    func testZeroShutterLagUsesAFrameFromBeforeTheRequest() throws {
        let setup = try Setup()
        XCTAssertTrue(setup.output.isZeroShutterLagSupported)
        XCTAssertFalse(setup.output.isResponsiveCaptureSupported)
        setup.output.isZeroShutterLagEnabled = true
        XCTAssertTrue(setup.output.isResponsiveCaptureSupported)
        setup.start()
        let requested = setup.fixture.clock.now
        let speed = AVCapturePhotoSettings()
        speed.photoQualityPrioritization = .speed
        let listeners = (0..<3).map { _ in RecordingPhotos() }
        for (listener, settings) in zip(listeners, [AVCapturePhotoSettings(), AVCapturePhotoSettings(), speed]) {
            setup.output.capturePhoto(with: settings, delegate: listener)
        }
        setup.fixture.advance(milliseconds: 200)
        let times = try listeners.map { try XCTUnwrap($0.photos.first).timestamp }
        XCTAssertLessThanOrEqual(times[0], requested)
        XCTAssertGreaterThan(times[0].seconds, requested.seconds - 1.0 / 30 - 1e-6)
        XCTAssertGreaterThan(times[1], times[0], "each photo has an exposure of its own")
        XCTAssertGreaterThan(times[2], times[1])
        setup.output.isZeroShutterLagEnabled = false
        XCTAssertFalse(setup.output.isResponsiveCaptureSupported)
        setup.session.stopRunning()
        setup.fixture.assertNoMisuse()
    }

    func testFastCapturePrioritizationRequiresResponsiveCapture() throws {
        let setup = try Setup()
        for enable in [
            { $0.isResponsiveCaptureEnabled = true }, { $0.isFastCapturePrioritizationEnabled = true },
        ] as [(AVCapturePhotoOutput) -> Void] {
            setup.fixture.assertMisuse(.invalidArgument) { enable(setup.output) }
        }
        setup.output.isZeroShutterLagEnabled = true
        setup.output.isResponsiveCaptureEnabled = true
        setup.output.isFastCapturePrioritizationEnabled = true
        XCTAssertTrue(setup.output.isFastCapturePrioritizationEnabled)
        setup.output.isZeroShutterLagEnabled = false
        XCTAssertFalse(setup.output.isFastCapturePrioritizationEnabled)
        setup.fixture.assertNoMisuse()
    }
}
