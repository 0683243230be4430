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

    /// Advances the time until a load has delivered its values.
    func result<Value: Sendable>(_ load: (@escaping @Sendable (Value) -> Void) -> Void) throws -> Value {
        let value = Lock<Value?>(nil, order: .client)
        simulated.run { load { loaded in value.withLock { $0 = loaded } } }
        simulated.advance(by: .seconds(1))
        return try XCTUnwrap(value.withLock { $0 }, "the load has not ended")
    }
}
