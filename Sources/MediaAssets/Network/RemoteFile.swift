import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

/// A read-only remote file with a cache of the most recently read blocks.
///
/// - Important: Thread-safe.
final class RemoteFile: StorageFile {
    /// Returns the bytes of a range within the file.
    typealias Fetch = @Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8]

    private static let blockByteCount: Int64 = 256 << 10
    private static let cachedBlockCount = 16

    /// The cached blocks and their numbers, the most recently used one last.
    private let blocks = Lock<[(number: Int64, bytes: [UInt8])]>([])
    let url: URL
    private let size: Int64
    private let clock: any CaptureClock
    private let transferred = Lock(NetworkTransfer())
    private let fetch: Fetch

    /// Creates a file.
    ///
    /// - Parameter clock: Measures how long requests take.
    init(_ url: URL, byteCount: Int64, clock: any CaptureClock, fetch: @escaping Fetch) {
        self.url = url
        size = byteCount
        self.clock = clock
        self.fetch = fetch
    }

    /// The transfers so far.
    var transfer: NetworkTransfer { transferred.withLock { $0 } }

    func byteCount() throws(StorageError) -> Int64 { size }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        let end = min(size, offset + Int64(bytes.count))
        var position = offset
        while position < end {
            let number = position / Self.blockByteCount
            let stored = try block(number)
            let start = Int(position - number * Self.blockByteCount)
            let count = min(stored.count - start, Int(end - position))
            stored.withUnsafeBytes { stored in
                UnsafeMutableRawBufferPointer(rebasing: bytes[Int(position - offset)...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: stored[start..<start + count]))
            }
            position += Int64(count)
        }
        return Int(max(0, end - offset))
    }

    private func block(_ number: Int64) throws(StorageError) -> [UInt8] {
        let cached = blocks.withLock { blocks -> [UInt8]? in
            guard let index = blocks.firstIndex(where: { $0.number == number }) else { return nil }
            let block = blocks.remove(at: index)
            blocks.append(block)
            return block.bytes
        }
        if let cached { return cached }
        let offset = number * Self.blockByteCount
        let bytes: [UInt8]
        let start = clock.now
        let count = Int(min(Self.blockByteCount, size - offset))
        do {
            bytes = try fetch(offset, count)
        } catch {
            throw StorageError(.inputOutput, .read, path: url.absoluteString, reason: Self.reason(error))
        }
        let seconds = (clock.now - start).seconds
        transferred.withLock { $0.add(byteCount: bytes.count, seconds: seconds) }
        guard bytes.count == count else {
            throw StorageError(
                .inputOutput, .read, path: url.absoluteString,
                reason: "\(bytes.count) bytes arrived instead of \(count)")
        }
        blocks.withLock { blocks in
            blocks = Array(blocks.suffix(Self.cachedBlockCount - 1)) + [(number: number, bytes: bytes)]
        }
        return bytes
    }

    private static func reason(_ error: any Error) -> String {
        (error as? MediaFileError)?.message ?? (error as? AVError)?.errorDescription ?? error.localizedDescription
    }

    // MARK: Writing

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) { throw readOnly(.write) }
    func truncate(to byteCount: Int64) throws(StorageError) { throw readOnly(.truncate) }
    func flush() throws(StorageError) {}
    func close() throws(StorageError) {}

    private func readOnly(_ operation: StorageError.Operation) -> StorageError {
        StorageError(.notPermitted, operation, path: url.absoluteString)
    }
}
