package import Foundation
package import MediaCodecs
package import MediaStorage

extension MovieMap {
    /// Reads the boxes of a file; `problems` contains the errors in them.
    ///
    /// - Parameter includesHiddenBoxes: Whether to also read the `moov` and `moof` boxes that `MovieFileWriter` has
    ///   written into a `free` box, but has not yet made part of the movie.
    package init(reading file: any StorageFile, includesHiddenBoxes: Bool = false) throws(StorageError) {
        var reader = try MovieMapReader(file, includesHiddenBoxes: includesHiddenBoxes)
        try reader.read()
        self = reader.map
    }

    /// Reads the index of a file; nil if the file cannot be read or is not a QuickTime or MPEG-4 file.
    package static func ifReadable(_ url: URL, in storage: any CaptureStorage) -> MovieMap? {
        guard let file = try? storage.open(url, for: .reading), (try? canRead(file)) == true else { return nil }
        return try? MovieMap(reading: file)
    }

    /// Whether the first box of a file is one with which QuickTime and MPEG-4 files begin.
    package static func canRead(_ file: any StorageFile) throws(StorageError) -> Bool {
        let bytes = try file.bytes(at: 0, count: 8)
        guard bytes.count == 8 else { return false }
        let type = String(decoding: bytes[4...], as: UTF8.self)
        return ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof"].contains(type)
    }
}
