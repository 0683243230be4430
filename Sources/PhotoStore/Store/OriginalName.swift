import Foundation
import MediaCodecs

/// The name of a file in the folder `originals`, such as `2026/07/IMG_0001.HEIC`: the year and the month of the asset's
/// creation in UTC, and the name that the camera gave the file.
///
/// Libraries of earlier versions have files named after their assets directly in `originals`; see
/// `LibraryStore.relocateOriginals`.
struct OriginalName {
    /// The year and the month.
    let folder: String
    /// The file name without its extension.
    let stem: String
    let fileExtension: String

    /// The maximum numbers of bytes in UTF-8. File systems limit file names to 255 bytes, and those of pending files
    /// have other parts.
    private static let maximumStemByteCount = 120
    private static let maximumExtensionByteCount = 10
    private static let punctuation = Set<Character>(" -_.,;+=~()[]{}&@#!'")

    /// Creates the name of a file.
    ///
    /// - Parameters:
    ///   - originalFilename: The name of the imported file. Characters that are not letters, digits or usual punctuation
    ///     are replaced by underscores.
    ///   - kind: Determines the extension if the name has none.
    init(_ originalFilename: String, created date: Date, kind: MediaKind) {
        let moment = EXIF.Moment(date)
        folder = Self.digits(moment.year, 4) + "/" + Self.digits(moment.month, 2)
        let name = String(
            originalFilename.map { $0.isLetter || $0.isNumber || Self.punctuation.contains($0) ? $0 : "_" })
        let (stem, fileExtension) = Self.split(name)
        self.stem = stem.isEmpty ? "IMG" : stem
        self.fileExtension = fileExtension ?? kind.fileExtension
    }

    /// Creates the name of a file of an edit, which is in the folder of the original.
    ///
    /// - Parameters:
    ///   - original: The name of the original in the index.
    ///   - number: A number that no other edit of the original has.
    init(editOf original: String, number: Int64, fileExtension: String) {
        let parts = original.split(separator: "/")
        folder = parts.dropLast().joined(separator: "/")
        stem = Self.split(String(parts.last ?? "")).stem + "-edit-\(number)"
        self.fileExtension = fileExtension
    }

    /// Returns the name, with a number that distinguishes it from equal ones.
    func path(number: Int64? = nil) -> String {
        (folder.isEmpty ? "" : folder + "/") + stem + (number.map { "~\($0)" } ?? "") + "." + fileExtension
    }

    /// Returns the first name that is not in use: the name itself, or one with a number.
    ///
    /// - Parameter number: The first number; one that few names have makes the search short.
    func unusedPath(from number: Int64, isUsed: (String) throws -> Bool) rethrows -> String {
        var name = path()
        var number = number
        while try isUsed(name) {
            name = path(number: number)
            number += 1
        }
        return name
    }

    /// Whether a name from the index is within `originals`.
    static func isValid(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// Splits a file name. A name that begins with a period is not hidden.
    private static func split(_ name: String) -> (stem: String, fileExtension: String?) {
        let visible = name.drop { $0 == "." || $0 == " " }
        guard let period = visible.lastIndex(of: "."), visible.index(after: period) < visible.endIndex else {
            return (limited(visible.prefix { $0 != "." }, maximumStemByteCount), nil)
        }
        let fileExtension = visible[visible.index(after: period)...]
        guard fileExtension.utf8.count <= maximumExtensionByteCount, fileExtension.allSatisfy({ $0 != " " }) else {
            return (limited(visible, maximumStemByteCount), nil)
        }
        return (limited(visible[..<period], maximumStemByteCount), String(fileExtension))
    }

    private static func limited(_ text: Substring, _ byteCount: Int) -> String {
        var text = text
        while text.utf8.count > byteCount { text.removeLast() }
        return String(text)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let digits = String(max(0, number))
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
