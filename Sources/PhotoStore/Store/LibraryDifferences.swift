package import Foundation

/// The differences between a library's index and its files.
package struct LibraryDifferences: Sendable, Hashable {
    /// A file that an asset needs.
    package struct File: Sendable, Hashable {
        package var localIdentifier: String
        /// The name of the imported file.
        package var originalFilename: String
        package var isThumbnail: Bool
        /// The location that the file has, or should have.
        package var url: URL
        /// The sizes in bytes according to the index and in the folder. The first is nil for thumbnails, the second if
        /// the file does not exist or cannot be read.
        package var byteCount: Int64?
        package var foundByteCount: Int64?
        /// How the file is damaged, as a clause that names it.
        package var reason: String
    }

    /// Errors in the index itself.
    package var indexErrors: [String] = []
    /// The files that are missing, cannot be read, or have another size or checksum.
    package var damaged: [File] = []
    /// Originals, and edited files, that the index does not list.
    package var unlisted: [URL] = []
    package var assetCount = 0
    /// The number of files without a checksum, which earlier versions imported.
    package var uncheckedCount = 0

    package var isEmpty: Bool { indexErrors.isEmpty && damaged.isEmpty && unlisted.isEmpty }
}

/// A repair of a library.
package struct LibraryRepair: Sendable, Hashable {
    /// What was repaired.
    package enum Action: Sendable, Hashable {
        /// A missing original was found under a name that the index did not list.
        case foundOriginal
        /// A damaged or missing thumbnail was created again.
        case createdThumbnail
        /// The checksum of a file that an earlier version imported was computed.
        case recordedChecksum
    }

    package var localIdentifier: String
    package var action: Action
}
