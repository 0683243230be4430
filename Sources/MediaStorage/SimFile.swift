import Foundation
import MediaTypes

/// A file of a `SimStorage`, which decides the outcome of each change.
final class SimFile: StorageFile {
    private let base: any StorageFile
    private let storage: SimStorage

    init(_ base: any StorageFile, in storage: SimStorage) {
        self.base = base
        self.storage = storage
    }

    var url: URL { base.url }

    func byteCount() throws(StorageError) -> Int64 { try base.byteCount() }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        let growth = max(0, offset + Int64(bytes.count) - (try base.byteCount()))
        switch storage.decide(.write, url, byteCount: bytes.count, growth: growth) {
        case .proceed:
            try base.write(bytes, at: offset)
        case .fail(let code, let kept):
            if kept > 0 { try base.write(UnsafeRawBufferPointer(rebasing: bytes[..<kept]), at: offset) }
            throw StorageError(code, .write, path: url.path)
        case .discard:
            return
        }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        try base.read(into: bytes, at: offset)
    }

    func truncate(to byteCount: Int64) throws(StorageError) {
        let old = try base.byteCount()
        try perform(.truncate) { () throws(StorageError) in
            try base.truncate(to: byteCount)
            storage.freeBytes(old - byteCount)
        }
    }

    func flush() throws(StorageError) {
        try perform(.flush) { () throws(StorageError) in try base.flush() }
    }

    func close() throws(StorageError) { try base.close() }

    func modificationDate() throws(StorageError) -> Date? { try base.modificationDate() }

    /// No fault affects dates, which are no data.
    func setModificationDate(_ date: Date) throws(StorageError) { try base.setModificationDate(date) }

    private func perform(
        _ kind: StorageError.Operation, _ action: () throws(StorageError) -> Void
    ) throws(StorageError) {
        switch storage.decide(kind, url) {
        case .proceed: try action()
        case .fail(let code, _): throw StorageError(code, kind, path: url.path)
        case .discard: return
        }
    }
}

/// A file that was created after a simulated power loss: it accepts and discards all writes.
final class DiscardingFile: StorageFile {
    let url: URL
    private let size = Lock<Int64>(0)

    init(_ url: URL) { self.url = url }

    func byteCount() throws(StorageError) -> Int64 { size.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        size.withLock { $0 = max($0, offset + Int64(bytes.count)) }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int { 0 }

    func truncate(to byteCount: Int64) throws(StorageError) { size.withLock { $0 = byteCount } }

    func flush() throws(StorageError) {}

    func close() throws(StorageError) {}
}
