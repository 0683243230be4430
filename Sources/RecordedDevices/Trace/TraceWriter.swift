import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import PixelKernels

/// Appends events to a trace, each whole or not at all.
///
/// Bytes of media are written before the line that names them, so that what a line tells is there also after a crash.
/// - Important: Confined.
final class TraceWriter {
    let folder: URL
    private let index: any StorageFile
    private let media: any StorageFile
    private let storage: any CaptureStorage
    private var indexEnd: Int64 = 0
    private(set) var mediaEnd: Int64 = 0
    /// The end of the trace's media, beyond which none are kept.
    let byteLimit: Int64
    private var isOverLimit = false
    private var known: [Content: TraceBlob] = [:]

    /// What makes two pieces of media the same: checksums of 64 bits differ by more than chance.
    private struct Content: Hashable {
        var checksum: UInt64
        var count: Int
        var rows: [TracePacking.Rows]
    }

    /// Makes a new trace.
    ///
    /// - Throws: `.invalidSource` where the folder holds a trace already, `.notPermitted`, `.outOfResources` or
    ///   `.inputOutput`.
    init(_ folder: URL, storage: any CaptureStorage, byteLimit: Int64) throws(DeviceError) {
        self.folder = folder
        self.storage = storage
        self.byteLimit = byteLimit
        var made: [URL] = []
        do throws(StorageError) {
            try storage.createDirectory(folder)
            index = try storage.create(folder.appendingPathComponent(TraceFolder.index))
            made.append(index.url)
            media = try storage.create(folder.appendingPathComponent(TraceFolder.media))
            made.append(media.url)
            try append(TraceFolder.firstLine)
        } catch {
            // What is left would stand in the way of a second attempt; the first error says enough.
            for url in made { try? storage.remove(url) }
            throw DeviceError(trace: folder, error)
        }
    }

    func write(_ event: TraceEvent) throws(StorageError) {
        try append(event.line.text)
    }

    /// Keeps bytes, or finds them among those kept already.
    ///
    /// - Returns: Where they are, and whether with these the limit was met for the first time.
    func keep(
        _ bytes: Data, rows: [TracePacking.Rows], isHurried: Bool
    ) throws(StorageError) -> (bytes: TraceBytes, meetsLimit: Bool) {
        let content = Content(checksum: TracePacking.checksum(bytes), count: bytes.count, rows: rows)
        if let blob = known[content] { return (.kept(blob), false) }
        if isOverLimit { return (.overLimit, false) }
        let packing = TracePacking(bytes, rows: rows, isHurried: isHurried)
        guard mediaEnd + Int64(packing.stored.count) <= byteLimit else {
            isOverLimit = true
            return (.overLimit, true)
        }
        let blob = try store(
            packing.stored,
            TraceBlob(
                coding: packing.coding, offset: 0, storedCount: packing.stored.count, count: bytes.count,
                checksum: content.checksum))
        known[content] = blob
        return (.kept(blob), false)
    }

    /// Appends bytes that are packed already.
    func store(_ stored: Data, _ blob: TraceBlob) throws(StorageError) -> TraceBlob {
        var blob = blob
        blob.offset = mediaEnd
        try media.write(stored, at: mediaEnd)
        mediaEnd += Int64(stored.count)
        return blob
    }

    /// Makes all that was written survive a loss of power.
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
            // A part of the line may be there; where it cannot be taken back, readers drop it as torn.
            try? index.truncate(to: indexEnd)
            throw error
        }
        indexEnd += Int64(data.count)
    }
}
