package import Foundation
package import MediaStorage

extension URL {
    /// The path of a local file, the whole URL of any other file; for messages.
    package var pathOrAddress: String { isFileURL ? path : absoluteString }
}

extension CaptureStorage {
    /// Opens a media file for reading.
    package func openMedia(_ url: URL) throws(MediaFileError) -> any StorageFile {
        do throws(StorageError) {
            return try open(url, for: .reading)
        } catch {
            throw MediaFileError(error)
        }
    }
}

extension MediaFileError {
    package init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .notPermitted: .notPermitted
            case .notADirectory, .notAFile: .notAFile
            case .diskFull, .alreadyExists, .inputOutput, .closed: .inputOutput
            }
        self.init(code, path: error.path, error.description)
    }
}
