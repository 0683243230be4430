import Foundation
import MediaStorage
import MediaTypes

/// A disk storage that calls a closure of the test before each creation, write, read, truncation, renaming, flush and
/// listing of a folder.
final class CallbackStorage: CaptureStorage {
    private struct State: Sendable {
        var operationCount = 0
        var action: (@Sendable (Int) -> Void)?
    }

    private let base = DiskStorage()
    private let state = Lock(State())

    /// Sets the closure that receives the number of each further operation, starting at 1; nil removes it.
    func onOperation(_ action: (@Sendable (Int) -> Void)?) {
        state.withLock { $0 = State(action: action) }
    }

    /// The number of operations since the action was set.
    var operationCount: Int { state.withLock { $0.operationCount } }

    fileprivate func willPerformOperation() {
        let (action, count) = state.withLock { state in
            state.operationCount += 1
            return (state.action, state.operationCount)
        }
        action?(count)
    }

    func availableByteCount(at url: URL) throws(StorageError) -> Int64 { try base.availableByteCount(at: url) }
    func fileExists(at url: URL) -> Bool { base.fileExists(at: url) }

    func contents(ofDirectory url: URL) throws(StorageError) -> [String] {
        willPerformOperation()
        return try base.contents(ofDirectory: url)
    }

    func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile {
        willPerformOperation()
        return CallbackFile(try base.create(url, permissions: permissions), in: self)
    }

    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile {
        CallbackFile(try base.open(url, for: access), in: self)
    }

    func rename(_ source: URL, to destination: URL) throws(StorageError) {
        willPerformOperation()
        try base.rename(source, to: destination)
    }

    func remove(_ url: URL) throws(StorageError) { try base.remove(url) }

    func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {
        try base.createDirectory(url, permissions: permissions)
    }

    func flushDirectory(_ url: URL) throws(StorageError) {
        willPerformOperation()
        try base.flushDirectory(url)
    }
}

/// A file of a `CallbackStorage`.
private final class CallbackFile: StorageFile {
    private let base: any StorageFile
    private let storage: CallbackStorage

    init(_ base: any StorageFile, in storage: CallbackStorage) {
        self.base = base
        self.storage = storage
    }

    var url: URL { base.url }
    func byteCount() throws(StorageError) -> Int64 { try base.byteCount() }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        storage.willPerformOperation()
        try base.write(bytes, at: offset)
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        storage.willPerformOperation()
        return try base.read(into: bytes, at: offset)
    }

    func truncate(to byteCount: Int64) throws(StorageError) {
        storage.willPerformOperation()
        try base.truncate(to: byteCount)
    }

    func flush() throws(StorageError) {
        storage.willPerformOperation()
        try base.flush()
    }

    func close() throws(StorageError) { try base.close() }
}
