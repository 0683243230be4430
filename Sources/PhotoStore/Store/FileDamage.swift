import Foundation

/// How a file differs from its entry in the index.
struct FileDamage {
    /// The size of the file in bytes; nil if it does not exist or cannot be read.
    var foundByteCount: Int64?
    /// A clause that names the file.
    var reason: String

    /// Compares the size and the checksum of a file with those in the index. An unknown value equals any other.
    ///
    /// - Returns: How they differ, as a clause; nil if they do not.
    static func reason(
        _ url: URL, foundByteCount: Int64, byteCount: Int64?, foundChecksum: String?, checksum: String?
    ) -> String? {
        if let byteCount, foundByteCount != byteCount {
            return "\(url.path) has \(foundByteCount) bytes instead of \(byteCount)"
        }
        if let foundChecksum, let checksum, foundChecksum != checksum {
            return "the contents of \(url.path) have changed: the SHA-256 checksum is \(foundChecksum)"
                + " instead of \(checksum)"
        }
        return nil
    }
}
