package import Foundation

/// The differences between a library's index and its files.
package struct LibraryDifferences: Sendable, Hashable {
    /// A file that an asset needs.
    package struct File: Sendable, Hashable {
        package var localIdentifier: String
        package var originalFilename: String
        /// The location that the file has, or should have.
        package var url: URL
        /// The sizes in bytes according to the index and in the folder; the latter is nil if the file does not exist or
        /// cannot be read.
        package var byteCount: Int64
        package var foundByteCount: Int64?
        /// Why the file cannot be read; nil if it can.
        package var reason: String?
    }

    /// The files that are missing, cannot be read or have another size.
    package var damaged: [File] = []
    /// Originals, and edited files, that the index does not list.
    package var unlisted: [URL] = []
    package var assetCount = 0

    package var isEmpty: Bool { damaged.isEmpty && unlisted.isEmpty }
}
