import Foundation
import MediaStorage

/// A folder in which the clients of one open library write edited files.
///
/// An advisory lock (flock(2)) on the folder shows that it is in use. It is released when its process ends. The folders
/// are numbered and never removed, so that each lock refers to an existing folder.
final class EditFolder: Sendable {
    let url: URL
    private let descriptor: CInt

    /// Acquires the first folder that is not in use, and removes the files in it.
    ///
    /// - Parameter parent: The folder of all folders for edits.
    init(in parent: URL, storage: any CaptureStorage) throws(StorageError) {
        var number = 1
        while true {
            let url = parent.appendingPathComponent("\(number)", isDirectory: true)
            try storage.createDirectory(url, permissions: .ownerOnly)
            if let descriptor = try Self.lock(url) {
                self.url = url
                self.descriptor = descriptor
                Self.removeFiles(in: url, storage)
                return
            }
            number += 1
        }
    }

    deinit {
        close(descriptor)
    }

    /// Removes the files of edits that were never applied, from all folders that are not in use.
    static func removeAbandonedFiles(in parent: URL, _ storage: any CaptureStorage) throws(StorageError) {
        for name in try storage.contents(ofDirectory: parent) {
            let url = parent.appendingPathComponent(name)
            do throws(StorageError) {
                guard let descriptor = try lock(url) else { continue }
                removeFiles(in: url, storage)
                close(descriptor)
            } catch {
                // The entry is a file, or a folder that cannot be opened. It does no harm if it is not removed.
                try? storage.remove(url)
            }
        }
    }

    /// Locks a folder; nil if it is in use.
    private static func lock(_ url: URL) throws(StorageError) -> CInt? {
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno: errno, .open, path: url.path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        let reason = errno
        close(descriptor)
        guard reason == EWOULDBLOCK else { throw StorageError(errno: reason, .open, path: url.path) }
        return nil
    }

    private static func removeFiles(in url: URL, _ storage: any CaptureStorage) {
        // Files that cannot be listed or removed are harmless. The next opening tries again.
        for name in (try? storage.contents(ofDirectory: url)) ?? [] {
            try? storage.remove(url.appendingPathComponent(name))
        }
    }
}
