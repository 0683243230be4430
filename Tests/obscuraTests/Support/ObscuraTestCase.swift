import Foundation
import XCTest

/// Tests that run the built `obscura` as a process, each in a folder and with a photo library of its own.
class ObscuraTestCase: XCTestCase {
    /// What a run left.
    struct Outcome {
        var status: Int32
        var output: Data
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }

        /// What `--json` printed.
        func object(file: StaticString = #filePath, line: UInt = #line) throws -> [String: Any] {
            XCTAssertEqual(status, 0, errors, file: file, line: line)
            XCTAssertEqual(text.filter { $0 == "\n" }.count, 1, "not one line: \(text)", file: file, line: line)
            return try XCTUnwrap(
                JSONSerialization.jsonObject(with: output) as? [String: Any], text, file: file, line: line)
        }
    }

    private(set) var folder = URL(fileURLWithPath: "/")

    /// The executable, which the package manager builds beside the test bundle.
    static let tool: URL = Bundle.main.bundleURL.appendingPathComponent("obscura")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "obscura-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        XCTAssertTrue(FileManager.default.isExecutableFile(atPath: Self.tool.path), "no \(Self.tool.path)")
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// A file in the test's folder.
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// A file of `Fixtures/Media`.
    static func media(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Media/\(name)")
    }

    /// A process that is to run in the test's folder.
    ///
    /// - Parameter more: Variables of its environment that are other than the test's own.
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
        environment.merge(more) { $1 }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs `obscura` to its end.
    func obscura(_ arguments: String...) throws -> Outcome { try run(Self.tool, arguments) }

    /// Runs another program to its end, by its name in `PATH`.
    func tool(_ name: String, _ arguments: String...) throws -> Outcome {
        try run(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments)
    }

    func run(_ executable: URL, _ arguments: [String]) throws -> Outcome {
        try run(process(executable, arguments))
    }

    /// Runs a process to its end.
    ///
    /// - Parameter output: Where its standard output goes; nil keeps it for the outcome.
    func run(_ process: Process, output: FileHandle? = nil) throws -> Outcome {
        let pipe = Pipe()
        // A file, not a second pipe: neither can then fill up while the other is read.
        let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(
            "obscura-\(UUID().uuidString).txt")
        try Data().write(to: errorFile)
        let errors = try FileHandle(forUpdating: errorFile)
        try FileManager.default.removeItem(at: errorFile)
        if let output { process.standardOutput = output } else { process.standardOutput = pipe }
        process.standardError = errors
        try process.run()
        // A pipe that nobody got as an output has no end to wait for.
        let data = output == nil ? pipe.fileHandleForReading.readDataToEndOfFile() : Data()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .exit, "\(process.arguments ?? []) crashed")
        try errors.seek(toOffset: 0)
        return Outcome(
            status: process.terminationStatus, output: data,
            errors: String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self))
    }

    /// Expects that a run fails with one sentence that says all of `words`, prints nothing else and leaves no file.
    func assertFails(
        _ status: Int32, _ arguments: String..., saying words: [String], file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        try assertFails(status, arguments, saying: words, file: file, line: line)
    }

    func assertFails(
        _ status: Int32, _ arguments: [String], saying words: [String], file: StaticString = #filePath,
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
        for word in words {
            XCTAssertTrue(sentence.contains(word), "no \"\(word)\" in \(what)", file: file, line: line)
        }
        // Only wrong usage is followed by how to use it.
        let rest = lines.dropFirst().filter { line in
            line != "" && !(status == 64 && ["Help: ", "Usage: ", "  See "].contains { line.hasPrefix($0) })
        }
        XCTAssertEqual(rest, [], what, file: file, line: line)
        XCTAssertEqual(try contents(), before, "files were left or changed: \(arguments)", file: file, line: line)
    }

    /// All files below the test's folder, with their sizes; -1 is a folder, or the index's journal, which also notes what
    /// comes to nothing.
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

    /// Decodes all of a movie and expects not a word about it.
    func assertDecodes(_ movie: URL, file: StaticString = #filePath, line: UInt = #line) throws {
        let outcome = try tool("ffmpeg", "-v", "error", "-i", movie.path, "-f", "null", "-")
        XCTAssertEqual(outcome.errors, "", file: file, line: line)
        XCTAssertEqual(outcome.status, 0, file: file, line: line)
    }

    /// The values of one entry of `ffprobe` for one kind of stream, a line each.
    func probe(_ movie: URL, _ streams: String, _ entries: String) throws -> [String] {
        let outcome = try tool(
            "ffprobe", "-v", "error", "-select_streams", streams, "-show_entries", entries, "-of", "csv=p=0",
            movie.path)
        XCTAssertEqual(outcome.errors, "")
        return outcome.text.split(separator: "\n").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ",")) }
    }
}
