public import Foundation
import MediaTypes

/// A storage over another one, with a set amount of room and with faults on order.
///
/// Operations that change the store (`create`, `write`, `truncate`, `flush`, `rename`, `remove`, `createDirectory`)
/// are counted from 1 over the whole storage; a fault names the count at which it strikes.
public final class SimStorage: CaptureStorage {
    /// What happens to the operation that a fault names.
    public enum Fault: Sendable, Hashable {
        /// It fails and changes nothing; later ones work.
        case fail(StorageError.Code)
        /// A write keeps its first bytes and fails; other operations just fail.
        case cut(keepingByteCount: Int, StorageError.Code)
        /// It and all later changes are lost without an error, as when the power goes.
        case powerLoss
    }

    /// One operation that changed the store or tried to.
    public struct Operation: Sendable, Hashable {
        public let kind: StorageError.Operation
        public let path: String
        /// The bytes of a write, else 0.
        public let byteCount: Int
    }

    private struct State {
        /// Bytes that can still be written; nil takes what the base has.
        var freeByteCount: Int64?
        var faults: [Int: Fault] = [:]
        var operations: [Operation] = []
        var hasLostPower = false
    }

    private let base: any CaptureStorage
    private let state: Lock<State>

    /// - Parameter freeByteCount: The room left, in bytes; nil takes what `base` has.
    public init(over base: any CaptureStorage = DiskStorage(), freeByteCount: Int64? = nil) {
        self.base = base
        state = Lock(State(freeByteCount: freeByteCount), order: .primitive)
    }

    /// The room left in bytes, or nil for the base's own; set it to 0 for a disk that is full now.
    public var freeByteCount: Int64? {
        get { state.withLock { $0.freeByteCount } }
        set { state.withLock { $0.freeByteCount = newValue } }
    }

    /// Orders a fault for the operation with that count; the first operation is 1.
    public func order(_ fault: Fault, atOperation count: Int) {
        state.withLock { $0.faults[count] = fault }
    }

    /// What was done so far, in order.
    public var operations: [Operation] { state.withLock { $0.operations } }

    public func availableByteCount(at url: URL) throws(StorageError) -> Int64 {
        if let free = freeByteCount { return free }
        return try base.availableByteCount(at: url)
    }

    public func fileExists(at url: URL) -> Bool { base.fileExists(at: url) }

    public func contents(ofDirectory url: URL) throws(StorageError) -> [String] {
        try base.contents(ofDirectory: url)
    }

    public func create(_ url: URL) throws(StorageError) -> any StorageFile {
        switch decide(.create, url) {
        case .proceed: return SimFile(try base.create(url), in: self)
        case .fail(let code, _): throw StorageError(code, .create, path: url.path)
        case .lose: return SimFile(LostFile(url), in: self)
        }
    }

    public func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile {
        SimFile(try base.open(url, for: access), in: self)
    }

    public func rename(_ source: URL, to destination: URL) throws(StorageError) {
        try perform(.rename, source) { () throws(StorageError) in try base.rename(source, to: destination) }
    }

    public func remove(_ url: URL) throws(StorageError) {
        let held = byteCount(of: url)
        defer { if !base.fileExists(at: url) { giveBack(held) } }
        try perform(.remove, url) { () throws(StorageError) in try base.remove(url) }
    }

    public func createDirectory(_ url: URL) throws(StorageError) {
        try perform(.createDirectory, url) { () throws(StorageError) in try base.createDirectory(url) }
    }

    public func flushDirectory(_ url: URL) throws(StorageError) {
        try perform(.flush, url) { () throws(StorageError) in try base.flushDirectory(url) }
    }

    /// What becomes of one operation.
    enum Verdict {
        case proceed
        case fail(StorageError.Code, keepingByteCount: Int)
        case lose
    }

    /// Counts an operation and says what becomes of it; `growth` is by how many bytes a file would grow.
    func decide(_ kind: StorageError.Operation, _ url: URL, byteCount: Int = 0, growth: Int64 = 0) -> Verdict {
        state.withLock { state in
            state.operations.append(Operation(kind: kind, path: url.path, byteCount: byteCount))
            if state.hasLostPower { return .lose }
            switch state.faults[state.operations.count] {
            case .fail(let code): return .fail(code, keepingByteCount: 0)
            case .cut(let kept, let code): return .fail(code, keepingByteCount: min(kept, byteCount))
            case .powerLoss:
                state.hasLostPower = true
                return .lose
            case nil: break
            }
            guard let free = state.freeByteCount, growth > 0 || kind == .create else { return .proceed }
            if kind == .create { return free > 0 ? .proceed : .fail(.diskFull, keepingByteCount: 0) }
            guard growth > free else {
                state.freeByteCount = free - growth
                return .proceed
            }
            // As write(2) does: what fits is written, then ENOSPC. Bytes over old content always fit.
            state.freeByteCount = 0
            return .fail(.diskFull, keepingByteCount: byteCount - Int(growth - free))
        }
    }

    /// Room that a removed or shortened file had is free again.
    func giveBack(_ byteCount: Int64) {
        state.withLock { state in
            if let free = state.freeByteCount { state.freeByteCount = free + max(0, byteCount) }
        }
    }

    /// The size of a file; 0 for what cannot be read, as a folder.
    private func byteCount(of url: URL) -> Int64 {
        (try? base.open(url, for: .reading).byteCount()) ?? 0
    }

    private func perform(
        _ kind: StorageError.Operation, _ url: URL, _ action: () throws(StorageError) -> Void
    ) throws(StorageError) {
        switch decide(kind, url) {
        case .proceed: try action()
        case .fail(let code, _): throw StorageError(code, kind, path: url.path)
        case .lose: return
        }
    }
}
