import Foundation
import TestSupport
import XCTest

/// Runs the programs of FFmpeg to verify files independently of this package.
enum MediaTools {
    static func run(_ name: String, _ arguments: [String]) throws -> ExternalTool.Output {
        try ExternalTool.run(name, arguments)
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

    /// Decodes the presented frames to NV12, without rotating them.
    static func decodeVideo(_ url: URL, isFullRange: Bool) throws -> Data {
        // A frame per second: FFmpeg 7 reports times that do not increase, as in raw streams without some of their frames.
        let filters = (isFullRange ? "scale=in_range=full:out_range=full," : "") + "setpts=N/TB"
        let result = try run(
            "ffmpeg",
            ["-v", "error", "-noautorotate", "-i", url.path, "-map", "v", "-fps_mode", "passthrough", "-vf", filters]
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
