import Foundation
import XCTest

/// A test that runs the `obscura` executable in its own folder, with its own photo library.
class ObscuraTestCase: XCTestCase {
    /// The result of a process.
    struct Outcome {
        var status: Int32
        var output: Data
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }

        /// Asserts that the process succeeded and printed one line, and returns the line as a JSON object.
        func object(file: StaticString = #filePath, line: UInt = #line) throws -> [String: Any] {
            XCTAssertEqual(status, 0, errors, file: file, line: line)
            XCTAssertEqual(text.filter { $0 == "\n" }.count, 1, "not one line: \(text)", file: file, line: line)
            return try XCTUnwrap(
                JSONSerialization.jsonObject(with: output) as? [String: Any], text, file: file, line: line)
        }
    }

    /// The working folder of the test.
    private(set) var folder = URL(fileURLWithPath: "/")

    /// The executable, which SwiftPM builds beside the test bundle.
    static let tool: URL = Bundle.main.bundleURL.appendingPathComponent("obscura")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "obscura-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        XCTAssertTrue(FileManager.default.isExecutableFile(atPath: Self.tool.path), "no \(Self.tool.path)")
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// Returns the URL of a file in the folder of the test.
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Returns the URL of a file in `Fixtures/Media`.
    static func media(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Media/\(name)")
    }

    /// Returns a process to run in the folder of the test.
    ///
    /// - Parameter more: Environment variables to change.
    func process(
        _ executable: URL = tool, _ arguments: [String], environment more: [String: String] = [:]
    ) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_DATA_HOME"] = folder.appendingPathComponent("data").path
        environment["OBSCURA_BACKEND"] = nil
        environment["COLUMNS"] = nil
        environment.merge(more) { $1 }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs `obscura` and waits for it.
    func obscura(_ arguments: String...) throws -> Outcome { try run(Self.tool, arguments) }

    /// Runs another executable of `PATH` and waits for it.
    func tool(_ name: String, _ arguments: String...) throws -> Outcome {
        try run(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments)
    }

    func run(_ executable: URL, _ arguments: [String]) throws -> Outcome {
        try run(process(executable, arguments))
    }

    /// Runs a process and waits for it.
    ///
    /// - Parameter output: The file handle for its standard output; nil captures it in the outcome.
    func run(_ process: Process, output: FileHandle? = nil) throws -> Outcome {
        let pipe = Pipe()
        // A file instead of a second pipe: with two pipes, one can fill up while the other is read.
        let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(
            "obscura-\(UUID().uuidString).txt")
        try Data().write(to: errorFile)
        let errors = try FileHandle(forUpdating: errorFile)
        try FileManager.default.removeItem(at: errorFile)
        if let output { process.standardOutput = output } else { process.standardOutput = pipe }
        process.standardError = errors
        try process.run()
        // Reading a pipe that no process writes to would block.
        let data = output == nil ? pipe.fileHandleForReading.readDataToEndOfFile() : Data()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .exit, "\(process.arguments ?? []) crashed")
        try errors.seek(toOffset: 0)
        return Outcome(
            status: process.terminationStatus, output: data,
            errors: String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self))
    }

    /// Asserts that a run fails with one error sentence that contains all `texts`, prints nothing else and changes no
    /// files.
    func assertFails(
        _ status: Int32, _ arguments: String..., containing texts: [String], file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        try assertFails(status, arguments, containing: texts, file: file, line: line)
    }

    func assertFails(
        _ status: Int32, _ arguments: [String], containing texts: [String], file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        let before = try contents()
        let outcome = try run(Self.tool, arguments)
        let what = "\(arguments): \(outcome.errors)"
        XCTAssertEqual(outcome.status, status, what, file: file, line: line)
        XCTAssertEqual(outcome.text, "", what, file: file, line: line)
        let lines = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let sentence = lines.first ?? ""
        XCTAssertTrue(sentence.hasPrefix("Error: "), what, file: file, line: line)
        for text in texts {
            XCTAssertTrue(sentence.contains(text), "no \"\(text)\" in \(what)", file: file, line: line)
        }
        // The usage follows only after wrong usage.
        let unexpectedLines = lines.dropFirst().filter { line in
            line != "" && !(status == 64 && ["Help: ", "Usage: ", "  See "].contains { line.hasPrefix($0) })
        }
        XCTAssertEqual(unexpectedLines, [], what, file: file, line: line)
        XCTAssertEqual(try contents(), before, "files were left or changed: \(arguments)", file: file, line: line)
    }

    /// Returns all files in the folder of the test with their sizes. The size of a folder is -1, and so is that of the
    /// journal of the index, which also grows when a transaction fails.
    private func contents() throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let isJournal = path.hasSuffix(".sqlite-wal") || path.hasSuffix(".sqlite-shm")
            sizes[path] = isFolder || isJournal ? -1 : (attributes[.size] as? NSNumber)?.intValue
        }
        return sizes
    }

    /// Asserts that ffmpeg decodes a movie without messages.
    func assertDecodes(_ movie: URL, file: StaticString = #filePath, line: UInt = #line) throws {
        let outcome = try tool("ffmpeg", "-v", "error", "-i", movie.path, "-f", "null", "-")
        XCTAssertEqual(outcome.errors, "", file: file, line: line)
        XCTAssertEqual(outcome.status, 0, file: file, line: line)
    }

    /// Returns the lines that `ffprobe` prints for entries of one type of stream.
    func probe(_ movie: URL, _ streams: String, _ entries: String) throws -> [String] {
        let outcome = try tool(
            "ffprobe", "-v", "error", "-select_streams", streams, "-show_entries", entries, "-of", "csv=p=0",
            movie.path)
        XCTAssertEqual(outcome.errors, "")
        return outcome.text.split(separator: "\n").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ",")) }
    }
}
