import CaptureHAL
import Foundation
import MediaStorage

/// The files of one import on their way into the library.
///
/// - Important: Confined; used under the index's write lock.
struct ImportFiles {
    /// An asset's files, all in `incoming`.
    struct Asset {
        var mediaType: PHAssetMediaType
        var mediaSubtypes: PHAssetMediaSubtype
        /// Of the first resource, the one that is shown.
        var facts: MediaFacts
        var thumbnailName: String
        var resources: [Resource]
    }

    struct Resource {
        var type: PHAssetResourceType
        var uniformTypeIdentifier: String
        var originalFilename: String
        var fileName: String
        var byteCount: Int64
        var pixelWidth: Int
        var pixelHeight: Int
    }

    private struct Move {
        var source: URL
        var destination: URL
    }

    private static let copyByteCount = 1 << 20

    private let folder: LibraryFolder
    private let storage: any CaptureStorage
    private let inspector = MediaInspector()
    /// What has been written and not yet been put in place.
    private var moves: [Move] = []
    /// Every file that this import has made.
    private var made: [URL] = []

    init(folder: LibraryFolder, storage: any CaptureStorage) {
        self.folder = folder
        self.storage = storage
    }

    /// Writes an asset's files to `incoming`, flushes them and looks at what they hold.
    ///
    /// - Parameter number: The asset's number in the library, for names where none was given.
    /// - Throws: `PHPhotosError` or `StorageError`.
    mutating func add(_ draft: AssetDraft, number: Int64) throws -> Asset {
        let types = draft.resources.map(\.type)
        guard let primary = types.first(where: { $0 == .photo || $0 == .video }) else {
            throw PHPhotosError(.missingResource, "an asset needs a photo or a video; add one to its creation request")
        }
        guard PHAssetCreationRequest.supports(types) else {
            throw PHPhotosError(
                .invalidResource,
                "no asset can be made of \(types.map { "\($0)" }.joined(separator: ", "));"
                    + " it is one photo, with an alternate photo and a paired video if need be, or one video")
        }
        let stem = draft.localIdentifier.prefix { $0 != "/" }
        var resources: [Resource] = []
        var primaryFacts: MediaFacts?
        for (position, resource) in draft.resources.sorted(by: { $0.type == primary && $1.type != primary })
            .enumerated()
        {
            let partial = folder.incoming("\(stem)-\(position)")
            let byteCount = try write(resource.content, to: partial)
            let facts = try inspector.facts(of: partial, resource, storage: storage)
            let fileName =
                position == 0
                ? "\(stem).\(facts.kind.fileExtension)" : "\(stem)-\(position).\(facts.kind.fileExtension)"
            moves.append(Move(source: partial, destination: folder.original(fileName)))
            resources.append(
                Resource(
                    type: resource.type,
                    uniformTypeIdentifier: resource.uniformTypeIdentifier ?? facts.kind.uniformTypeIdentifier,
                    originalFilename: resource.name(number: number, kind: facts.kind), fileName: fileName,
                    byteCount: byteCount, pixelWidth: facts.pixelWidth, pixelHeight: facts.pixelHeight))
            if position == 0 { primaryFacts = facts }
        }
        guard let facts = primaryFacts else { throw PHPhotosError(.missingResource, "an asset needs a file") }
        let thumbnailName = "\(stem).jpg"
        let partial = folder.incoming("\(stem)-thumbnail")
        _ = try write(.data(facts.thumbnail), to: partial)
        moves.append(Move(source: partial, destination: folder.thumbnail(thumbnailName)))
        return Asset(
            mediaType: primary == .photo ? .image : .video,
            mediaSubtypes: types.contains(.pairedVideo) ? .photoLive : [], facts: facts,
            thumbnailName: thumbnailName, resources: resources)
    }

    /// Puts all files in place and makes that last.
    mutating func settle() throws(StorageError) {
        guard !moves.isEmpty else { return }
        for move in moves {
            try storage.rename(move.source, to: move.destination)
            made.append(move.destination)
        }
        try storage.flushDirectory(folder.originals)
        try storage.flushDirectory(folder.thumbnails)
        // A storage that takes everything and keeps nothing, as when the power is going, must not reach the index.
        for move in moves where !storage.fileExists(at: move.destination) {
            throw StorageError(.notFound, .rename, path: move.destination.path)
        }
        moves = []
    }

    /// Removes what was written.
    func undo() {
        for url in made where storage.fileExists(at: url) {
            // What stays behind goes when the library is next opened.
            try? storage.remove(url)
        }
    }

    private mutating func write(_ content: ResourceDraft.Content, to url: URL) throws -> Int64 {
        made.append(url)
        let file = try storage.create(url)
        let byteCount: Int64
        switch content {
        case .data(let data):
            try file.write(data, at: 0)
            byteCount = Int64(data.count)
        case .file(let source):
            byteCount = try copy(source, to: file)
        }
        try file.flush()
        try file.close()
        return byteCount
    }

    private func copy(_ source: URL, to file: any StorageFile) throws -> Int64 {
        let input: any StorageFile
        do throws(StorageError) {
            input = try storage.open(source, for: .reading)
        } catch {
            throw PHPhotosError(
                .missingResource, "\(source.path) cannot be imported: \(error.description)", cause: error)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.copyByteCount, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try input.read(into: buffer, at: offset)
            if count == 0 { break }
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            offset += Int64(count)
        }
        try input.close()
        return offset
    }
}

extension ResourceDraft {
    /// The name to remember: the given one, the file's, or one as cameras give.
    fileprivate func name(number: Int64, kind: MediaKind) -> String {
        if let originalFilename, !originalFilename.isEmpty { return originalFilename }
        if case .file(let url) = content { return url.lastPathComponent }
        let digits = String(number)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return "IMG_\(padding)\(digits).\(kind.fileExtension.uppercased())"
    }
}
