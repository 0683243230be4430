package import Foundation

/// The brightness of the frames and the amplitude of the audio that another program plays from a movie.
package struct PlayedMovie {
    /// A value from 0 to 1 at a presentation time.
    package struct Level: Hashable, Sendable {
        /// In seconds.
        package let time: Double
        package let value: Double

        package init(time: Double, value: Double) {
            self.time = time
            self.value = value
        }
    }

    /// The mean luma of each frame.
    package var lumas: [Level] = []
    /// The largest amplitude of each millisecond of the audio.
    package var peaks: [Level] = []

    /// Plays a movie with GStreamer. The video must be H.264; the audio may have any codec.
    package static func gstreamer(_ url: URL) throws -> PlayedMovie {
        let queue = ["queue", "max-size-buffers=0", "max-size-bytes=0", "max-size-time=0", "!"]
        // If one stream ends early, the pipeline can wait forever. `timeout` ends it after 30 s.
        let result = try ExternalTool.run(
            "timeout",
            [
                "30", "gst-launch-1.0", "-m", "filesrc", "location=\(url.path)", "!", "qtdemux", "name=d", "d.video_0",
                "!",
            ] + queue
                + [
                    "h264parse", "!", "avdec_h264", "!", "videoanalyse", "!", "fakesink", "sync=false", "d.audio_0",
                    "!",
                ]
                + queue
                + ["decodebin", "!", "audioconvert", "!", "level", "interval=1000000", "!", "fakesink", "sync=false"])
        if result.status == 127 || result.errors.contains("no element") {
            throw MissingRequirement("GStreamer or a plugin of it is not installed: run CI/setup. \(result.errors)")
        }
        guard result.status == 0, result.text.contains("Got EOS") else {
            throw MissingRequirement("GStreamer cannot play \(url.lastPathComponent) to the end: \(result.errors)")
        }
        var movie = PlayedMovie()
        for line in result.text.split(separator: "\n") {
            guard let nanoseconds = number("running-time=(guint64)", in: line) else { continue }
            if let luma = number("luma-average=(double)", in: line) {
                movie.lumas.append(Level(time: nanoseconds / 1e9, value: luma))
            } else if let decibels = number("peak=(GValueArray)< ", in: line) {
                movie.peaks.append(Level(time: nanoseconds / 1e9, value: pow(10, decibels / 20)))
            }
        }
        return movie
    }

    /// Plays a movie with FFmpeg.
    package static func ffmpeg(_ url: URL) throws -> PlayedMovie {
        var movie = PlayedMovie()
        let input = ["-nostdin", "-v", "error", "-i", url.path]
        let pictures = try ExternalTool.run(
            "ffmpeg",
            input + [
                "-fps_mode", "passthrough", "-enc_time_base", "-1", "-vf",
                "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-", "-f", "null", "-",
            ])
        // `async=1` fills gaps with silence, so that the index of a sample corresponds to its time.
        let sound = try ExternalTool.run(
            "ffmpeg", input + ["-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "48000", "-f", "f32le", "-"])
        for result in [pictures, sound] where result.status != 0 || !result.errors.isEmpty {
            throw MissingRequirement("FFmpeg cannot play \(url.lastPathComponent): \(result.errors)")
        }
        var time = 0.0
        for line in pictures.text.split(separator: "\n") {
            if let seconds = number("pts_time:", in: line) { time = seconds }
            if let luma = number("YAVG=", in: line) { movie.lumas.append(Level(time: time, value: luma / 255)) }
        }
        let samples = sound.output.withUnsafeBytes { [Float]($0.bindMemory(to: Float.self)) }
        for start in stride(from: 0, to: samples.count, by: 48) {
            let peak = samples[start..<min(start + 48, samples.count)].map(abs).max() ?? 0
            movie.peaks.append(Level(time: Double(start) / 48_000, value: Double(peak)))
        }
        return movie
    }

    /// Returns the number that follows a label.
    private static func number(_ label: String, in line: Substring) -> Double? {
        guard let end = line.range(of: label)?.upperBound else { return nil }
        return Double(line[end...].prefix { $0.isNumber || "-+.e".contains($0) })
    }
}
