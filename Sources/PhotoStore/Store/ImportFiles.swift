import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage

/// The files that a change of the library adds, such as those of an import, while they are written.
///
/// - Important: Confined; used under the index's write lock.
struct ImportFiles {
    /// The files of an asset, with the names that they have after `commit()`.
    struct Asset {
        var mediaType: PHAssetMediaType
        var mediaSubtypes: PHAssetMediaSubtype
        /// The properties of the first resource, which is the one that is displayed.
        var properties: MediaProperties
        var creationDate: Date
        var thumbnail: Thumbnail
        var resources: [Resource]
    }

    struct Thumbnail {
        var name: String
        /// See `AssetRecord.thumbnailChecksum`.
        var checksum: String?
    }

    struct Resource {
        var type: PHAssetResourceType
        var uniformTypeIdentifier: String
        var originalFilename: String
        var fileName: String
        var byteCount: Int64
        /// See `ResourceRecord.checksum`.
        var checksum: String?
        var pixelWidth: Int
        var pixelHeight: Int
    }

    /// What was written to a file.
    private struct Written {
        var byteCount: Int64
        var checksum: String?
    }

    private struct Move {
        var partial: URL
        var pending: PendingFile
    }

    private static let copyByteCount = 1 << 20

    private let folder: LibraryFolder
    private let storage: any CaptureStorage
    private let inspector = MediaInspector()
    private let database: SQLiteConnection
    private let change: LibraryIndex.NextChange
    /// The names at the destinations of the complete files in `incoming`: those that an interruption has left, and those
    /// of `moves`.
    private var pendingNames: [PendingFile.Kind: Set<String>] = [:]
    /// The files that have been written.
    private var moves: [Move] = []
    /// All files that this import has created.
    private var created: [URL] = []

    init(folder: LibraryFolder, storage: any CaptureStorage, database: SQLiteConnection) throws {
        self.folder = folder
        self.storage = storage
        self.database = database
        change = try LibraryIndex.nextChange(database)
        let leftFiles = try storage.contents(ofDirectory: folder.incoming).compactMap(PendingFile.init(fileName:))
        for file in leftFiles { pendingNames[file.kind, default: []].insert(file.name) }
    }

    /// Writes an asset's files to `incoming`, flushes them and reads their properties.
    ///
    /// - Parameters:
    ///   - number: The asset's number in the library, used in the default file name.
    ///   - date: The current date.
    /// - Throws: `PHPhotosError` or `StorageError`.
    mutating func add(_ draft: AssetDraft, number: Int64, at date: Date) throws -> Asset {
        var draft = draft
        draft.resources = draft.resources.map { $0.photoIfFinished() }
        let types = draft.resources.map(\.type)
        guard let primary = types.first(where: { [.photo, .photoProxy, .video].contains($0) }) else {
            throw PHPhotosError(.missingResource, "an asset needs a photo or a video; add one to its creation request")
        }
        guard PHAssetCreationRequest.supports(types) else {
            throw PHPhotosError(
                .invalidResource,
                "an asset cannot consist of \(types.map { "\($0)" }.joined(separator: ", "));"
                    + " it must be one photo, optionally with an alternate photo and a paired video, or one video")
        }
        let stem = draft.localIdentifier.prefix { $0 != "/" }
        var resources: [Resource] = []
        var primaryProperties: MediaProperties?
        var creationDate = date
        for (position, resource) in draft.resources.sorted(by: { $0.type == primary && $1.type != primary })
            .enumerated()
        {
            let partial = folder.partial("\(stem)-\(position)")
            let written = try write(resource.content, to: partial)
            let properties = try inspector.properties(of: partial, resource, storage: storage)
            if position == 0 { creationDate = draft.creationDate(inFile: properties.creationDate) ?? date }
            let originalFilename = resource.name(number: number, kind: properties.kind)
            let name = OriginalName(originalFilename, created: creationDate, kind: properties.kind)
            resources.append(
                Resource(
                    type: resource.type,
                    uniformTypeIdentifier: resource.uniformTypeIdentifier ?? properties.kind.uniformTypeIdentifier,
                    originalFilename: originalFilename,
                    fileName: try addMove(of: partial, toOriginal: name, number: number),
                    byteCount: written.byteCount, checksum: written.checksum, pixelWidth: properties.pixelWidth,
                    pixelHeight: properties.pixelHeight))
            if position == 0 { primaryProperties = properties }
        }
        guard let properties = primaryProperties else { throw PHPhotosError(.missingResource, "an asset needs a file") }
        return Asset(
            mediaType: primary == .video ? .video : .image,
            mediaSubtypes: properties.subtypes.union(types.contains(.pairedVideo) ? .photoLive : []),
            properties: properties, creationDate: creationDate,
            thumbnail: try add(thumbnail: properties.thumbnail, stem: String(stem)), resources: resources)
    }

