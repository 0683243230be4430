import Foundation
import MediaStorage
import MediaTypes

/// Storage in memory.
final class MemoryStorage: CaptureStorage {
    private let files: Lock<[String: MemoryFile]>

    init(_ files: [String: Data] = [:]) {
        self.files = Lock(
            Dictionary(uniqueKeysWithValues: files.map { ($0.key, MemoryFile($0.value, path: $0.key)) }))
    }

    func availableByteCount(at url: URL) throws(StorageError) -> Int64 { 1 << 40 }
    func fileExists(at url: URL) -> Bool { files.withLock { $0[url.path] != nil } }
    func contents(ofDirectory url: URL) throws(StorageError) -> [String] { files.withLock { $0.keys.sorted() } }

    func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile {
        let file = MemoryFile(Data(), path: url.path)
        let isNew = files.withLock { files in
            if files[url.path] != nil { return false }
            files[url.path] = file
            return true
        }
        guard isNew else { throw StorageError(.alreadyExists, .create, path: url.path) }
        return file
    }

    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile {
        guard let file = files.withLock({ $0[url.path] }) else {
            throw StorageError(.notFound, .open, path: url.path)
        }
        return file
    }

    func rename(_ source: URL, to destination: URL) throws(StorageError) {
        files.withLock { $0[destination.path] = $0.removeValue(forKey: source.path) }
    }

    func remove(_ url: URL) throws(StorageError) { files.withLock { $0[url.path] = nil } }
    func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {}
    func flushDirectory(_ url: URL) throws(StorageError) {}
}

/// A file in memory.
final class MemoryFile: StorageFile {
    let url: URL
    private let data: Lock<[UInt8]>

    init(_ data: some Sequence<UInt8>, path: String = "/memory") {
        url = URL(fileURLWithPath: path)
        self.data = Lock(Array(data))
    }

    func byteCount() throws(StorageError) -> Int64 { Int64(data.withLock { $0.count }) }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        // SAFETY: the caller's memory is not used after the call.
        nonisolated(unsafe) let bytes = bytes
        return data.withLock { data in
            guard offset >= 0, offset < Int64(data.count) else { return 0 }
            let part = data[Int(offset)...].prefix(bytes.count)
            bytes.copyBytes(from: part)
            return part.count
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        // SAFETY: the caller's memory is not used after the call.
        nonisolated(unsafe) let bytes = bytes
        data.withLock { data in
            let end = Int(offset) + bytes.count
            if data.count < end { data += [UInt8](repeating: 0, count: end - data.count) }
            data.replaceSubrange(Int(offset)..<end, with: bytes)
        }
    }

    func truncate(to byteCount: Int64) throws(StorageError) {
        data.withLock { data in
            let missing = Int(byteCount) - data.count
            if missing > 0 { data += [UInt8](repeating: 0, count: missing) } else { data.removeLast(-missing) }
        }
    }

    func flush() throws(StorageError) {}
    func close() throws(StorageError) {}
}
