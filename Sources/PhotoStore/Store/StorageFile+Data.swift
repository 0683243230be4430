import CaptureHAL
import Foundation
import MediaStorage

extension StorageFile {
    /// Reads up to `byteCount` bytes; fewer at the end of the file.
    func data(at offset: Int64, byteCount: Int) throws(StorageError) -> Data {
        var data = Data(count: byteCount)
        let result = data.withUnsafeMutableBytes { bytes in
            Result { () throws(StorageError) in try read(into: bytes, at: offset) }
        }
        return data.prefix(try result.get())
    }
}

extension CaptureStorage {
    /// Reads a complete file.
    func data(of url: URL) throws(StorageError) -> Data {
        let file = try open(url, for: .reading)
        let data = try file.data(at: 0, byteCount: Int(clamping: try file.byteCount()))
        try file.close()
        return data
    }
}
