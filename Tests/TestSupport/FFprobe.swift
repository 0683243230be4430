package import Foundation

/// Reads movies with `ffprobe`, independently of the package's own reader.
package enum FFprobe {
    /// A frame that a player shows.
    package struct Frame: Hashable, Sendable {
        /// In seconds.
        package let time: Double
        /// Whether it is a key frame.
        package let isKeyFrame: Bool
    }

    /// Returns the frames of the first video stream that are presented, in presentation order.
    package static func frames(_ url: URL) throws -> [Frame] {
        try lines(["-select_streams", "v:0", "-show_entries", "frame=key_frame,best_effort_timestamp_time"], url)
            .compactMap { fields in
                guard fields.count >= 2, let time = Double(fields[1]) else { return nil }
                return Frame(time: time, isKeyFrame: fields[0] == "1")
            }
    }

    /// Returns the lines of ffprobe's output in CSV format, each as its fields.
    package static func lines(_ arguments: [String], _ url: URL) throws -> [[String]] {
        let text = try ExternalTool.run("ffprobe", ["-v", "error"] + arguments + ["-of", "csv=p=0", url.path]).text
        return text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    }
}
