import Foundation
import XCTest

/// GStreamer's `qtdemux`, which shares no code with FFmpeg, as another opinion on movies.
struct SecondReader {
    struct Buffer: Equatable {
        var data: Data
        /// In nanoseconds.
        var presentation: Int64
    }

    var video: [Buffer] = []
    var audio: [Buffer] = []
    /// As `H.264 / AVC`.
    var videoCodec = ""
    var audioCodec = ""
    /// As `rotate-90`; nil where the movie is upright.
    var orientation: String?

    /// - Parameters:
    ///   - hasVideo: What the movie is known to have, as the tool must be told.
    ///   - folder: Where it may put what it reads.
    init(_ url: URL, hasVideo: Bool = true, hasAudio: Bool = true, folder: TemporaryFolder) throws {
        let place = folder.file("second-\(url.lastPathComponent)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        var words = ["-m", "-t", "filesrc", "location=\(url.path)", "!", "qtdemux", "name=d"]
        for (name, isThere) in [("video", hasVideo), ("audio", hasAudio)] where isThere {
            words += ["d.\(name)_0", "!", "queue", "max-size-buffers=0", "max-size-bytes=0", "max-size-time=0", "!"]
            words += ["multifilesink", "name=\(name)", "post-messages=true", "sync=false"]
            words += ["location=\(place.path)/\(name)%05d"]
        }
        let result = try MediaTools.run("gst-launch-1.0", words)
        if result.status == 127 { throw XCTSkip("GStreamer is not installed: CI/setup installs it") }
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
