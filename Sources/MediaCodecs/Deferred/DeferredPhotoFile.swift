package import Foundation

/// The file of a photo that is finished later: a small version, followed by the data of the photo.
///
/// Readers show the small version. The data are in a box of type `uuid` (ISO/IEC 14496-12, 11.1) at the end of the file,
/// which readers of HEIF files skip; in a JPEG file it follows the end of the image.
package enum DeferredPhotoFile {
    /// "obscura deferred" in ASCII.
    private static let identifier = Data("obscura deferred".utf8)
    private static let headerByteCount = 24

    /// Returns the file of a photo that is finished later.
    ///
    /// - Parameters:
    ///   - proxy: The file of the small version, JPEG or HEIF.
    ///   - photo: The file of the photo, less than 4 GB.
    package static func join(_ proxy: Data, _ photo: Data) -> Data {
        // The size follows the photo, too, so that the box can be found from the end.
        let size = UInt32(headerByteCount + photo.count + 4)
        return proxy + bytes(size) + Data("uuid".utf8) + identifier + photo + bytes(size)
    }

    /// Returns the file of the finished photo; nil if the file contains none.
    package static func finished(_ file: Data) -> Data? {
        guard file.count > headerByteCount + 4 else { return nil }
        let size = file.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard size > headerByteCount + 4, size <= file.count else { return nil }
        let box = file.suffix(size)
        let expected = bytes(UInt32(size)) + Data("uuid".utf8) + identifier
        guard box.prefix(headerByteCount).elementsEqual(expected) else { return nil }
        return Data(box.dropFirst(headerByteCount).dropLast(4))
    }

    private static func bytes(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
}
