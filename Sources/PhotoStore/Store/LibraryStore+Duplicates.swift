import CaptureHAL
import Foundation
import MediaStorage

extension LibraryStore {
    /// The number of bytes that are compared at a time.
    private static let comparedByteCount = 1 << 18

    /// Returns the local identifier of the oldest asset whose original photo or movie has the same contents as a file;
    /// nil if there is none.
    ///
    /// Only originals of the same size are read.
    func asset(withOriginal url: URL) throws(PHPhotosError) -> String? {
        do {
            let file = try storage.open(url, for: .reading)
            let byteCount = try file.byteCount()
            var result: String?
            for original in try index.originals(ofByteCount: byteCount) {
                let stored: any StorageFile
                do throws(StorageError) {
                    stored = try storage.open(self.original(original.fileName), for: .reading)
                } catch {
                    // Another process has deleted the asset.
                    if error.code == .notFound { continue }
                    throw error
                }
                let isEqual = try Self.haveEqualContents(file, stored, byteCount: byteCount)
                try stored.close()
                if isEqual {
                    result = original.localIdentifier
                    break
                }
            }
            try file.close()
            return result
        } catch {
            throw PHPhotosError(error, index: index.path)
        }
    }

    /// Compares a file of the library with another one, without reading it if its checksum is known.
    ///
    /// - Parameters:
    ///   - byteCount, checksum: The size and the checksum of the library's file in the index.
    func haveEqualContents(
        _ url: URL, _ byteCount: Int64, _ checksum: String?, _ other: URL
    ) throws(PHPhotosError) -> Bool {
        do throws(StorageError) {
            let file = try storage.open(other, for: .reading)
            guard try file.byteCount() == byteCount else { return false }
            if let checksum, let found = try Self.checksum(of: file) { return found == checksum }
            return try Self.haveEqualContents(file, storage.open(url, for: .reading), byteCount: byteCount)
        } catch {
            throw PHPhotosError(error)
        }
    }

    private static func haveEqualContents(
        _ first: any StorageFile, _ second: any StorageFile, byteCount: Int64
    ) throws(StorageError) -> Bool {
        var offset: Int64 = 0
        while offset < byteCount {
            let data = try first.data(at: offset, byteCount: comparedByteCount)
            guard !data.isEmpty, try second.data(at: offset, byteCount: comparedByteCount) == data else {
                return false
            }
            offset += Int64(data.count)
        }
        return true
    }
}

/// The original photo or movie of an asset.
struct OriginalFile: SQLiteRow {
    static let columns: [SQLiteColumn<OriginalFile>] = [
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("fileName", \.fileName),
    ]

    var localIdentifier = ""
    /// The file name in the folder `originals`.
    var fileName = ""
}

extension LibraryIndex {
    /// Returns the original photos and movies of a size, in the order of their import.
    fileprivate func originals(ofByteCount byteCount: Int64) throws(PHPhotosError) -> [OriginalFile] {
        try read { database in
            try database.rows(
                """
                SELECT asset.localIdentifier, resource.fileName
                FROM resource JOIN asset ON asset.id = resource.assetID
                WHERE resource.byteCount = ? AND resource.position = 0 AND asset.deletedDate IS NULL ORDER BY asset.id
                """, [byteCount])
        }
    }
}
