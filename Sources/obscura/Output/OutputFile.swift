import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels

/// Checks and writes the output file of a command.
enum OutputFile {
    /// Linux's NAME_MAX (limits.h).
    private static let maximumNameByteCount = 255

    /// Throws `ValidationError` if the path does not have one of the file extensions.
    static func require(_ path: String, endsWith extensions: [String]) throws {
        try requireName(path)
        guard !extensions.contains(URL(fileURLWithPath: path).pathExtension.lowercased()) else { return }
        let known = extensions.map { ".\($0)" }
        throw ValidationError(
            "the name \(path) must end in \(known.dropLast().joined(separator: ", "))"
                + (known.count > 1 ? " or " : "") + (known.last ?? ""))
    }

    /// Throws `ValidationError` if no file can have the name: if it is empty or too long.
    static func requireName(_ path: String) throws {
        guard !path.isEmpty else { throw ValidationError("the name of the output file is empty") }
        let byteCount = URL(fileURLWithPath: path).lastPathComponent.utf8.count
        guard byteCount <= maximumNameByteCount else {
            throw ValidationError(
                "File name too long: \(path) has \(byteCount) bytes, and the limit is \(maximumNameByteCount)")
        }
    }

    /// Throws `ValidationError` if the path of a folder is empty, since an empty path is the current folder.
    static func requireFolderName(_ path: String) throws {
        guard !path.isEmpty else { throw ValidationError("the name of the folder is empty") }
    }

    /// Throws `ValidationError` if two options name the same file.
    static func requireDifferent(_ files: [(option: String, path: String?)]) throws {
        let named = files.compactMap { file in file.path.map { (option: file.option, url: URL(fileURLWithPath: $0)) } }
        for (index, file) in named.enumerated() {
            for other in named[..<index] where isSameFile(file.url, other.url) {
                throw ValidationError("\(other.option) and \(file.option) name the same file \(file.url.relativePath)")
            }
        }
    }

    /// Throws if the file exists already or cannot be created.
    static func check(_ path: String) throws(CommandFailure) {
        if FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("\(path) exists already; existing files are never overwritten")
        }
        try checkFolder(of: path)
    }

    /// Whether two paths name the same file, also through links; for files that do not exist, whether they would.
    static func isSameFile(_ first: URL, _ second: URL) -> Bool {
        func identity(_ url: URL) -> [UInt64]? {
            var status = stat()
            return stat(url.path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
        }
        let (file, other) = (identity(first), identity(second))
        guard file == nil, other == nil else { return file == other }
        let folder = identity(first.deletingLastPathComponent())
        return folder != nil && folder == identity(second.deletingLastPathComponent())
            && first.lastPathComponent == second.lastPathComponent
    }

    /// Throws if the enclosing folder does not exist or is not writable. Folders are never created, so that a mistyped
    /// path is an error.
    static func checkFolder(of path: String) throws(CommandFailure) {
        // As the user wrote it, not as an absolute path.
        let parent = path.parentPath
        let folder = parent.isEmpty ? "." : parent
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw CommandFailure("there is no folder \(folder) for \(path)")
        }
        guard isFolder.boolValue else {
            throw CommandFailure("\(folder) is a file, not a folder: \(path) cannot be created")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandFailure("the folder \(folder) is not writable: name another one, or change its permissions")
        }
    }

    /// Throws if a folder for several files does not exist or is not writable.
    static func checkFolder(forFilesIn path: String) throws(CommandFailure) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("there is no folder \(path): create it, or name another one")
        }
        try checkFolder(of: path + "/file")
    }

    /// Runs a closure that creates a folder and writes files in it. If it fails, the folder is removed, with the folders
    /// above it that did not exist before, unless another thread has written to them. A folder that existed stays.
    static func creatingFolder<Value>(_ path: String, _ write: () throws -> Value) throws -> Value {
        var missing: [String] = []
        var folder = path
        while !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
            missing.append(folder)
            folder = folder.parentPath
        }
        do {
            return try write()
        } catch {
            // If removing a folder fails as well, the first error is reported. rmdir(2) keeps folders with files.
            if !missing.isEmpty { try? FileManager.default.removeItem(atPath: path) }
            for parent in missing.dropFirst() { rmdir(parent) }
            throw error
        }
    }

    /// Writes an image as a PNG file.
    ///
    /// - Parameters:
    ///   - name: The name of the image in error messages.
    ///   - isFast: Whether to compress less, for series of images.
    static func writePNG(
        _ pixels: CVPixelBuffer, _ name: String, to path: String, isFast: Bool = false
    ) throws(CommandFailure) {
        let data: Data
        do throws(ImageError) {
            data = try PNGCodec().encode(pixels, isFast: isFast)
        } catch {
            throw CommandFailure("\(name) cannot be encoded: \(error.message)")
        }
        try write(data, to: path)
    }

    /// Writes a file, and replaces an existing one. If writing fails, the existing file stays.
    static func replace(_ data: Data, at path: String) throws(CommandFailure) {
        // A pipe or a terminal cannot be replaced.
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        do {
            try data.write(
                to: URL(fileURLWithPath: path).resolvingSymlinksInPath(), options: isSpecial ? [] : .atomic)
        } catch {
            throw CommandFailure("\(path) cannot be written: \(errorReason(error))")
        }
    }

    /// Writes a file; removes it if writing fails.
    static func write(
        _ data: Data, to path: String, in storage: any CaptureStorage = DiskStorage()
    ) throws(CommandFailure) {
        let url = URL(fileURLWithPath: path)
        var isCreated = false
        do throws(StorageError) {
            let file = try storage.create(url)
            isCreated = true
            try file.write(data, at: 0)
            try file.flush()
            try file.close()
        } catch {
            // A partial file could be mistaken for a complete file. If removing it fails as well, the first error is
            // reported.
            if isCreated { try? storage.remove(url) }
            throw CommandFailure(error.description)
        }
    }
}
