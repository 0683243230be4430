import Foundation

/// A lock on a folder that excludes other threads and processes.
///
/// It is an advisory lock (flock(2)) on the folder itself, so it needs no file and is released when its process ends.
enum FolderLock {
    /// Runs `body` while holding the lock. Waits without a timeout until the lock is available.
    ///
    /// - Throws: The errors of `body`, or a `PHPhotosError` if the folder cannot be locked.
    static func withLock<Result>(_ folder: URL, _ body: () throws -> Result) throws -> Result {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(folder) }
        }
        return try body()
    }

    private static func failure(_ folder: URL) -> PHPhotosError {
        PHPhotosError(.libraryVolumeOffline, "\(folder.path) cannot be locked: \(String(cString: strerror(errno)))")
    }
}
