import Foundation

/// An error that ends a command with exit status 1.
struct CommandFailure: Error, CustomStringConvertible {
    /// One sentence without a period.
    let description: String

    init(_ message: String) { description = Self.withRelativePaths(message) }

    /// Returns a message with the paths in the working directory as the user wrote them: relative, unless an argument
    /// contains the path of the working directory.
    static func withRelativePaths(_ message: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        guard folder != "//", !CommandLine.arguments.dropFirst().contains(where: { $0.contains(folder) }) else {
            return message
        }
        return message.replacingOccurrences(of: folder, with: "")
    }
}
