import Foundation
import TestSupport
import XCTest

/// Reads movies with GStreamer's `qtdemux`, which shares no code with FFmpeg.
struct GStreamerReader {
    struct Buffer: Equatable {
        var data: Data
        /// The presentation time in nanoseconds.
        var presentation: Int64
    }

    var video: [Buffer] = []
    var audio: [Buffer] = []
    /// The codec, such as `H.264 / AVC`.
    var videoCodec = ""
    var audioCodec = ""
    /// The orientation, such as `rotate-90`; nil for upright movies.
    var orientation: String?

    /// - Parameters:
    ///   - hasVideo: Whether the movie has video. The pipeline must name each track.
    ///   - folder: A folder for the tool's output.
    init(_ url: URL, hasVideo: Bool = true, hasAudio: Bool = true, folder: TemporaryFolder) throws {
        let output = folder.file("second-\(url.lastPathComponent)")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: output) }
        var arguments = ["-m", "-t", "filesrc", "location=\(url.path)", "!", "qtdemux", "name=d"]
        for (name, isPresent) in [("video", hasVideo), ("audio", hasAudio)] where isPresent {
            arguments += [
                "d.\(name)_0", "!", "queue", "max-size-buffers=0", "max-size-bytes=0", "max-size-time=0", "!",
            ]
            arguments += ["multifilesink", "name=\(name)", "post-messages=true", "sync=false"]
            arguments += ["location=\(output.path)/\(name)%05d"]
        }
        let result = try MediaTools.run("gst-launch-1.0", arguments)
        if result.status == 127 { throw MissingRequirement("GStreamer is not installed: run CI/setup") }
        guard result.status == 0, result.text.contains("Got EOS") else {
            throw BoxReader.Failure(description: "qtdemux: \(result.errors) \(result.text.suffix(2000))")
        }
        for line in result.text.split(separator: "\n") {
            if line.contains("WARN") || line.contains("ERROR") {
                throw BoxReader.Failure(description: "qtdemux: \(line)")
            }
            let tag = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            switch tag.first {
            case "image orientation": orientation = tag.last
            case "video codec": videoCodec = tag.last ?? ""
            case "audio codec": audioCodec = tag.last ?? ""
            default: break
            }
            guard line.contains("GstMultiFileSink, "), let path = Self.field("filename=(string)", in: line),
                let time = Self.field("stream-time=(guint64)", in: line).flatMap({ UInt64($0) })
            else { continue }
            let buffer = Buffer(
                data: try Data(contentsOf: URL(fileURLWithPath: String(path))),
                presentation: Int64(truncatingIfNeeded: time))
            if path.contains("/video") { video.append(buffer) } else { audio.append(buffer) }
        }
    }

    private static func field(_ label: String, in line: Substring) -> Substring? {
        line.range(of: label).map { line[$0.upperBound...].prefix { $0 != "," } }
    }
}
