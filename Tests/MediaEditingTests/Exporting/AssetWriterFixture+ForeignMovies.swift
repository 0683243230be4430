import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

/// Movies that ffmpeg writes.
extension AssetWriterFixture {
    /// Runs ffmpeg. A file name in the temporary folder begins with `@`.
    func ffmpeg(_ arguments: String..., line: UInt = #line) throws {
        let paths = arguments.map { $0.hasPrefix("@") ? url(String($0.dropFirst())).path : $0 }
        let result = try ExternalTool.run("ffmpeg", ["-v", "error", "-y"] + paths)
        XCTAssertEqual(result.status, 0, result.errors, line: line)
    }

    /// Replaces the last occurrence of a four-character code in a file, and the last one of another code before it.
    private func patch(
        _ name: String, _ code: String, _ newCode: String, before: (String, String)
    ) throws {
        var data = try Data(contentsOf: url(name))
        let last = try XCTUnwrap(data.range(of: Data(code.utf8), options: .backwards))
        data.replaceSubrange(last, with: Data(newCode.utf8))
        let handler = try XCTUnwrap(
            data.range(of: Data(before.0.utf8), options: .backwards, in: data.startIndex..<last.lowerBound))
        data.replaceSubrange(handler, with: Data(before.1.utf8))
        try data.write(to: url(name))
    }

    /// Writes three seconds of video, two alternative sound tracks, subtitles, telemetry of an unknown type, chapters and
    /// timecode, as an MPEG-4 file.
    func movieWithManyTracks() throws -> AVAsset {
        let subtitles = (0..<3).map { "\($0 + 1)\n00:00:0\($0),200 --> 00:00:0\($0),900\nText \($0)\n\n" }.joined()
        try Data(subtitles.utf8).write(to: url("texts.srt"))
        let chapters = """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1500
            title=First
            [CHAPTER]
            TIMEBASE=1/1000
            START=1500
            END=3000
            title=Second
            """
        try Data(chapters.utf8).write(to: url("chapters.txt"))
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-f", "lavfi", "-i", "sine=f=440:d=3", "-f",
            "lavfi", "-i", "sine=f=880:d=3", "-i", "@texts.srt", "-i", "@texts.srt", "-i", "@chapters.txt", "-map", "0",
            "-map", "1", "-map", "2", "-map", "3", "-map", "4", "-map_metadata", "5", "-c:v", "libx264", "-bf", "2",
            "-g", "15", "-vf", "setsar=1", "-c:a", "aac", "-c:s", "mov_text", "-timecode", "01:00:00:00",
            "-metadata:s:a:1", "language=fra", "-disposition:a:1", "0", "-metadata",
            "creation_time=2024-05-06T07:08:09Z", "-metadata", "location=+48.8577+002.2950/", "@source.mp4")
        // The second track of subtitles becomes one of telemetry, as action cameras write it.
        try patch("source.mp4", "tx3g", "gpmd", before: ("sbtl", "meta"))
        return asset("source.mp4")
    }
}

extension FFprobe {
    /// The packets of each track as ffprobe reads them: times in seconds, flags and a checksum.
    static func packets(_ url: URL) throws -> [String: [[String]]] {
        let lines = try lines(
            [
                "-show_data_hash", "md5", "-show_entries",
                "packet=stream_index,pts_time,dts_time,duration_time,flags,data_hash",
            ], url)
        return Dictionary(grouping: lines) { $0.first ?? "" }
    }
}
