import Foundation

/// Lets one thread of one process at a time do something in a folder.
///
/// It is an advisory lock (flock(2)) on the folder itself: it needs no file of its own, and ends with its process.
enum FolderLock {
    /// Runs `body` when nobody else holds the folder's lock; waits for as long as that takes.
    ///
    /// - Throws: What `body` throws; a `PHPhotosError` where the folder cannot be locked.
    static func whileHolding<Result>(_ folder: URL, _ body: () throws -> Result) throws -> Result {
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
