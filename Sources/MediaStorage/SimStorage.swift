public import Foundation
import MediaTypes

/// A storage that wraps another one and simulates limited space and faults.
///
/// Operations that change the storage (`create`, `write`, `truncate`, `flush`, `rename`, `remove`, `createDirectory`)
/// are counted from 1; a fault applies to the operation with a given number.
public final class SimStorage: CaptureStorage {
    /// The effect of a fault on its operation.
    public enum Fault: Sendable, Hashable {
        /// The operation fails and changes nothing; later ones succeed.
        case fail(StorageError.Code)
        /// A write stores its first bytes and fails; other operations only fail.
        case cut(keepingByteCount: Int, StorageError.Code)
        /// The operation and all later changes are discarded without an error, as after a power loss.
        case powerLoss
    }

    /// An operation that changed the storage or attempted to.
    public struct Operation: Sendable, Hashable {
        public let kind: StorageError.Operation
        public let path: String
        /// The size of a write, otherwise 0.
        public let byteCount: Int
    }

    private struct State {
        /// The number of bytes that can still be written; nil for the limit of the base.
        var freeByteCount: Int64?
        var faults: [Int: Fault] = [:]
        var operations: [Operation] = []
        var hasLostPower = false
    }

    private let base: any CaptureStorage
    private let state: Lock<State>

    /// Creates a storage without faults.
    ///
    /// - Parameters:
    ///   - base: The storage that stores the files.
    ///   - freeByteCount: The number of bytes that can be written; nil for the limit of `base`.
    public init(over base: any CaptureStorage = DiskStorage(), freeByteCount: Int64? = nil) {
        self.base = base
        state = Lock(State(freeByteCount: freeByteCount), order: .primitive)
    }

    /// The number of bytes that can still be written; nil for the limit of the base. Set to 0 to simulate a full disk.
    public var freeByteCount: Int64? {
        get { state.withLock { $0.freeByteCount } }
        set { state.withLock { $0.freeByteCount = newValue } }
    }

    /// Injects a fault into the operation with a number; the first operation is 1.
    public func inject(_ fault: Fault, atOperation number: Int) {
        state.withLock { $0.faults[number] = fault }
    }

    /// The operations so far, in order.
    public var operations: [Operation] { state.withLock { $0.operations } }

    public func availableByteCount(at url: URL) throws(StorageError) -> Int64 {
        if let free = freeByteCount { return free }
        return try base.availableByteCount(at: url)
    }

    public func fileExists(at url: URL) -> Bool { base.fileExists(at: url) }

    public func contents(ofDirectory url: URL) throws(StorageError) -> [String] {
        try base.contents(ofDirectory: url)
    }

    public func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile {
        switch decide(.create, url) {
        case .proceed: return SimFile(try base.create(url, permissions: permissions), in: self)
        case .fail(let code, _): throw StorageError(code, .create, path: url.path)
        case .discard: return SimFile(DiscardingFile(url), in: self)
        }
    }

    public func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile {
        SimFile(try base.open(url, for: access), in: self)
    }

    public func rename(_ source: URL, to destination: URL) throws(StorageError) {
        try perform(.rename, source) { () throws(StorageError) in try base.rename(source, to: destination) }
    }

    public func remove(_ url: URL) throws(StorageError) {
        let size = byteCount(of: url)
        defer { if !base.fileExists(at: url) { freeBytes(size) } }
        try perform(.remove, url) { () throws(StorageError) in try base.remove(url) }
    }

    public func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {
        try perform(.createDirectory, url) { () throws(StorageError) in
            try base.createDirectory(url, permissions: permissions)
        }
    }

    public func flushDirectory(_ url: URL) throws(StorageError) {
        try perform(.flush, url) { () throws(StorageError) in try base.flushDirectory(url) }
    }

    /// The outcome of an operation.
    enum Outcome {
        case proceed
        /// Fails after the first bytes of a write were stored.
        case fail(StorageError.Code, keepingByteCount: Int)
        /// Discards the change without an error.
        case discard
    }

    /// Records an operation and decides on its outcome; `growth` is the number of bytes by which a file would grow.
    func decide(_ kind: StorageError.Operation, _ url: URL, byteCount: Int = 0, growth: Int64 = 0) -> Outcome {
        state.withLock { state in
            state.operations.append(Operation(kind: kind, path: url.path, byteCount: byteCount))
            if state.hasLostPower { return .discard }
            switch state.faults[state.operations.count] {
            case .fail(let code): return .fail(code, keepingByteCount: 0)
            case .cut(let kept, let code): return .fail(code, keepingByteCount: min(kept, byteCount))
            case .powerLoss:
                state.hasLostPower = true
                return .discard
            case nil: break
            }
            guard let free = state.freeByteCount, growth > 0 || kind == .create else { return .proceed }
            if kind == .create { return free > 0 ? .proceed : .fail(.diskFull, keepingByteCount: 0) }
            guard growth > free else {
                state.freeByteCount = free - growth
                return .proceed
            }
            // Like write(2), write the bytes that fit, then fail with ENOSPC. Overwriting existing bytes always
            // succeeds.
            state.freeByteCount = 0
            return .fail(.diskFull, keepingByteCount: byteCount - Int(growth - free))
        }
    }

    /// Makes the space of a removed or truncated file available again.
    func freeBytes(_ byteCount: Int64) {
        state.withLock { state in
            if let free = state.freeByteCount { state.freeByteCount = free + max(0, byteCount) }
        }
    }

    /// Returns the size of a file; 0 if it cannot be read, for example a folder.
    private func byteCount(of url: URL) -> Int64 {
        (try? base.open(url, for: .reading).byteCount()) ?? 0
    }

    private func perform(
        _ kind: StorageError.Operation, _ url: URL, _ action: () throws(StorageError) -> Void
    ) throws(StorageError) {
        switch decide(kind, url) {
        case .proceed: try action()
        case .fail(let code, _): throw StorageError(code, kind, path: url.path)
        case .discard: return
        }
    }
}
