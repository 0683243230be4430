import Foundation

/// Keeps a file of the library while a client may read it, even if the index no longer refers to it.
///
/// The lease is an advisory lock (flock(2)) on the file, so it also applies to other processes that use the library.
final class FileLease: Sendable {
    private let url: URL
    private let store: LibraryStore
    private let descriptor: CInt

    /// Acquires a lease. A file can have several leases.
    ///
    /// - Throws: `PHPhotosError.missingResource` if the file cannot be opened or has been removed.
    init(_ url: URL, in store: LibraryStore) throws(PHPhotosError) {
        self.url = url
        self.store = store
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(url, String(cString: strerror(errno))) }
        // The wait is short: the exclusive lock is held only while a file is removed. On file systems without locks, a
        // lease has no effect.
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
            close(descriptor)
            throw Self.failure(url, "it was removed")
        }
    }

    deinit {
        close(descriptor)
        store.removeKeptFile(url)
    }

    /// Runs `body`, which removes a file, if the file has no lease.
    ///
    /// - Returns: False if the file has a lease.
    static func runUnlessLeased(_ url: URL, _ body: () -> Void) -> Bool {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
        body()
        return true
    }

    private static func failure(_ url: URL, _ reason: String) -> PHPhotosError {
        PHPhotosError(.missingResource, "\(url.path) cannot be opened: \(reason)")
    }
}
