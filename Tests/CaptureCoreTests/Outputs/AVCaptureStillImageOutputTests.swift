import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureStillImageOutputTests: XCTestCase {
    /// The results of captures, in the order of the calls.
    private final class Stills: Sendable {
        private let results = Lock<[(sample: CMSampleBuffer?, error: AVError?)]>([])

        var samples: [CMSampleBuffer?] { results.withLock { $0.map(\.sample) } }
        var errors: [AVError.Code?] { results.withLock { $0.map { $0.error?.code } } }

        func capture(_ output: AVCaptureStillImageOutput) throws {
            let connection = try XCTUnwrap(output.connection(with: .video))
            output.captureStillImageAsynchronously(from: connection) { [results] sample, error in
                results.withLock { $0.append((sample, error as? AVError)) }
            }
        }
    }

    private func makeSession(
        _ fixture: CaptureFixture, camera: String = CaptureFixture.camera, preset: AVCaptureSession.Preset = .low
    ) throws -> (AVCaptureSession, AVCaptureStillImageOutput) {
        let output = fixture.inSystem { AVCaptureStillImageOutput() }
        return (try fixture.makeSession(camera: camera, microphone: nil, preset: preset, [output]), output)
    }

    func testAStillIsAJPEGImageOfTheNextFrameWithItsMetadataAsAttachments() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.back-wide", preset: .vga640x480)
        XCTAssertEqual(output.outputSettings[AVVideoCodecKey] as? String, AVVideoCodecJPEG)
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        output.connection(with: .video)?.videoOrientation = .portrait
        let stills = Stills()
        try stills.capture(output)
        fixture.advance(milliseconds: 100)
        let sample = try XCTUnwrap(stills.samples.first ?? nil)
        XCTAssertGreaterThanOrEqual(sample.presentationTimeStamp.seconds, 2)
        XCTAssertNil(sample.imageBuffer)
        XCTAssertEqual(sample.formatDescription?.mediaSubType.rawValue, kCMVideoCodecType_JPEG)
        let exif = try XCTUnwrap(
            CMGetAttachment(sample, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil) as? [String: Any])
        XCTAssertEqual(exif[kCGImagePropertyExifFNumber] as? Double ?? 0, 1.78, accuracy: 0.001)
        XCTAssertEqual(exif[kCGImagePropertyExifPixelXDimension] as? Int, 640)
        XCTAssertEqual(exif[kCGImagePropertyExifDateTimeOriginal] as? String, "2026:01:01 12:00:02")
        XCTAssertEqual(
            CMGetAttachment(sample, key: kCGImagePropertyOrientation, attachmentModeOut: nil) as? Int, 6)

        let file = try XCTUnwrap(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample))
        let written = try XCTUnwrap(JPEGSegments(file).exif())
        XCTAssertEqual(written.orientation, .right)
        XCTAssertEqual(written.model, "sim-phone-wide-1")
        XCTAssertEqual(written.originalTime?.second, 2)
        XCTAssertEqual(try JPEGCodec().decode(file).pixels.width, 640)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testChangedAttachmentsAreWrittenAndTheImageIsNotCompressedAgain() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        session.startRunning()
        let stills = Stills()
        try stills.capture(output)
        fixture.advance(milliseconds: 100)
        let sample = try XCTUnwrap(stills.samples.first ?? nil)
        let unchanged = try XCTUnwrap(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample))
        var exif = try XCTUnwrap(
            CMGetAttachment(sample, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil) as? [String: Any])
        exif[kCGImagePropertyExifLensModel] = "A lens"
        CMSetAttachment(
            sample, key: kCGImagePropertyExifDictionary, value: exif, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        let position: [String: Any] = [
            kCGImagePropertyGPSLatitude: 52.5, kCGImagePropertyGPSLatitudeRef: "N",
            kCGImagePropertyGPSLongitude: 13.25, kCGImagePropertyGPSLongitudeRef: "W",
        ]
        CMSetAttachment(
            sample, key: kCGImagePropertyGPSDictionary, value: position,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        let changed = try XCTUnwrap(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample))
        let written = try XCTUnwrap(JPEGSegments(changed).exif())
        XCTAssertEqual(written.lensModel, "A lens")
        XCTAssertEqual(written.location?.latitude, 52.5)
        XCTAssertEqual(written.location?.longitude, -13.25)
        var (first, second) = (try JPEGSegments(unchanged), try JPEGSegments(changed))
        try first.setEXIF(nil)
        try second.setEXIF(nil)
        XCTAssertEqual(first.data, second.data)
        session.stopRunning()
    }

    func testTheOutputSettingsSelectPixelsOrACodec() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        XCTAssertEqual(output.availableImageDataCodecTypes, [.jpeg])
        session.startRunning()
        let stills = Stills()
        for format in output.availableImageDataCVPixelFormatTypes {
            output.outputSettings = [kCVPixelBufferPixelFormatTypeKey as String: format]
            try stills.capture(output)
            fixture.advance(milliseconds: 100)
            let sample = try XCTUnwrap(stills.samples.last ?? nil)
            let pixels = try XCTUnwrap(sample.imageBuffer)
            XCTAssertEqual(NSNumber(value: CVPixelBufferGetPixelFormatType(pixels)), format)
            XCTAssertNotNil(FrameMarker.read(from: pixels))
            let misuse = fixture.assertMisuse(.invalidArgument) {
                XCTAssertNil(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample))
            }
            XCTAssertTrue(misuse.contains("jpeg"), misuse)
        }
        XCTAssertEqual(stills.samples.count, 3)
        output.outputSettings = [AVVideoCodecKey: AVVideoCodecJPEG, AVVideoQualityKey: 0.2]
        try stills.capture(output)
        fixture.advance(milliseconds: 100)
        output.outputSettings = [AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoQualityKey: 0.95]
        try stills.capture(output)
        fixture.advance(milliseconds: 100)
        let sizes = stills.samples.suffix(2).map { $0?.dataBuffer?.dataLength ?? 0 }
        XCTAssertLessThan(sizes[0], sizes[1])
        for wrong in [
            [AVVideoCodecKey: AVVideoCodecType.hevc], [AVVideoCodecKey: AVVideoCodecJPEG, AVVideoQualityKey: 2],
            [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_24RGB],
        ] as [[String: Any]] {
            fixture.assertMisuse(.invalidArgument) { output.outputSettings = wrong }
        }
        XCTAssertEqual(output.outputSettings[AVVideoQualityKey] as? Double, 0.95)
        session.stopRunning()
    }

    func testTheStateOfACaptureCanBeObserved() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let changes = Lock<[Bool]>([], order: .client)
        let observation = output.observe(\.isCapturingStillImage, options: .new) { _, change in
            changes.withLock { $0.append(change.newValue ?? false) }
        }
        session.startRunning()
        fixture.advance(milliseconds: 10)
        let stills = Stills()
        XCTAssertFalse(output.isCapturingStillImage)
        try stills.capture(output)
        XCTAssertTrue(output.isCapturingStillImage)
        fixture.advance(milliseconds: 100)
        XCTAssertFalse(output.isCapturingStillImage)
        XCTAssertEqual(changes.withLock { $0 }, [true, false])
        XCTAssertEqual(stills.errors, [nil])
        observation.invalidate()
        session.stopRunning()
    }

    func testTheFlashFollowsTheFlashModeOfTheCamera() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.back-wide", preset: .vga640x480)
        let device = try fixture.device("phone.back-wide")
        session.startRunning()
        fixture.advance(milliseconds: 110)
        let stills = Stills()
        for mode in [AVCaptureDevice.FlashMode.off, .on] {
            try device.lockForConfiguration()
            device.flashMode = mode
            device.unlockForConfiguration()
            try stills.capture(output)
            fixture.advance(milliseconds: 1500)
        }
        let fired = try stills.samples.map { sample in
            let file = try XCTUnwrap(sample?.jpegFile())
            return try JPEGSegments(file).exif()?.flash?.fired
        }
        XCTAssertEqual(fired, [false, true])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testACaptureThatIsStoppedEndsWithAnError() throws {
        let ends: [(AVError.Code, (CaptureFixture, AVCaptureSession, AVCaptureOutput) throws -> Void)] = [
            (.sessionNotRunning, { _, session, _ in session.stopRunning() }),
            (
                .sessionWasInterrupted,
                { fixture, _, _ in fixture.system.interruptions.begin(.notAvailableInBackground) }
            ),
            (.deviceWasDisconnected, { fixture, _, _ in try fixture.host.disconnect(uniqueID: CaptureFixture.camera) }),
            (.sessionConfigurationChanged, { _, session, output in session.removeOutput(output) }),
        ]
        for (code, end) in ends {
            let fixture = try CaptureFixture()
            let (session, output) = try makeSession(fixture)
            session.startRunning()
            fixture.advance(milliseconds: 10)
            let stills = Stills()
            try stills.capture(output)
            try end(fixture, session, output)
            fixture.advance(milliseconds: 200)
            XCTAssertEqual(stills.errors, [code])
            XCTAssertNil(stills.samples[0])
            XCTAssertFalse(output.isCapturingStillImage)
            fixture.system.interruptions.end(.notAvailableInBackground)
            session.stopRunning()
        }
    }

    func testAnInactiveConnectionIsMisuse() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let stills = Stills()
        let message = try fixture.assertMisuse(.invalidArgument) { try stills.capture(output) }
        XCTAssertTrue(message.contains("inactive/invalid connection passed"), message)
        session.startRunning()
        output.connection(with: .video)?.isEnabled = false
        try fixture.assertMisuse(.invalidArgument) { try stills.capture(output) }
        session.stopRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(stills.samples.count, 0)
    }

    func testASessionHasNoPhotoOutputBesideAStillImageOutput() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let photo = fixture.inSystem { AVCapturePhotoOutput() }
        XCTAssertFalse(session.canAddOutput(photo))
        let message = fixture.assertMisuse(.invalidArgument) { session.addOutput(photo) }
        XCTAssertTrue(message.contains("may not both be added"), message)
        session.removeOutput(output)
        session.addOutput(photo)
        XCTAssertFalse(session.canAddOutput(output))
        fixture.assertNoMisuse()
    }

    func testAWebcamSupportsNeitherStabilizationNorBrackets() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        XCTAssertFalse(output.isStillImageStabilizationSupported)
        XCTAssertFalse(output.automaticallyEnablesStillImageStabilizationWhenAvailable)
        XCTAssertFalse(output.isStillImageStabilizationActive)
        XCTAssertFalse(output.isLensStabilizationDuringBracketedCaptureSupported)
        XCTAssertFalse(output.isCameraSensorOrientationCompensationSupported)
        XCTAssertEqual(output.maxBracketedCaptureStillImageCount, 0)
        fixture.assertMisuse(.invalidArgument) {
            output.automaticallyEnablesStillImageStabilizationWhenAvailable = true
        }
        fixture.assertMisuse(.invalidArgument) { output.isLensStabilizationDuringBracketedCaptureEnabled = true }
        fixture.assertMisuse(.invalidArgument) { output.isCameraSensorOrientationCompensationEnabled = true }

        session.startRunning()
        let connection = try XCTUnwrap(output.connection(with: .video))
        let bracket = [-1, 0, 1].map {
            AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        }
        let errors = Lock<[AVError.Code?]>([])
        output.prepareToCaptureStillImageBracket(from: connection, withSettingsArray: bracket) { prepared, error in
            errors.withLock { $0.append(prepared ? nil : (error as? AVError)?.code) }
        }
        output.captureStillImageBracketAsynchronously(
            from: connection, withSettingsArray: bracket
        ) { sample, settings, error in
            guard sample == nil, settings is AVCaptureAutoExposureBracketedStillImageSettings else { return }
            errors.withLock { $0.append((error as? AVError)?.code) }
        }
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(
            errors.withLock { $0 },
            [AVError.Code?](repeating: .maximumStillImageCaptureRequestsExceeded, count: 4))
        let mixed: [AVCaptureBracketedStillImageSettings] =
            bracket + [
                AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
                    exposureDuration: AVCaptureDevice.currentExposureDuration, iso: 100)
            ]
        fixture.assertMisuse(.invalidArgument) {
            output.captureStillImageBracketAsynchronously(from: connection, withSettingsArray: mixed) { _, _, _ in }
        }
        session.stopRunning()
    }

    func testABracketHasAnImageForEachExposure() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.back-wide", preset: .vga640x480)
        XCTAssertEqual(output.maxBracketedCaptureStillImageCount, 3)
        session.startRunning()
        fixture.advance(milliseconds: 1000)
        let connection = try XCTUnwrap(output.connection(with: .video))
        let bracket = [-2, 0, 2].map {
            AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        }
        let results = Lock<[(time: CMTime?, exposure: Double?, settings: AVCaptureBracketedStillImageSettings?)]>([])
        output.captureStillImageBracketAsynchronously(
            from: connection, withSettingsArray: bracket
        ) { sample, settings, _ in
            let exif = sample?.attachments.propagated["{Exif}"] as? [String: Any]
            let iso = (exif?["ISOSpeedRatings"] as? [Int])?.first
            let product = (exif?["ExposureTime"] as? Double).flatMap { time in iso.map { time * Double($0) } }
            results.withLock { $0.append((sample?.presentationTimeStamp, product, settings)) }
        }
        fixture.advance(milliseconds: 200)
        let images = results.withLock { $0 }
        XCTAssertEqual(images.count, 3)
        for (image, settings) in zip(images, bracket) { XCTAssertTrue(image.settings === settings) }
        let exposures = try images.map { try XCTUnwrap($0.exposure) }
        for (darker, brighter) in zip(exposures, exposures.dropFirst()) {
            XCTAssertEqual(brighter / darker, 4, accuracy: 0.4)
        }
        let times = try images.map { try XCTUnwrap($0.time).seconds }
        for (earlier, later) in zip(times, times.dropFirst()) {
            XCTAssertEqual(later - earlier, 1.0 / 30, accuracy: 1e-6)
        }
        session.stopRunning()
        fixture.assertNoMisuse()
    }
}
