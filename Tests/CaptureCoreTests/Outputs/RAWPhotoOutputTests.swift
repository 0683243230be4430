import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests RAW photos, in DNG files.
final class RAWPhotoOutputTests: XCTestCase {
    private let bayer = kCVPixelFormatType_14Bayer_RGGB
    private let proRAW = kCVPixelFormatType_64RGBALE
    private let jpeg: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]

    private struct Capture {
        var fixture: CaptureFixture
        var session: AVCaptureSession
        var output: AVCapturePhotoOutput

        func photos(_ settings: AVCapturePhotoSettings) -> RecordingPhotos {
            let photos = RecordingPhotos()
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 300)
            fixture.assertNoMisuse()
            return photos
        }
    }

    private func start(_ camera: String = "phone.back-wide") throws -> Capture {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart)
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [output])
        output.connection(with: .video)?.videoRotationAngle = 90
        session.startRunning()
        fixture.advance(milliseconds: 300)
        return Capture(fixture: fixture, session: session, output: output)
    }

    func testSingleCamerasWithoutADepthSensorHaveRAW() throws {
        let capture = try start()
        let output = capture.output
        XCTAssertEqual(output.availableRawPhotoPixelFormatTypes, [bayer])
        XCTAssertEqual(output.availableRawPhotoFileTypes, [.dng])
        XCTAssertEqual(output.supportedRawPhotoPixelFormatTypes(for: .dng), [bayer])
        XCTAssertEqual(output.supportedRawPhotoPixelFormatTypes(for: .jpg), [])
        XCTAssertTrue(output.isAppleProRAWSupported)
        XCTAssertFalse(output.isAppleProRAWEnabled)
        output.isAppleProRAWEnabled = true
        XCTAssertEqual(output.availableRawPhotoPixelFormatTypes, [bayer, proRAW])
        for camera in ["phone.back-triple", "phone.front-true-depth"] {
            let capture = try start(camera)
            XCTAssertEqual(capture.output.availableRawPhotoPixelFormatTypes, [], camera)
            XCTAssertFalse(capture.output.isAppleProRAWSupported)
            capture.fixture.assertMisuse(.invalidArgument) { capture.output.isAppleProRAWEnabled = true }
            let message = capture.fixture.assertMisuse(.invalidArgument) {
                capture.output.capturePhoto(
                    with: AVCapturePhotoSettings(rawPixelFormatType: bayer), delegate: RecordingPhotos())
            }
            XCTAssertTrue(message.contains("Unsupported RAW pixel format"), message)
        }
    }

    func testARAWPhotoIsADNGFileWithTheSamplesThePreviewAndTheMetadata() throws {
        let capture = try start()
        let settings = AVCapturePhotoSettings(rawPixelFormatType: bayer)
        XCTAssertEqual(settings.photoQualityPrioritization, .speed)
        XCTAssertEqual(settings.rawFileType, .dng)
        XCTAssertNil(settings.processedFileType)
        let photos = capture.photos(settings)
        XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "end"])
        let photo = try XCTUnwrap(photos.photos.first)
        XCTAssertTrue(photo.isRawPhoto)
        XCTAssertEqual(photo.photoCount, 1)
        XCTAssertEqual(photo.resolvedSettings.expectedPhotoCount, 1)
        XCTAssertEqual(photo.resolvedSettings.photoDimensions.width, 0)
        let size = photo.resolvedSettings.rawPhotoDimensions
        let samples = try XCTUnwrap(photo.pixelBuffer)
        XCTAssertEqual(samples.pixelFormat, bayer)
        XCTAssertEqual([Int32(samples.width), Int32(samples.height)], [size.width, size.height])
        let file = try XCTUnwrap(PhotoFile(XCTUnwrap(photo.fileDataRepresentation())))
        XCTAssertEqual(file.format, .dng)
        XCTAssertEqual(try file.size().width, samples.width)
        XCTAssertTrue(file.hasImageData)
        XCTAssertEqual(try file.decoded().pixels.width, samples.width)
        XCTAssertEqual(file.metadata.model, "sim-phone-wide-1")
        XCTAssertEqual(file.metadata.orientation, .right)
        XCTAssertEqual(file.metadata.pixelWidth, samples.width)
        let tiff = photo.metadata[kCGImagePropertyTIFFDictionary] as? [String: Any]
        XCTAssertEqual(tiff?[kCGImagePropertyTIFFModel] as? String, "sim-phone-wide-1")
        // Other metadata, the same samples.
        let replaced = try XCTUnwrap(
            photo.fileDataRepresentation(
                withReplacementMetadata: [kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFModel: "Other"]],
                replacementEmbeddedThumbnailPhotoFormat: nil, replacementEmbeddedThumbnailPixelBuffer: nil,
                replacementDepthData: nil))
        XCTAssertEqual(PhotoFile(replaced)?.metadata.model, "Other")
        XCTAssertTrue(PhotoFile(replaced)?.hasImageData ?? false)
        capture.session.stopRunning()
    }

    func testARAWPhotoPrecedesTheProcessedOneOfTheSameExposure() throws {
        let capture = try start()
        let photos = capture.photos(AVCapturePhotoSettings(rawPixelFormatType: bayer, processedFormat: jpeg))
        XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "photo", "end"])
        XCTAssertEqual(photos.photos.map(\.isRawPhoto), [true, false])
        XCTAssertEqual(photos.photos.map(\.photoCount), [1, 2])
        let (raw, processed) = (try XCTUnwrap(photos.photos.first), try XCTUnwrap(photos.photos.last))
        XCTAssertEqual(raw.resolvedSettings.expectedPhotoCount, 2)
        XCTAssertEqual(raw.timestamp, processed.timestamp)
        XCTAssertEqual(
            raw.resolvedSettings.photoDimensions.pixelSize, raw.resolvedSettings.rawPhotoDimensions.pixelSize)
        XCTAssertNil(processed.pixelBuffer)
        let file = try XCTUnwrap(PhotoFile(XCTUnwrap(processed.fileDataRepresentation())))
        XCTAssertEqual(file.format, .jpeg)
        let dng = try XCTUnwrap(PhotoFile(XCTUnwrap(raw.fileDataRepresentation())))
        XCTAssertEqual(dng.metadata.exposureTime, file.metadata.exposureTime)
        XCTAssertEqual(dng.metadata.originalTime, file.metadata.originalTime)
        // The preview and the processed photo show the same exposure.
        let (preview, image) = (try dng.decoded().pixels, try file.decoded().pixels)
        XCTAssertEqual([preview.width, preview.height], [image.width, image.height])
    }

    func testAppleProRAWHasLinearSamplesOfThreeColors() throws {
        let capture = try start()
        capture.output.isAppleProRAWEnabled = true
        let settings = AVCapturePhotoSettings(rawPixelFormatType: proRAW)
        XCTAssertEqual(settings.photoQualityPrioritization, .balanced)
        let photo = try XCTUnwrap(capture.photos(settings).photos.first)
        let pixels = try XCTUnwrap(photo.pixelBuffer)
        XCTAssertEqual(pixels.pixelFormat, proRAW)
        let data = try XCTUnwrap(photo.fileDataRepresentation())
        XCTAssertGreaterThan(data.count, pixels.width * pixels.height * 6)
        XCTAssertEqual(try XCTUnwrap(PhotoFile(data)).size().width, pixels.width)
    }

    func testSettingsThatRAWDoesNotAllowAreMisuse() throws {
        let capture = try start()
        let device = try capture.fixture.device("phone.back-wide")
        func reason(_ settings: AVCapturePhotoSettings) -> String {
            capture.fixture.assertMisuse(.invalidArgument) {
                capture.output.capturePhoto(with: settings, delegate: RecordingPhotos())
            }
        }
        let slow = AVCapturePhotoSettings(rawPixelFormatType: bayer)
        slow.photoQualityPrioritization = .balanced
        XCTAssertTrue(reason(slow).contains("photoQualityPrioritization"))
        XCTAssertTrue(
            reason(AVCapturePhotoSettings(rawPixelFormatType: proRAW)).contains("Unsupported RAW pixel format"))
        let type = AVCapturePhotoSettings(
            rawPixelFormatType: bayer, rawFileType: .jpg, processedFormat: nil, processedFileType: nil)
        XCTAssertTrue(reason(type).contains("Unsupported RAW file type"))
        capture.output.isAppleProRAWEnabled = true
        capture.output.isLivePhotoCaptureEnabled = true
        let live = AVCapturePhotoSettings(rawPixelFormatType: proRAW)
        live.livePhotoMovieFileURL = FileManager.default.temporaryDirectory.appendingPathComponent("raw.mov")
        XCTAssertTrue(reason(live).contains("livePhotoMovieFileURL may not be set for an Apple ProRAW photo"))
        try device.lockForConfiguration()
        device.videoZoomFactor = 2
        device.unlockForConfiguration()
        XCTAssertTrue(reason(AVCapturePhotoSettings(rawPixelFormatType: bayer)).contains("videoZoomFactor"))
    }

    func testAStoppedSessionFinishesBothPhotosWithTheError() throws {
        let capture = try start()
        let photos = RecordingPhotos()
        capture.output.capturePhoto(
            with: AVCapturePhotoSettings(rawPixelFormatType: bayer, processedFormat: jpeg), delegate: photos)
        capture.session.stopRunning()
        capture.fixture.advance(milliseconds: 100)
        XCTAssertEqual(photos.events, ["begin", "error", "error", "end"])
        XCTAssertEqual(photos.photos.map(\.isRawPhoto), [true, false])
        XCTAssertNil(photos.photos.first?.fileDataRepresentation())
    }

    func testOtherProgramsReadTheFile() throws {
        let capture = try start()
        let photo = try XCTUnwrap(capture.photos(AVCapturePhotoSettings(rawPixelFormatType: bayer)).photos.first)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).dng")
        defer { try? FileManager.default.removeItem(at: url) }
        try XCTUnwrap(photo.fileDataRepresentation()).write(to: url)
        let result = try ExternalTool.run(
            "exiftool", ["-s3", "-n", "-DNGVersion", "-UniqueCameraModel", "-SubIFD:BlackLevel", "-validate", url.path])
        if result.status == 127 { throw MissingRequirement("the program exiftool, which CI/setup installs") }
        XCTAssertEqual(
            result.text.split(separator: "\n").map(String.init),
            ["1 4 0 0", "Obscura sim-phone-wide-1", "528 528 528 528", "0 0 0"], result.errors)
    }
}