    /// Writes the files of an edit of an asset.
    ///
    /// - Parameters:
    ///   - original: The name of the original in the index.
    ///   - number: A number that no other edit has, used in the file names.
    /// - Returns: The edited content and its adjustment data.
    /// - Throws: `PHPhotosError` or `StorageError`.
    mutating func add(
        _ edit: ContentEdit, to asset: AssetRecord, original: String, number: Int64
    ) throws -> Asset {
        guard let adjustment = edit.adjustment else {
            throw PHPhotosError(.invalidResource, "an edit needs adjustment data; set it in the content editing output")
        }
        let isPhoto = asset.mediaType == PHAssetMediaType.image.rawValue
        let stem = "\(asset.fileStem)-edit-\(number)"
        let draft = ResourceDraft(type: isPhoto ? .photo : .video, content: .file(edit.renderedContent))
        let partial = folder.partial(stem)
        let written = try write(draft.content, to: partial)
        let properties = try inspector.properties(of: partial, draft, storage: storage)
        func name(_ fileExtension: String) -> OriginalName {
            OriginalName(editOf: original, number: number, fileExtension: fileExtension)
        }
        let fileName = try addMove(of: partial, toOriginal: name(properties.kind.fileExtension), number: 2)
        let propertyList = folder.partial("\(stem)-adjustments")
        let writtenPropertyList = try write(.data(adjustment.propertyList()), to: propertyList)
        let propertyListName = try addMove(of: propertyList, toOriginal: name("plist"), number: 2)
        return Asset(
            mediaType: isPhoto ? .image : .video, mediaSubtypes: [], properties: properties,
            creationDate: Date(timeIntervalSince1970: asset.creationDate),
            thumbnail: try add(thumbnail: properties.thumbnail, stem: stem),
            resources: [
                Resource(
                    type: isPhoto ? .fullSizePhoto : .fullSizeVideo,
                    uniformTypeIdentifier: properties.kind.uniformTypeIdentifier,
                    originalFilename: "FullSizeRender.\(properties.kind.fileExtension)", fileName: fileName,
                    byteCount: written.byteCount, checksum: written.checksum, pixelWidth: properties.pixelWidth,
                    pixelHeight: properties.pixelHeight),
                Resource(
                    type: .adjustmentData, uniformTypeIdentifier: "com.apple.property-list",
                    originalFilename: "Adjustments.plist", fileName: propertyListName,
                    byteCount: writtenPropertyList.byteCount, checksum: writtenPropertyList.checksum, pixelWidth: 0,
                    pixelHeight: 0),
            ])
    }

    /// Writes the finished photo of a proxy.
    ///
    /// - Parameters:
    ///   - photo: The file of the photo.
    ///   - isDisplayed: Whether the asset shows the photo and not an edited one, and needs its thumbnail.
    /// - Returns: The photo, its properties, and its thumbnail if it is displayed.
    /// - Throws: `PHPhotosError` or `StorageError`.
    mutating func add(
        finishedPhoto photo: Data, of proxy: ResourceRecord, _ asset: AssetRecord, isDisplayed: Bool
    ) throws -> (Resource, MediaProperties, Thumbnail?) {
        let draft = ResourceDraft(type: .photo, content: .data(photo), originalFilename: proxy.originalFilename)
        let stem = "\(asset.fileStem)-finished"
        let partial = folder.partial(stem)
        let written = try write(draft.content, to: partial)
        let properties = try inspector.properties(of: partial, draft, storage: storage)
        let date = Date(timeIntervalSince1970: asset.creationDate)
        let name = OriginalName(proxy.originalFilename, created: date, kind: properties.kind)
        let resource = Resource(
            type: .photo, uniformTypeIdentifier: properties.kind.uniformTypeIdentifier,
            originalFilename: proxy.originalFilename,
            fileName: try addMove(of: partial, toOriginal: name, number: 2), byteCount: written.byteCount,
            checksum: written.checksum, pixelWidth: properties.pixelWidth, pixelHeight: properties.pixelHeight)
        return (resource, properties, isDisplayed ? try add(thumbnail: properties.thumbnail, stem: stem) : nil)
    }

    /// Creates the thumbnail of an asset again.
    ///
    /// - Parameters:
    ///   - url: The location of the original, or of the edited photo or movie.
    ///   - stem: The file name without its extension.
    /// - Returns: The properties of the file at `url`, and the thumbnail.
    mutating func restoreThumbnail(
        of asset: AssetRecord, from url: URL, stem: String
    ) throws -> (MediaProperties, Thumbnail) {
        let isPhoto = asset.mediaType == PHAssetMediaType.image.rawValue
        let draft = ResourceDraft(type: isPhoto ? .photo : .video, content: .file(url))
        let properties = try inspector.properties(of: url, draft, storage: storage)
        return (properties, try add(thumbnail: properties.thumbnail, stem: stem))
    }

