import ArgumentParser
import CaptureHAL
import Foundation
import MediaStorage

/// The file that a command is to make.
enum OutputFile {
    /// Linux's NAME_MAX (limits.h).
    private static let maximumNameByteCount = 255

    /// Refuses a name that does not tell what the file will be.
    static func require(_ path: String, endsWith endings: [String]) throws {
        guard !path.isEmpty else { throw ValidationError("the name of the file to make is empty") }
        guard !endings.contains(URL(fileURLWithPath: path).pathExtension.lowercased()) else { return }
        let known = endings.map { ".\($0)" }
        throw ValidationError(
            "the name \(path) must end in \(known.dropLast().joined(separator: ", "))"
                + (known.count > 1 ? " or " : "") + (known.last ?? ""))
    }

    /// Refuses an empty name, which would stand for the present folder.
    static func requireName(_ path: String) throws {
        guard !path.isEmpty else { throw ValidationError("the name of the folder is empty") }
    }

    /// Refuses a place where a file is already, or where none can be made.
    static func check(_ path: String) throws(CommandFailure) {
        let byteCount = URL(fileURLWithPath: path).lastPathComponent.utf8.count
        guard byteCount <= maximumNameByteCount else {
            throw CommandFailure(
                "File name too long: \(path) has \(byteCount) bytes, and \(maximumNameByteCount) are the most")
        }
        if FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("\(path) exists already; files are never overwritten")
        }
        try checkFolder(of: path)
    }

    /// Refuses a place in a folder that is not there or not writable: a name that is mistyped makes no folders.
    static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw CommandFailure("there is no folder \(folder) for \(path)")
        }
        guard isFolder.boolValue else { throw CommandFailure("\(folder) is a file: \(path) needs a folder there") }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandFailure("the folder \(folder) is not writable")
        }
    }

    /// Writes a whole file or none.
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
            // What is left of it would look like a whole file; where it cannot be removed, the error says enough.
            if isCreated { try? storage.remove(url) }
            throw CommandFailure(error.description)
        }
    }
}
