package import Foundation

/// Runs programs that are independent of the package, to check its files.
package enum ExternalTool {
    /// The result of a program.
    package struct Output {
        /// The exit status; 127 if the program is not installed.
        package let status: Int32
        /// The standard output.
        package let output: Data
        /// The standard error.
        package let errors: String

        /// The standard output as text.
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program from the search path without standard input, and waits until it exits.
    package static func run(_ name: String, _ arguments: [String]) throws -> Output {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let errorFile = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-\(UUID().uuidString).txt")
        try Data().write(to: errorFile)
        defer { try? FileManager.default.removeItem(at: errorFile) }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let errors = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
        return Output(status: process.terminationStatus, output: data, errors: errors)
    }
}
