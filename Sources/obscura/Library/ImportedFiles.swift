import CaptureHAL
import Foundation
import PhotoStore

/// The files that `library import` is called with: each file by itself, and the photos and movies of folders.
struct ImportedFiles {
    /// The files to import, in order: the files of a folder sorted by their paths.
    private(set) var files: [String] = []
    /// The files of folders that are neither photos nor movies.
    private(set) var skipped: [String] = []

    /// Lists the files.
    ///
    /// - Parameter library: The folder of the library, whose own files are excluded.
    init(_ paths: [String], library: URL) {
        for path in paths {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                add(folder: path, library: library)
            } else {
                files.append(path)
            }
        }
    }

    /// Adds the files of a folder and of the folders in it. Hidden files and folders are excluded.
    private mutating func add(folder: String, library: URL) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            // The import reports the reason why the folder cannot be read.
            files.append(folder)
            return
        }
        for name in names where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            let url = URL(fileURLWithPath: path)
            // A link to a folder can lead back to a folder above it.
            let values = try? url.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
            if values?.isDirectory == true, values?.isSymbolicLink != true {
                guard url.resolvingSymlinksInPath().path != library.resolvingSymlinksInPath().path else { continue }
                add(folder: path, library: library)
            } else if PHAssetResourceType(contentsOf: url) != nil {
                files.append(path)
            } else {
                skipped.append(path)
            }
        }
    }
}
