package import Foundation
import MediaStorage

extension PHAssetResource {
    /// Reads up to `byteCount` bytes of the file; fewer at its end.
    package func data(at offset: Int64 = 0, byteCount: Int) throws(PHPhotosError) -> Data {
        let url = try fileURL()
        do throws(StorageError) {
            let file = try library.storage.open(url, for: .reading)
            let data = try file.data(at: offset, byteCount: byteCount)
            try file.close()
            return data
        } catch {
            throw PHPhotosError(error)
        }
    }
}
