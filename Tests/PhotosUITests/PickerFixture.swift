import CaptureHAL
import CaptureSimulation
import Foundation
import MediaCodecs
import MediaTypes
import PhotosUI
import TestSupport
import XCTest

/// A simulated system with photos in its library.
@MainActor
struct PickerFixture {
    let simulated: SimulatedSystem
    /// The identifiers of the photos.
    private(set) var identifiers: [String] = []

    /// Creates a system, and saves photos with these sizes.
    init(_ sizes: [Int]) throws {
        simulated = try SimulatedSystem(profile: "phone")
        for size in sizes { identifiers.append(try save(photo(size))) }
    }

    func photo(_ side: Int) throws -> Data {
        let pixels = try XCTUnwrap(
            CVPixelBuffer(width: side, height: side, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        return try JPEGCodec().encode(pixels)
    }

    /// Saves a photo, with the movie of a Live Photo if there is one, and returns its identifier.
    func save(_ photo: Data, movie: URL? = nil) throws -> String {
        let identifier = Lock("", order: .client)
        try simulated.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                let options = PHAssetResourceCreationOptions()
                options.originalFilename = "IMG_0001.JPG"
                request.addResource(with: .photo, data: photo, options: options)
                if let movie { request.addResource(with: .pairedVideo, fileURL: movie, options: nil) }
                identifier.withLock { $0 = request.placeholderForCreatedAsset?.localIdentifier ?? "" }
            }
        }
        return identifier.withLock { $0 }
    }

    /// Creates a movie of a Live Photo with FFmpeg.
    func makeMovie(_ contentIdentifier: String) throws -> URL {
        let url = simulated.folder.appendingPathComponent("IMG_0001.MOV")
        let output = try ExternalTool.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1", "-pix_fmt",
                "yuv420p", "-c:v", "libx264", "-movflags", "use_metadata_tags", "-metadata",
                "com.apple.quicktime.content.identifier=\(contentIdentifier)", url.path,
            ])
        XCTAssertEqual(output.status, 0, output.errors)
        return url
    }

    /// Saves a movie with HEVC video, which FFmpeg creates.
    func saveHEVCMovie() throws {
        let url = simulated.folder.appendingPathComponent("IMG_0008.MOV")
        try run(
            "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1",
            "-pix_fmt", "yuv420p", "-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", url.path)
        try simulated.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetCreationRequest.forAsset().addResource(with: .video, fileURL: url, options: nil)
            }
        }
    }

    /// Saves a HEIC photo of 64x48 pixels with a make, which heif-enc and exiftool create.
    func saveHEICPhoto() throws {
        let jpeg = simulated.folder.appendingPathComponent("photo.jpg")
        let heic = simulated.folder.appendingPathComponent("IMG_0007.HEIC")
        let pixels = try XCTUnwrap(
            CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        try JPEGCodec().encode(pixels).write(to: jpeg)
        try run("heif-enc", "-o", heic.path, jpeg.path)
        try run("exiftool", "-q", "-overwrite_original", "-Make=Obscura", heic.path)
        try simulated.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: heic, options: nil)
            }
        }
    }

    /// Returns FFmpeg's name of the video codec of a file.
    func codec(of url: URL) throws -> String {
        try run(
            "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
            url.path
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult
    private func run(_ tool: String, _ arguments: String...) throws -> String {
        let output = try ExternalTool.run(tool, arguments)
        XCTAssertEqual(output.status, 0, output.errors)
        return output.text
    }

    /// Advances the time until a load has delivered its values.
    func result<Value: Sendable>(_ load: (@escaping @Sendable (Value) -> Void) -> Void) throws -> Value {
        let value = Lock<Value?>(nil, order: .client)
        simulated.run { load { loaded in value.withLock { $0 = loaded } } }
        simulated.advance(by: .seconds(1))
        return try XCTUnwrap(value.withLock { $0 }, "the load has not ended")
    }
}
