import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests photos in HEIF files, which simulated phones encode with HEVC.
final class HEIFPhotoOutputTests: XCTestCase {
    private let hevc: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.hevc]

    private struct Capture {
        var fixture: CaptureFixture
        var session: AVCaptureSession
        var output: AVCapturePhotoOutput

        func photo(_ settings: AVCapturePhotoSettings) throws -> AVCapturePhoto {
            let photos = RecordingPhotos()
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 200)
            fixture.assertNoMisuse()
            XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "end"])
            return try XCTUnwrap(photos.photos.first)
        }
    }

    private func start(
        profile: String = "phone", camera: String = "phone.back-wide", depth: Bool = false
    ) throws -> Capture {
        let fixture = try CaptureFixture(profile: profile, scene: .chart)
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [output])
        if depth { output.isDepthDataDeliveryEnabled = true }
        session.startRunning()
        fixture.advance(milliseconds: 110)
        return Capture(fixture: fixture, session: session, output: output)
    }

    private func file(_ photo: AVCapturePhoto) throws -> PhotoFile {
        try XCTUnwrap(PhotoFile(XCTUnwrap(photo.fileDataRepresentation())))
    }

    func testPhonesPreferHEVCAndWebcamsHaveJPEGOnly() throws {
        let phone = try start()
        XCTAssertEqual(phone.output.availablePhotoCodecTypes, [.hevc, .jpeg])
        XCTAssertEqual(phone.output.availablePhotoFileTypes, [.heic, .jpg])
        XCTAssertEqual(phone.output.supportedPhotoCodecTypes(for: .heic), [.hevc])
        XCTAssertEqual(phone.output.supportedPhotoCodecTypes(for: .jpg), [.jpeg])
        XCTAssertEqual(phone.output.supportedPhotoCodecTypes(for: .tif), [])
        let webcam = try start(profile: "webcam", camera: "webcam.camera")
        XCTAssertEqual(webcam.output.availablePhotoCodecTypes, [.jpeg])
        XCTAssertEqual(webcam.output.availablePhotoFileTypes, [.jpg])
        XCTAssertEqual(webcam.output.supportedPhotoCodecTypes(for: .heic), [])
        let message = webcam.fixture.assertMisuse(.invalidArgument) {
            webcam.output.capturePhoto(
                with: AVCapturePhotoSettings(format: hevc), delegate: RecordingPhotos())
        }
        XCTAssertTrue(message.contains("Unsupported codec hvc1 - use availablePhotoCodecTypes"), message)
    }

    func testAPhotoIsAHEIFFileWithOrientationAndMetadata() throws {
        let capture = try start()
        let settings = AVCapturePhotoSettings(format: hevc)
        XCTAssertEqual(settings.processedFileType, .heic)
        XCTAssertEqual(AVCapturePhotoSettings().processedFileType, .jpg)
        let connection = try XCTUnwrap(capture.output.connection(with: .video))
        connection.videoRotationAngle = 90
        let photo = try capture.photo(settings)
        let file = try file(photo)
        XCTAssertEqual(file.format, .heic)
        // The file shows the image upright; `cgImageRepresentation` is not rotated.
        XCTAssertEqual([try file.size().width, try file.size().height], [480, 640])
        XCTAssertEqual(photo.metadata[kCGImagePropertyOrientation] as? Int, 6)
        let image = try XCTUnwrap(photo.cgImageRepresentation())
        XCTAssertEqual([image.width, image.height], [640, 480])
        XCTAssertNotNil(FrameMarker.read(from: image.pixelBuffer))
        let upright = try XCTUnwrap(
            CVPixelBuffer(width: 480, height: 640, pixelFormat: kCVPixelFormatType_32BGRA))
        try PixelConverter().convert(
            image.pixelBuffer, to: upright, PixelTransform(rotation: .clockwise90, isMirrored: false))
        XCTAssertEqual(try bytes(upright), try bytes(file.decoded().pixels))
        XCTAssertEqual(file.metadata.model, "sim-phone-wide-1")
        XCTAssertNotNil(file.metadata.exposureTime)
        XCTAssertEqual(file.metadata.pixelWidth, 640)
        // The pixels are those of a JPEG photo, within the losses of both codecs.
        let jpeg = try XCTUnwrap(try capture.photo(AVCapturePhotoSettings()).cgImageRepresentation())
        XCTAssertLessThan(try meanDifference(bytes(image.pixelBuffer), bytes(jpeg.pixelBuffer)), 6)
        capture.session.stopRunning()
    }

    func testTheSameCaptureHasTheSameBytes() throws {
        let files = try (0..<2).map { _ in
            try start().photo(AVCapturePhotoSettings(format: hevc)).fileDataRepresentation()
        }
        XCTAssertNotNil(files[0])
        XCTAssertEqual(files[0], files[1])
    }

    func testTheQualityOfTheFormatAndThePrioritizationDetermineTheSize() throws {
        let capture = try start()
        capture.output.maxPhotoQualityPrioritization = .quality
        let sizes = try [0.2, 0.9].map { quality in
            let format = hevc.merging([AVVideoCompressionPropertiesKey: [AVVideoQualityKey: quality]]) { $1 }
            return try file(capture.photo(AVCapturePhotoSettings(format: format))).data.count
        }
        XCTAssertLessThan(sizes[0] * 2, sizes[1])
        let prioritized = try [AVCapturePhotoOutput.QualityPrioritization.speed, .quality].map { priority in
            let settings = AVCapturePhotoSettings(format: hevc)
            settings.photoQualityPrioritization = priority
            return try file(capture.photo(settings)).data.count
        }
        XCTAssertLessThan(prioritized[0], prioritized[1])
    }

    func testThumbnailAndMetadataAreKeptRemovedOrReplaced() throws {
        let capture = try start()
        let settings = AVCapturePhotoSettings(format: hevc)
        XCTAssertEqual(settings.availableEmbeddedThumbnailPhotoCodecTypes, [.hevc])
        settings.embeddedThumbnailPhotoFormat = hevc
        let photo = try capture.photo(settings)
        XCTAssertEqual(photo.embeddedThumbnailPhotoFormat?[AVVideoWidthKey] as? Int, 160)
        XCTAssertEqual(photo.embeddedThumbnailPhotoFormat?[AVVideoCodecKey] as? AVVideoCodecType, .hevc)
        XCTAssertEqual(photo.resolvedSettings.embeddedThumbnailDimensions.width, 160)
        final class Keeping: AVCapturePhotoFileDataRepresentationCustomizer {}
        XCTAssertEqual(photo.fileDataRepresentation(with: Keeping()), photo.fileDataRepresentation())
        var metadata = photo.metadata
        metadata[kCGImagePropertyTIFFDictionary] = [kCGImagePropertyTIFFMake: "Nobody"]
        let pixels = CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_32BGRA)
        let replaced = try XCTUnwrap(
            photo.fileDataRepresentation(
                withReplacementMetadata: metadata, replacementEmbeddedThumbnailPhotoFormat: hevc,
                replacementEmbeddedThumbnailPixelBuffer: pixels, replacementDepthData: nil))
        XCTAssertEqual(PhotoFile(replaced)?.metadata.make, "Nobody")
        let removed = try XCTUnwrap(
            photo.fileDataRepresentation(
                withReplacementMetadata: nil, replacementEmbeddedThumbnailPhotoFormat: nil,
                replacementEmbeddedThumbnailPixelBuffer: nil, replacementDepthData: nil))
        XCTAssertNil(PhotoFile(removed)?.metadata.make)
        XCTAssertLessThan(removed.count, replaced.count)
        let unchanged = try XCTUnwrap(PhotoFile(removed)).decoded().pixels
        XCTAssertEqual(try bytes(unchanged), try bytes(file(photo).decoded().pixels))
    }

    func testTheFileContainsTheDepthMapUnlessTheSettingsExcludeIt() throws {
        let capture = try start(camera: "phone.front-true-depth", depth: true)
        func capturePhoto(embedsDepth: Bool) throws -> AVCapturePhoto {
            let settings = AVCapturePhotoSettings(format: hevc)
            settings.isDepthDataDeliveryEnabled = true
            settings.embedsDepthDataInPhoto = embedsDepth
            return try capture.photo(settings)
        }
        let type = Data("urn:mpeg:hevc:2015:auxid:2".utf8)
        let photo = try capturePhoto(embedsDepth: true)
        let data = try file(photo).data
        XCTAssertNotNil(data.range(of: type))
        let depth = try XCTUnwrap(photo.depthData)
        let map = try DepthMap(depth.depthDataMap, asDisparity: DepthMap.isDisparity(depth.depthDataType))
        let nearest = try XCTUnwrap(map.values.filter(\.isFinite).max())
        XCTAssertNotNil(data.range(of: Data("<apdi:FloatMaxValue>\(nearest)<".utf8)))
        XCTAssertNotNil(data.range(of: Data("<depthData:Accuracy>".utf8)))
        let excluded = try capturePhoto(embedsDepth: false)
        XCTAssertNotNil(excluded.depthData)
        XCTAssertNil(try file(excluded).data.range(of: type))
        // Removed and added again, with the same bytes.
        func replaced(_ depth: AVDepthData?) -> Data? {
            photo.fileDataRepresentation(
                withReplacementMetadata: photo.metadata, replacementEmbeddedThumbnailPhotoFormat: nil,
                replacementEmbeddedThumbnailPixelBuffer: nil, replacementDepthData: depth)
        }
        XCTAssertNil(try XCTUnwrap(replaced(nil)).range(of: type))
        XCTAssertEqual(replaced(depth), data)
        let other = try depth.replacingDepthDataMap(with: depth.depthDataMap)
        XCTAssertNotNil(try XCTUnwrap(replaced(other)).range(of: type))
    }

    func testFormatsFileTypesAndThumbnailsThatDoNotMatchAreMisuse() throws {
        let capture = try start()
        func settings(_ format: [String: Any]?, _ type: AVFileType) -> AVCapturePhotoSettings {
            AVCapturePhotoSettings(
                rawPixelFormatType: 0, rawFileType: nil, processedFormat: format, processedFileType: type)
        }
        let jpeg: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        let thumbnail = AVCapturePhotoSettings(format: hevc)
        thumbnail.embeddedThumbnailPhotoFormat = jpeg
        let cases: [(AVCapturePhotoSettings, String)] = [
            (settings(hevc, .jpg), "public.jpeg does not support the codec hvc1"),
            (settings(jpeg, .heic), "public.heic does not support the codec jpeg"),
            (settings(nil, .heic), "public.heic does not support the codec jpeg"),
            (settings(hevc, .tif), "Unsupported file type public.tiff - use availablePhotoFileTypes"),
            (
                settings([kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA], .heic),
                "public.heic does not support the pixel format"
            ),
            (thumbnail, "Unsupported codec of embeddedThumbnailPhotoFormat"),
        ]
        for (settings, reason) in cases {
            let message = capture.fixture.assertMisuse(.invalidArgument) {
                capture.output.capturePhoto(with: settings, delegate: RecordingPhotos())
            }
            XCTAssertTrue(message.contains(reason), message)
        }
        _ = try capture.photo(settings(hevc, .heic))
    }

    private func bytes(_ buffer: CVPixelBuffer) throws -> [UInt8] {
        buffer.withPlane(0) { plane in
            (0..<plane.height).flatMap { row in
                UnsafeRawBufferPointer(start: plane.baseAddress + row * plane.bytesPerRow, count: plane.width * 4)
            }
        }
    }

    private func meanDifference(_ left: [UInt8], _ right: [UInt8]) -> Double {
        Double(zip(left, right).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, left.count))
    }
}
