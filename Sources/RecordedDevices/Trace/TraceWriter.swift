import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import PixelKernels

/// A writer that appends events to a trace, each completely or not at all.
///
/// Media bytes are written before the line that refers to them, so that the reference is valid even after a crash.
/// - Important: Confined to one thread at a time.
final class TraceWriter {
    let folder: URL
    private let index: any StorageFile
    private let media: any StorageFile
    private let storage: any CaptureStorage
    private var indexEnd: Int64 = 0
    private(set) var mediaEnd: Int64 = 0
    /// The maximum size of the media file. Bytes beyond it are not stored.
    let byteLimit: Int64
    private var isOverLimit = false
    /// The stored blobs, by their content.
    private var blobs: [Content: TraceBlob] = [:]

    /// The key by which equal bytes are stored only once.
    private struct Content: Hashable {
        var checksum: UInt64
        var count: Int
        var rows: [TracePacking.Rows]
    }

    /// Creates a trace.
    ///
    /// - Throws: `.invalidSource` if the folder already contains a trace, `.notPermitted`, `.outOfResources` or
    ///   `.inputOutput`.
    init(_ folder: URL, storage: any CaptureStorage, byteLimit: Int64) throws(DeviceError) {
        self.folder = folder
        self.storage = storage
        self.byteLimit = byteLimit
        var created: [URL] = []
        do throws(StorageError) {
            try storage.createDirectory(folder)
            index = try storage.create(folder.appendingPathComponent(TraceFolder.index))
            created.append(index.url)
            media = try storage.create(folder.appendingPathComponent(TraceFolder.media))
            created.append(media.url)
            try append(TraceFolder.firstLine)
        } catch {
            // Remaining files would make a second attempt fail. If they cannot be removed, the first error is
            // sufficient.
            for url in created { try? storage.remove(url) }
            throw DeviceError(trace: folder, error)
        }
    }

    /// Appends an event.
    func write(_ event: TraceEvent) throws(StorageError) {
        try append(event.line.text)
    }

    /// Stores bytes, unless equal bytes are stored already.
    ///
    /// - Returns: The location of the bytes, and whether they are the first ones beyond the limit.
    func store(
        _ bytes: Data, rows: [TracePacking.Rows], skipsCompression: Bool
    ) throws(StorageError) -> (bytes: TraceBytes, reachesLimit: Bool) {
        let content = Content(checksum: TracePacking.checksum(bytes), count: bytes.count, rows: rows)
        if let blob = blobs[content] { return (.recorded(blob), false) }
        if isOverLimit { return (.overLimit, false) }
        let packing = TracePacking(bytes, rows: rows, skipsCompression: skipsCompression)
        guard mediaEnd + Int64(packing.stored.count) <= byteLimit else {
            isOverLimit = true
            return (.overLimit, true)
        }
        let blob = try storePacked(
            packing.stored,
            TraceBlob(
                coding: packing.coding, offset: 0, storedCount: packing.stored.count, count: bytes.count,
                checksum: content.checksum))
        blobs[content] = blob
        return (.recorded(blob), false)
    }

    /// Appends encoded bytes and returns their location.
    func storePacked(_ stored: Data, _ blob: TraceBlob) throws(StorageError) -> TraceBlob {
        var blob = blob
        blob.offset = mediaEnd
        try media.write(stored, at: mediaEnd)
        mediaEnd += Int64(stored.count)
        return blob
    }

    /// Ends the trace and flushes it to disk.
    func finish(at time: Int64) throws(StorageError) {
        try media.flush()
        try write(TraceEvent(time: time, content: .end))
        try index.flush()
        try index.close()
        try media.close()
        try storage.flushDirectory(folder)
    }

    private func append(_ line: String) throws(StorageError) {
        let data = Data((line + "\n").utf8)
        do throws(StorageError) {
            try index.write(data, at: indexEnd)
        } catch {
            // Part of the line may have been written. If it cannot be removed, readers ignore it as incomplete.
            try? index.truncate(to: indexEnd)
            throw error
        }
        indexEnd += Int64(data.count)
    }
}
