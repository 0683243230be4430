public import Foundation

/// The file system as the rest of the package sees it; every byte that is kept goes through one.
///
/// - Important: Thread-safe.
public protocol CaptureStorage: AnyObject, Sendable {
    /// Bytes that can still be written on the volume that holds `url` or its nearest existing parent folder.
    func availableByteCount(at url: URL) throws(StorageError) -> Int64
    func fileExists(at url: URL) -> Bool
    /// The names in a folder, sorted.
    func contents(ofDirectory url: URL) throws(StorageError) -> [String]
    /// Makes a new, empty file that can be written and read.
    ///
    /// - Throws: `.alreadyExists` where there is one; it stays as it is.
    func create(_ url: URL) throws(StorageError) -> any StorageFile
    /// Opens a file that exists.
    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile
    /// Moves a file within a volume, atomically.
    ///
    /// - Throws: `.alreadyExists` where `destination` exists; nothing is replaced.
    func rename(_ source: URL, to destination: URL) throws(StorageError)
    func remove(_ url: URL) throws(StorageError)
    /// Makes a folder and the parents it lacks; one that exists is fine.
    func createDirectory(_ url: URL) throws(StorageError)
    /// Makes earlier creations, renames and removals in the folder survive a loss of power.
    func flushDirectory(_ url: URL) throws(StorageError)
}

/// How an existing file is opened.
public enum StorageAccess: Sendable, Hashable {
    case reading, updating
}

/// An open file.
///
/// - Important: Thread-safe. Releasing the last reference closes the file.
public protocol StorageFile: AnyObject, Sendable {
    var url: URL { get }
    func byteCount() throws(StorageError) -> Int64
    /// Writes all bytes at `offset`, growing the file where needed; on an error some may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError)
    /// Fills `bytes` from `offset` as far as the file goes.
    ///
    /// - Returns: The number of bytes read, less than asked only at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int
    func truncate(to byteCount: Int64) throws(StorageError)
    /// Makes what was written survive a loss of power.
    func flush() throws(StorageError)
    /// Closes the file; more calls do nothing, and any other call after it throws `.closed`.
    func close() throws(StorageError)
}

extension StorageFile {
    /// Writes all bytes of `data` at `offset`.
    public func write(_ data: Data, at offset: Int64) throws(StorageError) {
        let result = data.withUnsafeBytes { bytes -> Result<Void, StorageError> in
            Result { () throws(StorageError) in try write(bytes, at: offset) }
        }
        try result.get()
    }
}

/// What went wrong in the file system.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case diskFull, alreadyExists, notFound, notPermitted, notADirectory, notAFile, inputOutput, closed
    }

    /// What was being done.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case query, list, create, open, read, write, truncate, flush, rename, remove, createDirectory, close
    }

    public let code: Code
    public let operation: Operation
    public let path: String

    public init(_ code: Code, _ operation: Operation, path: String) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    public var description: String {
        let reason =
            switch code {
            case .diskFull: "the disk is full"
            case .alreadyExists: "it exists already"
            case .notFound: "there is no such file or folder"
            case .notPermitted: "permission was denied"
            case .notADirectory: "a part of the path is not a folder"
            case .notAFile: "it is a folder or a device, and no file"
            case .inputOutput: "an input or output error occurred"
            case .closed: "the file is closed"
            }
        return "cannot \(operation.verb) \(path): \(reason)"
    }
}

extension StorageError.Operation {
    var verb: String {
        switch self {
        case .query: "look at"
        case .list: "list"
        case .create: "create"
        case .open: "open"
        case .read: "read"
        case .write: "write"
        case .truncate: "shorten"
        case .flush: "flush"
        case .rename: "rename"
        case .remove: "remove"
        case .createDirectory: "make the folder"
        case .close: "close"
        }
    }
}
