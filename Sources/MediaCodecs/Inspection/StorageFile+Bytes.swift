package import MediaStorage

extension StorageFile {
    /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
    package func bytes(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { target in
            Result { () throws(StorageError) in try read(into: target, at: offset) }
        }
        bytes.removeLast(count - (try result.get()))
        return bytes
    }
}
