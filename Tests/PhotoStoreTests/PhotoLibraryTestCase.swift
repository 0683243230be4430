import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import XCTest

@testable import PhotoStore

/// A test with a temporary folder that contains the photo libraries of its capture systems.
class PhotoLibraryTestCase: XCTestCase {
    private(set) var folder = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    private let reported = Lock<[Misuse]>([])
    /// Retains the systems of the test, because a released system closes its library, and that removes files.
    private var systems: [CaptureSystem] = []

    /// The reported misuse, in order.
    var misuse: [Misuse] { reported.withLock { $0 } }

    var libraryURL: URL { folder.appendingPathComponent("library", isDirectory: true) }

    override func setUpWithError() throws {
        folder.appendPathComponent("obscura-photos-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
        systems = []
    }

    func makeSystem(
        name: String? = nil, clock: any CaptureClock = SimClock(), storage: any CaptureStorage = DiskStorage(),
        states: [ProtectedResource: AuthorizationState] = [:], answers: [ProtectedResource: PromptAnswer] = [:],
        library: URL? = nil, seed: UInt64? = 7
    ) -> CaptureSystem {
        let system = CaptureSystem(
            name: name, hosts: [], clock: clock,
            authorization: Authorization(clock: clock, states: states, answers: answers),
            storage: storage, misuse: MisuseHandler { [reported] misuse in reported.withLock { $0.append(misuse) } },
            photoLibraryURL: library ?? libraryURL, seed: seed)
        systems.append(system)
        return system
    }

    /// Creates an image with red, green, white and blue quarters, clockwise from the upper left.
    func makeImage(width: Int = 64, height: Int = 48) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
        let image = try XCTUnwrap(buffer)
        CVPixelBufferLockBaseAddress(image, [])
        defer { CVPixelBufferUnlockBaseAddress(image, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(image))
        func row(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
            [[UInt8]](repeating: left, count: width / 2).flatMap { $0 }
                + [[UInt8]](repeating: right, count: width - width / 2).flatMap { $0 }
        }
        let upper = row([0, 0, 255, 255], [0, 255, 0, 255])
        let lower = row([255, 0, 0, 255], [255, 255, 255, 255])
        for line in 0..<height {
            (base + line * CVPixelBufferGetBytesPerRow(image)).copyMemory(
                from: line < height / 2 ? upper : lower, byteCount: width * 4)
        }
        return image
    }

    /// Creates a photo file with metadata.
    func makeJPEG(width: Int = 64, height: Int = 48, exif: EXIF? = nil) throws -> Data {
        let data = try JPEGCodec().encode(
            makeImage(width: width, height: height), settings: .init(quality: 95, subsampling: .chroma444))
        guard let exif else { return data }
        var segments = try JPEGSegments(data)
        try segments.setEXIF(exif)
        return segments.data
    }

    /// Creates a movie of one second with FFmpeg, which `CI/setup` installs.
    func makeMovie(_ name: String = "clip.mov", arguments: [String] = []) throws -> URL {
        let url = folder.appendingPathComponent(name)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1"]
            + ["-pix_fmt", "yuv420p", "-c:v", "libx264"] + arguments + [url.path]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, "ffmpeg failed")
        return url
    }

    /// Saves a photo and returns its local identifier.
    @discardableResult
    func save(_ photo: Data, in system: CaptureSystem) throws -> String {
        let identifier = Lock("")
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: photo, options: nil)
                identifier.withLock { $0 = request.placeholderForCreatedAsset?.localIdentifier ?? "" }
            }
        }
        return identifier.withLock { $0 }
    }

    func saveMovie(_ url: URL, in system: CaptureSystem) throws {
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                XCTAssertNotNil(PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url))
            }
        }
    }

    /// Removes assets and their files, without Recently Deleted.
    func remove(_ assets: [PHAsset], in system: CaptureSystem) throws {
        let identifiers = assets.map(\.localIdentifier)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest.removeAssets(withLocalIdentifiers: identifiers)
            }
        }
    }

    func assets(in system: CaptureSystem, _ options: PHFetchOptions? = nil) -> [PHAsset] {
        system.run { PHAsset.fetchAssets(with: options) }.objects
    }

    /// Returns the relative paths of the library's files, without folders and the index.
    func libraryFiles() throws -> Set<String> {
        var files: Set<String> = []
        for name in ["originals", "thumbnails", "incoming", "edits"] {
            let url = libraryURL.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
                let attributes = try FileManager.default.attributesOfItem(atPath: url.appendingPathComponent(path).path)
                if attributes[.type] as? FileAttributeType != .typeDirectory { files.insert("\(name)/\(path)") }
            }
        }
        return files
    }

    /// Reads the original of an asset with the public API.
    func original(of asset: PHAsset) throws -> Data {
        let data = Lock(Data())
        let failure = Lock<(any Error)?>(nil)
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        PHAssetResourceManager.default().requestData(for: resource, options: nil) { chunk in
            data.withLock { $0 += chunk }
        } completionHandler: { error in
            failure.withLock { $0 = error }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return data.withLock { $0 }
    }

    /// Returns blue, green and red of a pixel in a 32BGRA image, rounded to 0 or 255.
    func color(of image: CVPixelBuffer, _ column: Int, _ row: Int) throws -> [Int] {
        CVPixelBufferLockBaseAddress(image, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(image)).assumingMemoryBound(to: UInt8.self)
        let pixel = base + row * CVPixelBufferGetBytesPerRow(image) + column * 4
        return (0..<3).map { pixel[$0] < 128 ? 0 : 255 }
    }
}
