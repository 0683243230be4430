package import CLibAV
import Foundation
package import MediaStorage
import MediaTypes

/// An input of libavformat that reads a file of a `CaptureStorage` or of a server.
///
/// - Important: Confined to one thread at a time.
package final class StorageInput {
    private static let bufferByteCount = 32 << 10

    package let file: any StorageFile
    private var position: Int64 = 0
    /// The first storage error; libavformat reports it only as `AVERROR(EIO)`.
    package private(set) var failure: StorageError?
    /// Valid as long as this object exists.
    package private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Opens a file at its beginning.
    ///
    /// - Throws: `.outOfMemory`.
    package init(_ file: any StorageFile) throws(MediaFileError) {
        self.file = file
        // libavformat can free and replace the buffer.
        var buffer = av_mallocz(Self.bufferByteCount)
        guard let bytes = buffer else { throw Self.outOfMemory(file) }
        context = clibav_avio_alloc_context(
            bytes.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferByteCount),
            Unmanaged.passUnretained(self).toOpaque(),
            { owner, bytes, count in StorageInput.of(owner).read(bytes, count) },
            { owner, offset, origin in StorageInput.of(owner).seek(offset, origin) })
        guard context != nil else {
            av_freep(&buffer)
            throw Self.outOfMemory(file)
        }
    }

    deinit {
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    /// Reads the whole file.
    func contents() throws(StorageError) -> Data {
        let count = Int(clamping: try file.byteCount())
        return Data(try file.bytes(at: 0, count: count))
    }

    private static func outOfMemory(_ file: any StorageFile) -> MediaFileError {
        let name = file.url.pathOrAddress
        return MediaFileError(.outOfMemory, path: name, "memory ran out while opening \(name)")
    }

    private static func of(_ owner: UnsafeMutableRawPointer?) -> StorageInput {
        guard let owner else { preconditionFailure("libavformat passed no owner") }
        return Unmanaged<StorageInput>.fromOpaque(owner).takeUnretainedValue()
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
        do throws(StorageError) {
            let memory = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            let readCount = try file.read(into: memory, at: position)
            position += Int64(readCount)
            return readCount == 0 ? clibav_error_end() : Int32(readCount)
        } catch {
            failure = failure ?? error
            return clibav_error_io()
        }
    }

    /// Sets the position like `lseek`. If `origin` is `AVSEEK_SIZE`, returns the size of the file instead.
    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        do throws(StorageError) {
            let target: Int64
            switch origin & ~AVSEEK_FORCE {
            case SEEK_SET: target = offset
            case SEEK_CUR: target = position + offset
            case SEEK_END: target = try file.byteCount() + offset
            case AVSEEK_SIZE: return try file.byteCount()
            default: return Int64(clibav_error_io())
            }
            guard target >= 0 else { return Int64(clibav_error_io()) }
            position = target
            return target
        } catch {
            failure = failure ?? error
            return Int64(clibav_error_io())
        }
    }
}
