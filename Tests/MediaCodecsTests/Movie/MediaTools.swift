import Foundation
import XCTest

/// Runs FFmpeg's programs to verify files independently.
enum MediaTools {
    struct Output {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    static func run(_ name: String, _ arguments: [String]) throws -> Output {
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

    /// Decodes a whole file and expects no messages.
    static func assertDecodes(_ url: URL, file: StaticString = #filePath, line: UInt = #line) throws {
        let result = try run("ffmpeg", ["-v", "error", "-i", url.path, "-f", "null", "-"])
        XCTAssertEqual(result.errors, "", file: file, line: line)
        XCTAssertEqual(result.status, 0, file: file, line: line)
    }

    /// Returns the values of `ffprobe` entries, one per line.
    static func probe(_ url: URL, _ entries: String, _ more: [String] = []) throws -> [String] {
        let result = try run(
            "ffprobe", ["-v", "error"] + more + ["-show_entries", entries, "-of", "csv=p=0", url.path])
        XCTAssertEqual(result.errors, "")
        return result.text.split(separator: "\n").map(String.init)
    }

    /// Decodes the audio as a player would, to one channel of 16 bits.
    static func decodeAudio(_ url: URL) throws -> [Int16] {
        let result = try run("ffmpeg", ["-v", "error", "-i", url.path, "-map", "a", "-ac", "1", "-f", "s16le", "-"])
        XCTAssertEqual(result.errors, "")
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    /// Decodes the frames as a player would, to NV12.
    static func decodeVideo(_ url: URL, isFullRange: Bool) throws -> Data {
        let range = isFullRange ? "scale=in_range=full:out_range=full" : "null"
        let result = try run(
            "ffmpeg",
            ["-v", "error", "-noautorotate", "-i", url.path, "-map", "v", "-fps_mode", "passthrough", "-vf", range]
                + ["-pix_fmt", "nv12", "-f", "rawvideo", "-"])
        XCTAssertEqual(result.errors, "")
        return result.output
    }
}

/// A folder that is removed at deinitialization.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
