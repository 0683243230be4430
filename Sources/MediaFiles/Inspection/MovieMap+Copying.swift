import Foundation
package import MediaCodecs
import MediaStorage

extension MovieMap {
    /// The types of the boxes of a file that describe the movie, its fragments or unused space.
    private static let rewrittenBoxes: Set<String> = [
        "ftyp", "moov", "mdat", "imda", "moof", "mfra", "styp", "sidx", "ssix", "emsg", "prft", "free", "skip", "wide",
    ]
    /// The maximum size in bytes of a box that is copied without knowledge of its contents.
    private static let copiedByteLimit: Int64 = 1 << 26

    /// Whether a type consists of printable characters of ISO 8859-1, as all registered types do.
    private static func isType(_ type: String) -> Bool {
        type.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) || (0xa0...0xff).contains($0.value) }
    }

    /// Returns the boxes that a copy of the movie keeps byte for byte, including those of the file.
    ///
    /// - Parameter omissions: Receives descriptions of the boxes that cannot be copied.
    func copiedBoxes(of file: any StorageFile, omissions: inout [String]) throws(StorageError) -> StoredMovieBoxes {
        var result = storedBoxes
        omissions += omittedBoxes
        for box in boxes where !Self.rewrittenBoxes.contains(box.type) {
            guard Self.isType(box.type) else {
                omissions.append("\(box.byteCount) bytes at byte \(box.offset) that are not a box")
                continue
            }
            guard !box.isCutOff, Int64(box.body.count) <= Self.copiedByteLimit else {
                omissions.append("the '\(box.type)' box at byte \(box.offset), which is incomplete or too large")
                continue
            }
            let body = ByteReader(try file.bytes(at: box.body.lowerBound, count: box.body.count))
            if box.type == "meta", MetadataReader(body).hasItemLocations {
                omissions.append("the 'meta' box at byte \(box.offset), which refers to offsets of the file")
            } else {
                result.fileBoxes.append(MemoryBox(type: box.type, offset: box.offset, body: body).bytes)
            }
        }
        return result
    }
}

extension StoredMovieBoxes {
    /// Removes the lists of chapters in the user data (`chpl`), whose times are those of the whole movie.
    package mutating func removeChapterLists() {
        movieBoxes = movieBoxes.map { bytes in
            var reader = ByteReader([UInt8](bytes))
            // Boxes that cannot be read remain as they are.
            guard let userData = try? reader.box(), userData.type == "udta" else { return bytes }
            let children = userData.body.boxes()
            guard children.contains(where: { $0.type == "chpl" }) else { return bytes }
            var builder = BoxBuilder()
            builder.box("udta") { box in
                for child in children where child.type != "chpl" { box.data(child.bytes) }
            }
            return Data(builder.bytes)
        }
    }
}