    /// Writes a thumbnail, without flushing it: after a power failure it can be created again.
    private mutating func add(thumbnail: Data, stem: String) throws -> Thumbnail {
        let partial = folder.partial("\(stem)-thumbnail")
        let written = try write(.data(thumbnail), to: partial, flushes: false)
        var name = "\(stem).jpg"
        var number = 2
        while exists(.thumbnail, name) {
            name = "\(stem)~\(number).jpg"
            number += 1
        }
        addMove(of: partial, .thumbnail, name)
        return Thumbnail(name: name, checksum: written.checksum)
    }

    /// Adds an original, or a file of an edit, to those that the change moves to their destinations.
    ///
    /// - Parameter number: The first number in the name, if an equal one is in use.
    /// - Returns: The name of the file at its destination.
    private mutating func addMove(of partial: URL, toOriginal name: OriginalName, number: Int64) throws -> String {
        let path = try name.unusedPath(from: number) { path in
            try exists(.original, path) || LibraryIndex.refers(to: .original, path, database)
        }
        addMove(of: partial, .original, path)
        return path
    }

    private mutating func addMove(of partial: URL, _ kind: PendingFile.Kind, _ name: String) {
        let pending = PendingFile(index: change.index, change: change.number, kind: kind, name: name)
        moves.append(Move(partial: partial, pending: pending))
        pendingNames[kind, default: []].insert(name)
    }

    /// Whether a file has a name at its destination, or will have it.
    private func exists(_ kind: PendingFile.Kind, _ name: String) -> Bool {
        storage.fileExists(at: folder.destination(kind, name)) || pendingNames[kind]?.contains(name) ?? false
    }

    /// Marks the files as complete, and flushes their folder. After this, the change can be committed to the index.
    mutating func prepare() throws(StorageError) {
        guard !moves.isEmpty else { return }
        for move in moves where move.pending.kind == .original {
            try LibraryStore.createParent(of: folder.original(move.pending.name), folder, storage)
        }
        for move in moves {
            let url = folder.pending(move.pending)
            try storage.rename(move.partial, to: url)
            created.append(url)
        }
        try storage.flushDirectory(folder.incoming)
        // After a simulated power failure, the storage reports success without storing anything. The index must not
        // refer to such files.
        for move in moves where !storage.fileExists(at: folder.pending(move.pending)) {
            throw StorageError(.notFound, .rename, path: folder.destination(move.pending.kind, move.pending.name).path)
        }
    }

    /// Moves the files to their destinations after the commit.
    ///
    /// The change has succeeded already: a file that cannot be moved now is found in `incoming` and moved later. The
    /// folders need no flush for the same reason: after a power failure, the file has its old or its new name.
    func finish() {
        for move in moves {
            try? storage.rename(
                folder.pending(move.pending), to: folder.destination(move.pending.kind, move.pending.name))
        }
    }

    /// Removes all files of this import, unless it has been committed.
    func undo() {
        for url in created where storage.fileExists(at: url) {
            // The next change removes remaining files.
            try? storage.remove(url)
        }
    }

    private mutating func write(
        _ content: ResourceDraft.Content, to url: URL, flushes: Bool = true
    ) throws -> Written {
        created.append(url)
        let file = try storage.create(url, permissions: .ownerOnly)
        let checksum = SHA256()
        let byteCount: Int64
        switch content {
        case .data(let data):
            try file.write(data, at: 0)
            data.withUnsafeBytes { checksum?.add($0) }
            byteCount = Int64(data.count)
        case .file(let source):
            byteCount = try copy(source, to: file, adding: checksum)
        }
        if flushes { try file.flush() }
        try file.close()
        return Written(byteCount: byteCount, checksum: checksum?.hexadecimal())
    }

    /// Copies a file with its date, from which an index that is lost can be created again.
    private func copy(_ source: URL, to file: any StorageFile, adding checksum: SHA256?) throws -> Int64 {
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
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            try file.write(bytes, at: offset)
            checksum?.add(bytes)
            offset += Int64(count)
        }
        // Not every file system stores all dates; the photo is imported nevertheless.
        if let date = try? input.modificationDate() { try? file.setModificationDate(date) }
        try input.close()
        return offset
    }
}

extension AssetDraft {
    /// Returns the creation date of the asset; nil if it is not known.
    ///
    /// - Parameter date: The date in the file.
    fileprivate func creationDate(inFile date: Date?) -> Date? {
        edits.creationDate ?? date ?? resources.lazy.compactMap(\.fallbackCreationDate).first
    }
}

extension ResourceDraft {
    /// Returns the original file name: the given one, the name of the source file, or one in the style of a camera.
    fileprivate func name(number: Int64, kind: MediaKind) -> String {
        if let originalFilename, !originalFilename.isEmpty { return originalFilename }
        if case .file(let url) = content { return url.lastPathComponent }
        let digits = String(number)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return "IMG_\(padding)\(digits).\(kind.fileExtension.uppercased())"
    }
}
