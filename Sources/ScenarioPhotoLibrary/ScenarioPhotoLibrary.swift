#if Everything || PhotoLibrary
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaCodecs
import MediaMeasurements
import MediaStorage
import MediaTypes
import PhotoStore

/// The photo library of the system in which a scenario plays. Logs its changes.
final class ScenarioPhotoLibrary: NSObject, ScenarioLibrary, PHPhotoLibraryChangeObserver, @unchecked Sendable {
    // SAFETY: `initialAssets` is set before the scenario plays, and does not change after that.
    private let library: PHPhotoLibrary
    private let system: CaptureSystem
    private let log: EventLog
    /// The identifiers of the assets at the beginning.
    private var initialAssets: Set<String> = []

    /// Uses the photo library of a system, which must be the current system.
    init(_ system: CaptureSystem, log: EventLog) {
        library = PHPhotoLibrary.shared()
        (self.system, self.log) = (system, log)
        super.init()
        library.register(self)
    }

    /// Logs a change of the library.
    func photoLibraryDidChange(_ changeInstance: PHChange) { log.note("library did change") }

    // MARK: The contents at the beginning

    /// Adds the initial assets and albums. Photos and movies are generated in a temporary folder.
    func fill(_ contents: Scenario.Library, storage: SimStorage, filesIn baseFolder: URL?) throws {
        let free = storage.freeByteCount
        storage.freeByteCount = nil
        defer { storage.freeByteCount = free }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The system eventually deletes temporary files that cannot be removed here.
        defer { try? FileManager.default.removeItem(at: folder) }
        var assets: [(url: URL, asset: Scenario.Library.Asset)] = []
        for (index, asset) in contents.assets.enumerated() {
            let url = try Self.file(asset.content, named: "asset-\(index + 1)", in: folder, filesIn: baseFolder)
            assets += Array(repeating: (url, asset), count: asset.count)
        }
        library.unregisterChangeObserver(self)
        defer { library.register(self) }
        var selected: [String] = []
        try library.performUserChanges {
            var members: [String: [PHObject]] = [:]
            for (url, asset) in assets {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: Self.type(of: url), fileURL: url, options: nil)
                if asset.isFavorite { request.isFavorite = true }
                if asset.isHidden { request.isHidden = true }
                guard let placeholder = request.placeholderForCreatedAsset else { continue }
                for title in asset.albums { members[title, default: []].append(placeholder) }
                if asset.isSelected { selected.append(placeholder.localIdentifier) }
            }
            for title in contents.allAlbums {
                let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                if let assets = members[title] { album.addAssets(assets) }
            }
        }
        try library.select(selected)
        initialAssets = Set(try library.storedAssets().map(\.localIdentifier))
    }

    private static func type(of url: URL) -> PHAssetResourceType {
        ["mov", "mp4", "m4v"].contains(url.pathExtension.lowercased()) ? .video : .photo
    }

    /// Returns the location of the content: an existing file, or a photo or movie that this method generates.
    private static func file(
        _ content: Scenario.Library.Asset.Content, named name: String, in folder: URL, filesIn baseFolder: URL?
    ) throws -> URL {
        switch content {
        case .file(let path):
            return path.hasPrefix("/")
                ? URL(fileURLWithPath: path)
                : baseFolder?.appendingPathComponent(path)
                    ?? URL(fileURLWithPath: path)
        case .photo(let size):
            let url = folder.appendingPathComponent(name + ".jpg")
            try JPEGCodec().encode(gray(size)).write(to: url)
            return url
        case .movie(let size, let duration):
            let url = folder.appendingPathComponent(name + ".mov")
            let encoder = VideoEncoderSettings(
                codec: .h264, dimensions: CMVideoDimensions(width: Int32(size[0]), height: Int32(size[1])))
            let recorder = try MovieRecorder(
                MovieRecorder.Configuration(container: .mov, video: .init(encoder: encoder)), url: url,
                storage: DiskStorage(), start: .zero)
            let picture = try gray(size)
            let frame = CMTime(value: 1, timescale: 30)
            let count = max(1, Int((duration * 30).rounded()))
            for index in 0..<count {
                _ = try recorder.append(picture, at: CMTime(value: Int64(index), timescale: 30), duration: frame)
            }
            _ = try recorder.finish(at: CMTime(value: Int64(count), timescale: 30))
            return url
        }
    }

    /// Creates a gray picture with a width and a height in pixels.
    private static func gray(_ size: [Int]) throws -> CVPixelBuffer {
        guard
            let pixels = CVPixelBuffer(
                width: size[0], height: size[1], pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        else { throw Picture.ReadingError(description: "there is not enough memory for \(size[0])x\(size[1]) pixels") }
        CVPixelBufferLockBaseAddress(pixels, [])
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        for plane in 0..<CVPixelBufferGetPlaneCount(pixels) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(pixels, plane) else { continue }
            memset(
                base, 128,
                CVPixelBufferGetBytesPerRowOfPlane(pixels, plane) * CVPixelBufferGetHeightOfPlane(pixels, plane))
        }
        return pixels
    }

    // MARK: Actions

    func setAvailable(_ isAvailable: Bool) { library.setAvailable(isAvailable) }

    func createAsset(from url: URL, album title: String?) {
        let name = url.lastPathComponent
        let (library, log) = (library, log)
        library.performChanges {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: Self.type(of: url), fileURL: url, options: nil)
            guard let title, let placeholder = request.placeholderForCreatedAsset else { return }
            let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
            let existing = (0..<albums.count).map { albums.object(at: $0) }.first { $0.localizedTitle == title }
            let album =
                existing.flatMap { PHAssetCollectionChangeRequest(for: $0) }
                ?? PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
            album.addAssets([placeholder])
        } completionHandler: { _, error in
            log.note(
                error.map { "cannot create the asset \(name): \(Self.description(of: $0))" } ?? "asset created \(name)")
        }
    }

    func fetchAssets() {
        let counts = [PHAssetMediaType.image, .video].map { PHAsset.fetchAssets(with: $0, options: nil).count }
        log.note("assets \(counts[0]) photos \(counts[1]) movies")
    }

    /// Describes an error for the log, that of the photo library by its code.
    private static func description(of error: any Error) -> String {
        (error as? PHPhotosError).map { "\($0.code) (\($0.code.rawValue))" } ?? describe(error)
    }

    // MARK: The contents at the end

    func contents() throws -> LibraryContents {
        var contents = LibraryContents()
        guard PHPhotoLibrary.exists(at: system.photoLibraryURL) else { return contents }
        contents.assets = try library.storedAssets().map {
            LibraryContents.Asset(
                isMovie: $0.mediaType == .video, size: [$0.pixelWidth, $0.pixelHeight], duration: $0.duration,
                albums: $0.albums, isFavorite: $0.isFavorite, isHidden: $0.isHidden,
                isAdded: !initialAssets.contains($0.localIdentifier))
        }
        contents.albums = try library.storedAlbums()
        return contents
    }
}

/// Registers the photo library of scenarios.
///
/// `CaptureScenarios` calls this function through a weak reference, because it cannot import the photo library; see
/// `CCaptureScenarios.h`.
@_cdecl("obscura_install_scenario_library")
public func installScenarioLibrary() {
    ScenarioLibraries.setFactory { ScenarioPhotoLibrary($0, log: $1) }
}
#endif
