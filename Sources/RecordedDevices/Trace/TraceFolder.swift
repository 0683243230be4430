import CaptureHAL
import Foundation
import MediaStorage

/// The file names and the first line of a trace.
enum TraceFolder {
    static let index = "trace.txt"
    static let media = "media.bin"
    static let version = 1
    static let firstWord = "obscura-trace"
    static var firstLine: String { "\(firstWord) \(version)" }
}

extension DeviceError {
    /// Creates the error for a storage failure of a trace.
    init(trace folder: URL, _ error: StorageError) {
        let code: Code =
            switch error.code {
            case .notPermitted: .notPermitted
            case .diskFull: .outOfResources
            case .notFound, .notADirectory, .notAFile, .alreadyExists: .invalidSource
            case .inputOutput, .closed: .inputOutput
            }
        self.init(code, device: folder.path, error.description)
    }
}

extension StorageFile {
    /// Reads the bytes of a range; fewer if the file ends before.
    func data(at offset: Int64, count: Int) throws(StorageError) -> Data {
        var data = Data(count: count)
        let result = data.withUnsafeMutableBytes { bytes -> Result<Int, StorageError> in
            Result { () throws(StorageError) in try read(into: bytes, at: offset) }
        }
        let readCount = try result.get()
        return readCount == count ? data : data.prefix(readCount)
    }
}
