import ArgumentParser
import CaptureScenarios
import Foundation

/// The scenarios that the arguments of a command select.
enum SelectedScenarios {
    /// Throws `ValidationError` if no file is named.
    static func requireFiles(_ files: [String]) throws {
        if files.isEmpty { throw ValidationError("name at least one scenario file or folder") }
    }

    /// Returns the named files, and the scenario files of the named folders.
    static func paths(of files: [String]) throws -> [String] {
        try files.flatMap { file in
            var isFolder: ObjCBool = false
            let isFound = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            return isFound && isFolder.boolValue ? try ScenarioFile.paths(in: file) : [file]
        }
    }
}
