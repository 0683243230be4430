package import Foundation

extension EXIF {
    /// Reads the metadata of a photo file; nil if there is none or it cannot be read.
    package init?(file data: Data) {
        guard let metadata = PhotoFile(data)?.metadata, metadata != EXIF() else { return nil }
        self = metadata
    }
}
