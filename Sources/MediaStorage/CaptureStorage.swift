public import Foundation

/// A file system; the package reads and writes all stored data through one.
///
/// - Important: Thread-safe.
public protocol CaptureStorage: AnyObject, Sendable {
    /// Returns the number of bytes available on the volume of `url` or of its nearest existing parent folder.
    func availableByteCount(at url: URL) throws(StorageError) -> Int64
    /// Whether a file or folder exists.
    func fileExists(at url: URL) -> Bool
    /// Returns the names in a folder, sorted.
    func contents(ofDirectory url: URL) throws(StorageError) -> [String]
    /// Creates an empty file for reading and writing.
    ///
    /// - Throws: `.alreadyExists` if the file exists; it is not changed.
    func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile
    /// Opens an existing file.
    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile
    /// Moves a file within a volume, atomically.
    ///
    /// - Throws: `.alreadyExists` if `destination` exists; it is not replaced.
    func rename(_ source: URL, to destination: URL) throws(StorageError)
    /// Removes a file or an empty folder.
    func remove(_ url: URL) throws(StorageError)
    /// Creates a folder and its missing parents; succeeds if the folder exists. The permissions of existing folders are
    /// not changed.
    func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError)
    /// Flushes earlier creations, renames and removals in a folder, so that they survive a power loss.
    func flushDirectory(_ url: URL) throws(StorageError)
}

extension CaptureStorage {
    /// Creates an empty file with the standard permissions, for reading and writing.
    ///
    /// - Throws: `.alreadyExists` if the file exists; it is not changed.
    public func create(_ url: URL) throws(StorageError) -> any StorageFile {
        try create(url, permissions: .standard)
    }

    /// Creates a folder and its missing parents with the standard permissions; succeeds if the folder exists.
    public func createDirectory(_ url: URL) throws(StorageError) {
        try createDirectory(url, permissions: .standard)
    }
}

/// The permissions of a new file or folder.
public enum StoragePermissions: Sendable, Hashable {
    /// The default of the operating system: 0666 for files and 0777 for folders, less the umask.
    case standard
    /// Access for the owner only: 0600 for files and 0700 for folders, less the umask.
    case ownerOnly
}

/// The access for which an existing file is opened.
public enum StorageAccess: Sendable, Hashable {
    case reading, updating
}

/// An open file.
///
/// - Important: Thread-safe. Releasing the last reference closes the file.
public protocol StorageFile: AnyObject, Sendable {
    var url: URL { get }
    /// Returns the size of the file in bytes.
    func byteCount() throws(StorageError) -> Int64
    /// Writes all bytes at `offset`, extending the file if necessary; after an error, some may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError)
    /// Reads bytes from `offset`, at most to the end of the file.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int
    /// Changes the size of the file.
    func truncate(to byteCount: Int64) throws(StorageError)
    /// Flushes written data, so that it survives a power loss.
    func flush() throws(StorageError)
    /// Closes the file. Closing again has no effect; any other call then throws `.closed`.
    func close() throws(StorageError)
    /// Returns the date at which the contents were last changed; nil if the storage has no dates.
    func modificationDate() throws(StorageError) -> Date?
    /// Sets the date at which the contents were last changed, until they are written again. Has no effect if the storage has
    /// no dates.
    func setModificationDate(_ date: Date) throws(StorageError)
}

extension StorageFile {
    /// Nil: the default is a storage without dates.
    public func modificationDate() throws(StorageError) -> Date? { nil }

    /// Has no effect: the default is a storage without dates.
    public func setModificationDate(_ date: Date) throws(StorageError) {}

    /// Writes all bytes of `data` at `offset`.
    public func write(_ data: Data, at offset: Int64) throws(StorageError) {
        let result = data.withUnsafeBytes { bytes -> Result<Void, StorageError> in
            Result { () throws(StorageError) in try write(bytes, at: offset) }
        }
        try result.get()
    }
}

/// A file system error.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case diskFull, alreadyExists, notFound, notPermitted, notADirectory, notAFile, inputOutput, closed
    }

    /// The operation that failed.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case query, list, create, open, read, write, truncate, flush, rename, remove, createDirectory, close
        case setModificationDate
    }

    public let code: Code
    public let operation: Operation
    public let path: String
    /// A reason that is more specific than the code; nil if there is none.
    public let reason: String?

    /// Creates an error of an operation on a path.
    public init(_ code: Code, _ operation: Operation, path: String, reason: String? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
        self.reason = reason
    }

    /// A sentence with the operation, the path and the reason.
    public var description: String {
        let reason =
            switch code {
            case .diskFull: "the disk is full"
            case .alreadyExists: "the file or folder already exists"
            case .notFound: "no such file or folder"
            case .notPermitted: "permission denied"
            case .notADirectory: "a component of the path is not a folder"
            case .notAFile: "the path is not a regular file"
            case .inputOutput: "input/output error"
            case .closed: "the file is closed"
            }
        return "cannot \(operation.verb) \(path): \(self.reason ?? reason)"
    }
}

extension StorageError.Operation {
    var verb: String {
        switch self {
        case .query: "query"
        case .list: "list"
        case .create: "create"
        case .open: "open"
        case .read: "read"
        case .write: "write"
        case .truncate: "truncate"
        case .flush: "flush"
        case .rename: "rename"
        case .remove: "remove"
        case .createDirectory: "create the folder"
        case .close: "close"
        case .setModificationDate: "set the date of"
        }
    }
}
