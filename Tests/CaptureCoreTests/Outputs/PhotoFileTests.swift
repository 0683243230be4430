import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests the files of photos, their metadata, previews and thumbnails.
final class PhotoFileTests: XCTestCase {
    private func capture(
        _ settings: AVCapturePhotoSettings, _ delegate: some AVCapturePhotoCaptureDelegate
    ) throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart)
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720, [output])
        session.startRunning()
        fixture.advance(milliseconds: 110)
        output.capturePhoto(with: settings, delegate: delegate)
        fixture.advance(milliseconds: 200)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    private func photo(_ settings: AVCapturePhotoSettings = AVCapturePhotoSettings()) throws -> AVCapturePhoto {
        let photos = RecordingPhotos()
        try capture(settings, photos)
        return try XCTUnwrap(photos.photos.first)
    }

    private func exif(_ file: Data?) throws -> EXIF? { try JPEGSegments(XCTUnwrap(file)).exif() }

    func testThePreviewAndTheThumbnailHaveTheRequestedSizes() throws {
        let settings = AVCapturePhotoSettings()
        settings.previewPhotoFormat = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: 320,
            kCVPixelBufferHeightKey: 320,
        ]
        settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        let photo = try photo(settings)
        let preview = try XCTUnwrap(photo.previewPixelBuffer)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(preview), kCVPixelFormatType_32BGRA)
        XCTAssertEqual(CVPixelBufferGetWidth(preview), 320)
        XCTAssertEqual(CVPixelBufferGetHeight(preview), 180)
        XCTAssertEqual(photo.resolvedSettings.previewDimensions.width, 320)
        XCTAssertEqual(photo.resolvedSettings.previewDimensions.height, 180)
        XCTAssertEqual(photo.previewCGImageRepresentation()?.width, 320)
        XCTAssertEqual(photo.sourceDeviceType, .builtInWideAngleCamera)
        XCTAssertEqual(photo.embeddedThumbnailPhotoFormat?[AVVideoWidthKey] as? Int, 160)
        XCTAssertEqual(photo.resolvedSettings.embeddedThumbnailDimensions.width, 160)
        let thumbnail = try XCTUnwrap(exif(photo.fileDataRepresentation())?.thumbnail)
        let header = try JPEGCodec().header(of: thumbnail)
        XCTAssertEqual(header.width, 160)
        XCTAssertEqual(header.height, 90)
        XCTAssertNil(try self.photo().previewPixelBuffer)
    }

    func testTheMetadataOfTheSettingsReplaceThoseOfTheCamera() throws {
        let settings = AVCapturePhotoSettings()
        settings.metadata = [
            kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFModel: "My camera"],
            kCGImagePropertyGPSDictionary: [
                kCGImagePropertyGPSLatitude: 1.5, kCGImagePropertyGPSLatitudeRef: "S",
                kCGImagePropertyGPSLongitude: 2.25, kCGImagePropertyGPSLongitudeRef: "E",
                kCGImagePropertyGPSTimeStamp: "12:34:56", kCGImagePropertyGPSDateStamp: "2026:01:02",
            ] as [String: Any],
        ]
        let photo = try photo(settings)
        let written = try XCTUnwrap(exif(photo.fileDataRepresentation()))
        XCTAssertEqual(written.model, "My camera")
        XCTAssertEqual(written.make, "Obscura")
        XCTAssertEqual(written.location?.latitude, -1.5)
        XCTAssertEqual(written.location?.time?.second, 56)
        let tiff = photo.metadata[kCGImagePropertyTIFFDictionary] as? [String: Any]
        XCTAssertEqual(tiff?[kCGImagePropertyTIFFModel] as? String, "My camera")
        XCTAssertEqual(tiff?[kCGImagePropertyTIFFMake] as? String, "Obscura")
    }

    func testACustomizerReplacesOrRemovesMetadataAndThumbnail() throws {
        final class Keeping: AVCapturePhotoFileDataRepresentationCustomizer {}
        final class Removing: AVCapturePhotoFileDataRepresentationCustomizer {
            func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { nil }
            func replacementEmbeddedThumbnailPixelBuffer(
                withPhotoFormat format: AutoreleasingUnsafeMutablePointer<NSDictionary?>, for photo: AVCapturePhoto
            ) -> Unmanaged<CVPixelBuffer>? { nil }
        }
        final class Replacing: AVCapturePhotoFileDataRepresentationCustomizer {
            let pixels = CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_32BGRA)

            func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? {
                var metadata = photo.metadata
                metadata[kCGImagePropertyTIFFDictionary] = [kCGImagePropertyTIFFMake: "Nobody"]
                return metadata
            }
            func replacementEmbeddedThumbnailPixelBuffer(
                withPhotoFormat format: AutoreleasingUnsafeMutablePointer<NSDictionary?>, for photo: AVCapturePhoto
            ) -> Unmanaged<CVPixelBuffer>? {
                format.pointee = NSDictionary(dictionary: [AVVideoCodecKey: AVVideoCodecJPEG])
                return pixels.map { Unmanaged.passUnretained($0) }
            }
        }
        let settings = AVCapturePhotoSettings()
        settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        let photo = try photo(settings)
        XCTAssertEqual(photo.fileDataRepresentation(with: Keeping()), photo.fileDataRepresentation())
        XCTAssertNil(try exif(photo.fileDataRepresentation(with: Removing())))
        let replaced = try XCTUnwrap(exif(photo.fileDataRepresentation(with: Replacing())))
        XCTAssertEqual(replaced.make, "Nobody")
        XCTAssertNil(replaced.model)
        XCTAssertNotNil(replaced.exposureTime)
        XCTAssertEqual(try JPEGCodec().header(of: XCTUnwrap(replaced.thumbnail)).width, 64)
        let direct = photo.fileDataRepresentation(
            withReplacementMetadata: nil,
            replacementEmbeddedThumbnailPhotoFormat: photo.embeddedThumbnailPhotoFormat,
            replacementEmbeddedThumbnailPixelBuffer: nil, replacementDepthData: nil)
        let kept = try XCTUnwrap(exif(direct))
        XCTAssertNil(kept.make)
        XCTAssertEqual(kept.thumbnail, try exif(photo.fileDataRepresentation())?.thumbnail)
    }

    func testADelegateWithoutTheMethodForPhotosReceivesSampleBuffers() throws {
        final class Samples: AVCapturePhotoCaptureDelegate, Sendable {
            let files = Lock<[Data?]>([])
            let previewWidths = Lock<[Int]>([])

            func photoOutput(
                _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
                previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
                resolvedSettings: AVCaptureResolvedPhotoSettings,
                bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
            ) {
                guard let photoSampleBuffer, let pixels = previewPhotoSampleBuffer?.imageBuffer else { return }
                let file = AVCapturePhotoOutput.jpegPhotoDataRepresentation(
                    forJPEGSampleBuffer: photoSampleBuffer, previewPhotoSampleBuffer: previewPhotoSampleBuffer)
                files.withLock { $0.append(file) }
                previewWidths.withLock { $0.append(CVPixelBufferGetWidth(pixels)) }
            }
        }
        let samples = Samples()
        let settings = AVCapturePhotoSettings()
        settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        try capture(settings, samples)
        XCTAssertEqual(samples.previewWidths.withLock { $0 }, [1280])
        let written = try XCTUnwrap(exif(samples.files.withLock { $0.first ?? nil }))
        XCTAssertEqual(written.make, "Obscura")
        XCTAssertEqual(try JPEGCodec().header(of: XCTUnwrap(written.thumbnail)).width, 160)
    }

    func testTheQualityOfTheFormatIsUsed() throws {
        let sizes = try [0.1, 0.9].map { quality in
            let photo = try photo(
                AVCapturePhotoSettings(format: [
                    AVVideoCodecKey: AVVideoCodecType.jpeg,
                    AVVideoCompressionPropertiesKey: [AVVideoQualityKey: quality],
                ]))
            return try XCTUnwrap(photo.fileDataRepresentation()).count
        }
        XCTAssertLessThan(sizes[0] * 2, sizes[1])
    }
}
