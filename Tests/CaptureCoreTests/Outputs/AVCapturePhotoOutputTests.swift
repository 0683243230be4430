import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import RecordedDevices
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCapturePhotoOutputTests: XCTestCase {
    private func makeSession(
        _ fixture: CaptureFixture, camera: String = CaptureFixture.camera, preset: AVCaptureSession.Preset = .low
    )
        throws -> (AVCaptureSession, AVCapturePhotoOutput)
    {
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(camera: camera, microphone: nil, preset: preset, [output])
        return (session, output)
    }

    func testTheCallbacksOfACaptureAreCalledOnceInOrder() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let photos = RecordingPhotos()
        session.startRunning()
        fixture.advance(milliseconds: 110)
        let settings = AVCapturePhotoSettings()
        output.capturePhoto(with: settings, delegate: photos)
        fixture.clock.settle()
        XCTAssertEqual(photos.events, ["begin"])
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "end"])
        let photo = try XCTUnwrap(photos.photos.first)
        XCTAssertEqual(photo.resolvedSettings.uniqueID, settings.uniqueID)
        XCTAssertEqual(photo.resolvedSettings.photoDimensions.pixelSize, PixelSize(width: 320, height: 240))
        XCTAssertEqual(photo.photoCount, 1)
        // The first frame after the request: the fifth, at 4/30 s.
        XCTAssertEqual(photo.timestamp.seconds, 4.0 / 30, accuracy: 1e-6)
        let decoded = try JPEGCodec().decode(XCTUnwrap(photo.fileDataRepresentation())).pixels
        XCTAssertEqual(FrameMarker.read(from: decoded)?.counter, 4)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testTheFileAndTheMetadataDescribeTheCapture() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.back-wide", preset: .vga640x480)
        let photos = RecordingPhotos()
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        output.connection(with: .video)?.videoOrientation = .portrait
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 100)
        let photo = try XCTUnwrap(photos.photos.first)
        let exif = try XCTUnwrap(JPEGSegments(XCTUnwrap(photo.fileDataRepresentation())).exif())
        XCTAssertEqual(exif.make, "Obscura")
        XCTAssertEqual(exif.model, "sim-phone-wide-1")
        XCTAssertEqual(exif.aperture ?? 0, 1.78, accuracy: 0.001)
        XCTAssertEqual(exif.focalLengthMillimeters ?? 0, 6.86, accuracy: 0.001)
        XCTAssertEqual(exif.equivalentFocalLengthMillimeters, 24)
        XCTAssertEqual(exif.orientation, .right)
        XCTAssertEqual(exif.originalTime?.year, 2026)
        XCTAssertEqual(exif.originalTime?.second, 2)
        XCTAssertEqual(exif.pixelWidth, 640)
        XCTAssertEqual(exif.pixelHeight, 480)
        let device = try fixture.device("phone.back-wide")
        XCTAssertEqual(exif.exposureTime ?? 0, device.exposureDuration.seconds, accuracy: 1e-4)
        XCTAssertEqual(exif.iso ?? 0, Int(device.iso.rounded()))
        XCTAssertEqual(exif.exposureBias, 0)
        let properties = photo.metadata
        XCTAssertEqual((properties["{Exif}"] as? [String: Any])?["FNumber"] as? Double, exif.aperture)
        XCTAssertEqual((properties["{TIFF}"] as? [String: Any])?["Make"] as? String, "Obscura")
        XCTAssertEqual(properties["Orientation"] as? Int, 6)
        session.stopRunning()
    }

    /// Returns the EXIF of a photo that is captured about 1 s after the start of a file, which plays in virtual time.
    private func exif(ofPhotoFrom path: String) throws -> EXIF {
        let fixture = try CaptureFixture { clock in [try MediaFileHost(path: path, clock: clock)] }
        let name = URL(fileURLWithPath: path).lastPathComponent
        let (session, output) = try makeSession(fixture, camera: "file:\(name):camera", preset: .high)
        let photos = RecordingPhotos()
        session.startRunning()
        fixture.advance(milliseconds: 950)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 200)
        session.stopRunning()
        let photo = try XCTUnwrap(photos.photos.first)
        return try XCTUnwrap(JPEGSegments(XCTUnwrap(photo.fileDataRepresentation())).exif())
    }

    /// A movie of three seconds without a date.
    private var undatedMovie: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Media/street-3s.avi")
    }

    func testAPhotoFromAFileHasOnlyKnownMetadata() throws {
        let unknown = try exif(ofPhotoFrom: undatedMovie.path)
        XCTAssertNil(unknown.originalTime, "a file without a date got the virtual clock's date")
        XCTAssertNil(unknown.flash, "it is unknown whether a flash fired")
        XCTAssertEqual(unknown.pixelWidth, 768)

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        let dated = folder.appendingPathComponent("dated.mov")
        let ffmpeg = Process()
        ffmpeg.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        ffmpeg.arguments =
            ["ffmpeg", "-nostdin", "-v", "error", "-i", undatedMovie.path, "-c", "copy"]
            + ["-metadata", "creation_time=2019-05-06T07:08:09Z", dated.path]
        ffmpeg.standardInput = FileHandle.nullDevice
        try ffmpeg.run()
        ffmpeg.waitUntilExit()
        XCTAssertEqual(ffmpeg.terminationStatus, 0)
        let known = try exif(ofPhotoFrom: dated.path)
        XCTAssertEqual(known.originalTime?.year, 2019)
        XCTAssertEqual(known.originalTime?.minute, 8)
        XCTAssertEqual(known.originalTime?.second, 10, "the photo is from one second after the start of the file")
    }

    func testACameraWithAFlashReportsThatItDidNotFire() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.back-wide", preset: .vga640x480)
        let photos = RecordingPhotos()
        session.startRunning()
        fixture.advance(milliseconds: 110)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 200)
        session.stopRunning()
        let data = try XCTUnwrap(photos.photos.first?.fileDataRepresentation())
        XCTAssertEqual(try XCTUnwrap(JPEGSegments(data).exif()).flash?.fired, false)
    }

    func testTheFormatMustSupportTheMaximumDimensions() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let unconnected = fixture.inSystem { AVCapturePhotoOutput() }
        XCTAssertEqual(unconnected.maxPhotoDimensions.pixelSize, PixelSize(width: 0, height: 0))
        let early = fixture.assertMisuse(.invalidArgument) {
            unconnected.maxPhotoDimensions = CMVideoDimensions(width: 640, height: 480)
        }
        XCTAssertTrue(early.contains("May not be set until connected"), early)

        let (session, output) = try makeSession(fixture, camera: "phone.back-wide", preset: .vga640x480)
        let supported = try fixture.device("phone.back-wide").activeFormat.supportedMaxPhotoDimensions
        let (smallest, largest) = try (XCTUnwrap(supported.first), XCTUnwrap(supported.last))
        XCTAssertEqual(largest.pixelSize, PixelSize(width: 4032, height: 3024))
        XCTAssertEqual(output.maxPhotoDimensions.pixelSize, smallest.pixelSize)
        let odd = fixture.assertMisuse(.invalidArgument) {
            output.maxPhotoDimensions = CMVideoDimensions(width: 641, height: 480)
        }
        XCTAssertTrue(odd.contains("641x480"), odd)
        XCTAssertEqual(output.maxPhotoDimensions.pixelSize, smallest.pixelSize)

        session.startRunning()
        fixture.advance(milliseconds: 110)
        let photos = RecordingPhotos()
        let settings = AVCapturePhotoSettings()
        settings.maxPhotoDimensions = largest
        XCTAssertEqual(AVCapturePhotoSettings(from: settings).maxPhotoDimensions.pixelSize, largest.pixelSize)
        fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: photos) }
        output.maxPhotoDimensions = largest
        XCTAssertEqual(output.maxPhotoDimensions.pixelSize, largest.pixelSize)
        settings.maxPhotoDimensions = CMVideoDimensions(width: 641, height: 480)
        fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: photos) }
        settings.maxPhotoDimensions = largest
        output.capturePhoto(with: settings, delegate: photos)
        fixture.advance(milliseconds: 300)
        XCTAssertEqual(photos.photos.count, 1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testEachOrientationIsWrittenAndThePixelsAreNotRotated() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let connection = try XCTUnwrap(output.connection(with: .video))
        connection.automaticallyAdjustsVideoMirroring = false
        session.startRunning()
        let expected: [CGImagePropertyOrientation] = [
            .up, .right, .down, .left, .upMirrored, .leftMirrored, .downMirrored, .rightMirrored,
        ]
        for (index, orientation) in expected.enumerated() {
            let photos = RecordingPhotos()
            connection.videoRotationAngle = CGFloat(index % 4 * 90)
            connection.isVideoMirrored = index >= 4
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
            fixture.advance(milliseconds: 70)
            let file = try XCTUnwrap(photos.photos.first?.fileDataRepresentation())
            XCTAssertEqual(try JPEGSegments(file).exif()?.orientation, orientation)
            XCTAssertEqual(try JPEGCodec().decode(file).pixels.width, 320)
        }
        session.stopRunning()
    }

    func testAnUncompressedPhotoHasPixelsInTheRequestedFormatAndNoFile() throws {
        for format in [
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        ] {
            let fixture = try CaptureFixture()
            let (session, output) = try makeSession(fixture)
            let photos = RecordingPhotos()
            session.startRunning()
            output.capturePhoto(
                with: AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey: format]), delegate: photos)
            fixture.advance(milliseconds: 100)
            let photo = try XCTUnwrap(photos.photos.first)
            let pixels = try XCTUnwrap(photo.pixelBuffer)
            XCTAssertEqual(CVPixelBufferGetPixelFormatType(pixels), format)
            XCTAssertEqual(FrameMarker.read(from: pixels)?.counter, 0)
            XCTAssertNil(photo.fileDataRepresentation())
            session.stopRunning()
        }
    }

    func testAStoppedCaptureFinishesWithAnErrorAndAnEmptyPhoto() throws {
        let ends: [(AVError.Code, (CaptureFixture, AVCaptureSession, AVCaptureOutput) throws -> Void)] = [
            (.sessionNotRunning, { _, session, _ in session.stopRunning() }),
            (
                .sessionWasInterrupted,
                { fixture, _, _ in fixture.system.interruptions.begin(.notAvailableInBackground) }
            ),
            (.deviceWasDisconnected, { fixture, _, _ in try fixture.host.disconnect(uniqueID: CaptureFixture.camera) }),
            (.sessionConfigurationChanged, { _, session, output in session.removeOutput(output) }),
            (.sessionConfigurationChanged, { _, session, _ in session.sessionPreset = .vga640x480 }),
        ]
        for (code, end) in ends {
            let fixture = try CaptureFixture()
            let (session, output) = try makeSession(fixture)
            let photos = RecordingPhotos()
            session.startRunning()
            fixture.advance(milliseconds: 10)
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
            try end(fixture, session, output)
            fixture.advance(milliseconds: 200)
            XCTAssertEqual(photos.events, ["begin", "error", "end"], "\(code)")
            XCTAssertEqual(photos.errors.map { $0?.code }, [code])
            XCTAssertNil(photos.photos.first?.fileDataRepresentation())
            fixture.system.interruptions.end(.notAvailableInBackground)
            session.stopRunning()
        }
    }

    func testUsedOrUnsupportedSettingsAreMisuse() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let photos = RecordingPhotos()
        session.startRunning()
        let settings = AVCapturePhotoSettings()
        output.capturePhoto(with: settings, delegate: photos)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(photos.events.count, 5)
        fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: photos) }
        var wrong: [AVCapturePhotoSettings] = [
            AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc]),
            AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_24RGB]),
        ]
        for change in [
            { $0.flashMode = .on }, { $0.isHighResolutionPhotoEnabled = true },
            { $0.photoQualityPrioritization = .quality },
        ] as [(AVCapturePhotoSettings) -> Void] {
            let settings = AVCapturePhotoSettings()
            change(settings)
            wrong.append(settings)
        }
        for settings in wrong {
            fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: photos) }
        }
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(photos.events.count, 5)
        // Copies have a new identifier, and settings that were rejected can be used again.
        output.isHighResolutionCaptureEnabled = true
        output.maxPhotoQualityPrioritization = .quality
        for settings in [AVCapturePhotoSettings(from: settings), wrong[3], wrong[4]] {
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 100)
        }
        XCTAssertEqual(photos.events.count, 20)
        fixture.assertNoMisuse()
        session.stopRunning()
    }

    func testSettingsThatAreRejectedAfterTheEndOfTheSourceCanBeUsedAgain() throws {
        let path = undatedMovie.path
        let fixture = try CaptureFixture { clock in [try MediaFileHost(path: path, clock: clock)] }
        let (session, output) = try makeSession(fixture, camera: "file:street-3s.avi:camera", preset: .high)
        let photos = RecordingPhotos()
        session.startRunning()
        fixture.advance(milliseconds: 4000)
        let settings = AVCapturePhotoSettings()
        let message = fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: photos) }
        XCTAssertTrue(message.contains("the source of the video connection ended"), message)
        // The next start plays the file again.
        session.stopRunning()
        session.startRunning()
        output.capturePhoto(with: settings, delegate: photos)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(photos.photos.count, 1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testACaptureRequiresARunningSessionAndAnActiveEnabledConnection() throws {
        let fixture = try CaptureFixture()
        let photos = RecordingPhotos()
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let message = fixture.assertMisuse(.invalidArgument) {
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        }
        XCTAssertTrue(message.contains("No active and enabled video connection"), message)
        let audio = fixture.inSystem { AVCaptureAudioDataOutput() }
        let session = try fixture.makeSession([output, audio])
        fixture.assertMisuse(.invalidArgument) {
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        }
        session.startRunning()
        output.connection(with: .video)?.isEnabled = false
        fixture.assertMisuse(.invalidArgument) {
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        }
        output.connection(with: .video)?.isEnabled = true
        // The microphone keeps the session running when the camera is disconnected.
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertTrue(session.isRunning)
        fixture.assertMisuse(.invalidArgument) {
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        }
        XCTAssertEqual(photos.events, [])
        session.stopRunning()
    }

    func testACaptureEndsWhenItsConnectionIsDisabled() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let photos = RecordingPhotos()
        session.startRunning()
        fixture.advance(milliseconds: 10)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        output.connection(with: .video)?.isEnabled = false
        fixture.clock.settle()
        XCTAssertEqual(photos.events, ["begin", "error", "end"])
        session.stopRunning()
        fixture.clock.settle()
        XCTAssertEqual(photos.events, ["begin", "error", "end"])
    }

    func testSimultaneousCapturesEachReceiveAllCallbacks() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        let listeners = (0..<3).map { _ in RecordingPhotos() }
        session.startRunning()
        for listener in listeners { output.capturePhoto(with: AVCapturePhotoSettings(), delegate: listener) }
        fixture.advance(milliseconds: 100)
        for listener in listeners { XCTAssertEqual(listener.events, ["begin", "will", "did", "photo", "end"]) }
        session.stopRunning()
    }

    func testLaterChangesOfSettingsDoNotAffectTheCapture() throws {
        func photoData(_ change: (AVCapturePhotoSettings) -> Void) throws -> Data {
            let fixture = try CaptureFixture()
            let (session, output) = try makeSession(fixture)
            let photos = RecordingPhotos()
            session.startRunning()
            fixture.advance(milliseconds: 110)
            let settings = AVCapturePhotoSettings()
            settings.photoQualityPrioritization = .speed
            output.capturePhoto(with: settings, delegate: photos)
            change(settings)
            fixture.advance(milliseconds: 200)
            XCTAssertEqual(photos.photos.first?.resolvedSettings.uniqueID, settings.uniqueID)
            // The settings were used, whether they were changed or not.
            fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: photos) }
            session.stopRunning()
            return try XCTUnwrap(photos.photos.first?.fileDataRepresentation())
        }
        XCTAssertEqual(try photoData { _ in }, try photoData { $0.photoQualityPrioritization = .balanced })
    }
}
