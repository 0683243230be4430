public import Foundation
import Glibc

/// The file system of the operating system.
public final class DiskStorage: CaptureStorage {
    /// Creates a storage without state.
    public init() {}

    public func availableByteCount(at url: URL) throws(StorageError) -> Int64 {
        var path = url.standardizedFileURL.path
        while access(path, F_OK) != 0, path != "/" {
            path = path.parentPath
            if path.isEmpty { path = "." }
        }
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { throw StorageError(errno: errno, .query, path: path) }
        return Int64(clamping: UInt64(volume.f_bavail) &* UInt64(volume.f_frsize))
    }

    public func fileExists(at url: URL) -> Bool {
        access(url.path, F_OK) == 0
    }

    public func contents(ofDirectory url: URL) throws(StorageError) -> [String] {
        guard let directory = opendir(url.path) else { throw StorageError(errno: errno, .list, path: url.path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    public func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile {
        try DiskFile(
            url, flags: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: permissions == .ownerOnly ? 0o600 : 0o666,
            operation: .create)
    }

    public func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile {
        // O_NONBLOCK prevents blocking on a pipe without a writer; it has no effect on regular files.
        try DiskFile(
            url, flags: (access == .reading ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK, operation: .open)
    }

    public func rename(_ source: URL, to destination: URL) throws(StorageError) {
        // Not every file system supports renameat2 with RENAME_NOREPLACE. link(2) is atomic too and fails if the
        // destination exists.
        if link(source.path, destination.path) == 0 {
            if unlink(source.path) == 0 || errno == ENOENT { return }
            let reason = errno
            // A failed renaming leaves no second name.
            _ = unlink(destination.path)
            throw StorageError(errno: reason, .rename, path: source.path)
        }
        let reason = errno
        // File systems without hard links report EPERM or EOPNOTSUPP. There, the check and the renaming are not atomic.
        guard reason == EPERM || reason == EOPNOTSUPP, !fileExists(at: destination) else {
            throw StorageError(errno: reason, .rename, path: reason == EEXIST ? destination.path : source.path)
        }
        guard Glibc.rename(source.path, destination.path) == 0 else {
            throw StorageError(errno: errno, .rename, path: source.path)
        }
    }

    public func remove(_ url: URL) throws(StorageError) {
        guard Glibc.remove(url.path) == 0 else { throw StorageError(errno: errno, .remove, path: url.path) }
    }

    public func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {
        let path = url.standardizedFileURL.path
        var partial = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            partial += component + "/"
            if mkdir(partial, permissions == .ownerOnly ? 0o700 : 0o777) != 0, errno != EEXIST {
                throw StorageError(errno: errno, .createDirectory, path: partial)
            }
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StorageError(.notADirectory, .createDirectory, path: path)
        }
    }

    public func flushDirectory(_ url: URL) throws(StorageError) {
        let descriptor = Glibc.open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno: errno, .flush, path: url.path) }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageError(errno: errno, .flush, path: url.path) }
    }
}

extension StorageError {
    /// Creates the error for a failed system call.
    package init(errno code: Int32, _ operation: Operation, path: String) {
        let kind: Code =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EEXIST: .alreadyExists
            case ENOENT: .notFound
            case EACCES, EPERM, EROFS: .notPermitted
            case ENOTDIR: .notADirectory
            case EISDIR, ENXIO: .notAFile
            case EBADF: .closed
            default: .inputOutput
            }
        self.init(kind, operation, path: path)
    }
}
