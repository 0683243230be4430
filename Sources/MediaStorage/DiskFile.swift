import Foundation
import Glibc
import MediaTypes

/// A file descriptor that is closed when the last reference is released.
final class DiskFile: StorageFile {
    let url: URL
    /// -1 once closed.
    private let descriptor: Lock<Int32>

    /// Opens or creates a file.
    ///
    /// - Parameter mode: The permissions of a new file, less the umask.
    init(
        _ url: URL, flags: Int32, mode: mode_t = 0, operation: StorageError.Operation
    ) throws(StorageError) {
        let descriptor = Glibc.open(url.path, flags, mode)
        guard descriptor >= 0 else { throw StorageError(errno: errno, operation, path: url.path) }
        var status = stat()
        guard fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            _ = Glibc.close(descriptor)
            throw StorageError(.notAFile, operation, path: url.path)
        }
        self.url = url
        self.descriptor = Lock(descriptor, order: .primitive)
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { _ = Glibc.close($0) } }
    }

    func byteCount() throws(StorageError) -> Int64 {
        var status = stat()
        try check(.query) { fstat($0, &status) == 0 }
        return Int64(status.st_size)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let remaining = UnsafeRawBufferPointer(rebasing: bytes[done...])
            try check(.write) { descriptor in
                let count = pwrite(descriptor, remaining.baseAddress, remaining.count, off_t(offset) + off_t(done))
                done += max(count, 0)
                return count >= 0
            }
        }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        var done = 0
        var atEnd = false
        while done < bytes.count, !atEnd {
            let remaining = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            try check(.read) { descriptor in
                let count = pread(descriptor, remaining.baseAddress, remaining.count, off_t(offset) + off_t(done))
                done += max(count, 0)
                atEnd = count == 0
                return count >= 0
            }
        }
        return done
    }

    func truncate(to byteCount: Int64) throws(StorageError) {
        try check(.truncate) { ftruncate($0, off_t(byteCount)) == 0 }
    }

    func flush() throws(StorageError) {
        try check(.flush) { fdatasync($0) == 0 }
    }

    func modificationDate() throws(StorageError) -> Date? {
        var status = stat()
        try check(.query) { fstat($0, &status) == 0 }
        let time = status.st_mtim
        return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    func setModificationDate(_ date: Date) throws(StorageError) {
        let seconds = date.timeIntervalSince1970
        let whole = seconds.rounded(.down)
        guard let second = Int(exactly: whole) else {
            throw StorageError(.inputOutput, .setModificationDate, path: url.path, reason: "the date is out of range")
        }
        let changed = timespec(tv_sec: second, tv_nsec: Int((seconds - whole) * 1e9))
        var status = stat()
        try check(.setModificationDate) { descriptor in
            fstat(descriptor, &status) == 0 && futimens(descriptor, [status.st_atim, changed]) == 0
        }
    }

    func close() throws(StorageError) {
        let code = descriptor.withLock { descriptor -> Int32 in
            guard descriptor >= 0 else { return 0 }
            defer { descriptor = -1 }
            return Glibc.close(descriptor) == 0 ? 0 : errno
        }
        if code != 0 { throw StorageError(errno: code, .close, path: url.path) }
    }

    /// Runs a system call on the descriptor, and repeats it if a signal interrupts it.
    ///
    /// - Parameter call: Returns false if the call failed with `errno`.
    private func check(_ operation: StorageError.Operation, _ call: (Int32) -> Bool) throws(StorageError) {
        let code = descriptor.withLock { descriptor -> Int32 in
            guard descriptor >= 0 else { return EBADF }
            while !call(descriptor) {
                if errno != EINTR { return errno }
            }
            return 0
        }
        if code != 0 { throw StorageError(errno: code, operation, path: url.path) }
    }
}
