import ArgumentParser
import AssetTypes
import CaptureBackends
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// `obscura record`.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Records a movie with audio.",
        discussion:
            """
            Without --duration, a file or a trace is recorded to its end, and a source without an end (sim, linux, a single \
            image) for 10 s. Ctrl-C, SIGTERM and SIGHUP end the recording; the movie is complete.

            In the output of --json, audioSamples counts the samples in the movie: audio is cut to the duration of the \
            video, and gaps are filled with silence. With --null it counts the delivered samples. If a recording ends \
            early, error has the reason.

            If the timestamps of a file jump, the recording continues without the jump; each jump is printed with its \
            place and size, in the output of --json as jumps.
            """
    )

    @Argument(
        help: "The movie to write: .mov, .mp4 or .m4v; an existing file is never overwritten. Not used with --null.")
    var file: String?

    @OptionGroup var options: SystemOptions
    @Option(
        parsing: .unconditional,
        help:
            "The duration, such as 10s, 250ms, 2min or 1h. (default: to the end of a file or trace, else 10s)",
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?
    @Option(
        parsing: .unconditional,
        help: "A frame size that the camera supports, such as 1920x1080. (default: the preset's)",
        transform: PixelSize.init(argument:))
    var size: PixelSize?
    @Option(
        help:
            "A session preset: high, medium, low, photo, a size of a preset such as 640x480, or Apple's name. (default: high)",
        completion: .list(PresetName.shortNames), transform: PresetName.init(argument:))
    var preset: PresetName?
    @Option(
        parsing: .unconditional,
        help: "The frame rate in frames per second, such as 30 or 29.97. (default: the format's)",
        transform: FrameRate.init(argument:))
    var fps: FrameRate?
    @Option(
        help: "The video codec: h264, hevc or jpeg. (default: hevc for frames with 10 bits, else the profile's)",
        completion: .list(Codec.names), transform: Codec.init(argument:))
    var codec: Codec?
    @OptionGroup var settings: CameraOptions
    /// Accepted only to report that `--torch` is the option for movies.
    @Flag(help: .hidden) var flash = false
    @Flag(inversion: .prefixedNo, help: "Record audio.") var audio = true
    @Option(
        parsing: .unconditional,
        help: "The time between movie fragments. After a crash the complete fragments are playable. (default: 10s)",
        transform: DurationArgument.init(argument:))
    var fragmentInterval: DurationArgument?
    @Flag(help: "Write no file; count frames and audio samples. (default: off)") var null = false
    @OptionGroup var saving: SaveOptions
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    /// A video codec of `--codec`.
    enum Codec: String, NamedArgument {
        case h264, hevc, jpeg

        static let noun = "codec"

        var type: AVVideoCodecType {
            switch self {
            case .h264: .h264
            case .hevc: .hevc
            case .jpeg: .jpeg
            }
        }
    }

    func validate() throws {
        if null == (file != nil) {
            throw ValidationError(
                null ? "--null writes no file; leave out \(file ?? "")" : "name the movie to write, or use --null")
        }
        if let file { try OutputFile.require(file, endsWith: ["mov", "mp4", "m4v"]) }
        if flash { throw ValidationError("--flash is for photos only; use --torch 1 for a movie") }
        if size != nil, preset != nil { throw ValidationError("--size and --preset exclude each other") }
        for (name, isUsed) in [("--codec", codec != nil), ("--fragment-interval", fragmentInterval != nil)]
        where null && isUsed {
            throw ValidationError("\(name) requires a file; leave out --null")
        }
        if null, saving.save { throw ValidationError("--save requires a file; leave out --null") }
        try DurationArgument.requirePositive(duration)
    }

    /// The output of `--json`.
    struct Report: Encodable {
        var file: String?
        var duration: Double
        var videoFrames: Int
        var droppedFrames: Int
        var audioSamples: Int64
        var width: Int
        var height: Int
        var fps: Double
        var codec: String
        var bytes: Int64?
        var library: String?
        /// The jumps in the timestamps of the source; nil if there are none.
        var jumps: [Jump]?
        /// The media of the source that were not recorded because no decoder reads them; nil if there are none.
        var undecodable: [String]?
        /// The reason why the recording ended early.
        var error: String?

        /// A jump in the timestamps of the source.
        struct Jump: Encodable {
            /// The place in the movie, in seconds.
            var time: Double
            /// In seconds; negative for a jump back.
            var size: Double
        }

        private enum CodingKeys: CodingKey {
            case file, duration, videoFrames, droppedFrames, audioSamples, width, height, fps, codec, bytes, library
            case jumps, undecodable, error
        }

        /// Encodes `file` also if it is nil.
        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encode(file, forKey: .file)
            try object.encode(duration, forKey: .duration)
            try object.encode(videoFrames, forKey: .videoFrames)
            try object.encode(droppedFrames, forKey: .droppedFrames)
            try object.encode(audioSamples, forKey: .audioSamples)
            try object.encode(width, forKey: .width)
            try object.encode(height, forKey: .height)
            try object.encode(fps, forKey: .fps)
            try object.encode(codec, forKey: .codec)
            try object.encodeIfPresent(bytes, forKey: .bytes)
            try object.encodeIfPresent(library, forKey: .library)
            try object.encodeIfPresent(jumps, forKey: .jumps)
            try object.encodeIfPresent(undecodable, forKey: .undecodable)
            try object.encodeIfPresent(error, forKey: .error)
        }
    }

    func run() throws {
        if let file { try OutputFile.check(file) }
        let command = try options.bootstrap(library: saving.library)
        let setup = try CaptureSetup(
            command, camera: options.camera(), wantsAudio: audio,
            CaptureSetup.Requirements(size: size, preset: preset, rate: fps, settings: settings))
        let limit = command.limit(duration)
        var report: Report
        if let file {
            let run = MovieFileRecording(
                command: command, setup: setup, url: URL(fileURLWithPath: file), limit: limit,
                codec: codec?.type ?? (setup.hasTenBits ? .hevc : nil), fragmentInterval: fragmentInterval?.time)
            report = try run.record()
            if saving.save, report.error == nil {
                report.library = try LibraryAccess.save(URL(fileURLWithPath: file), as: .video)
            }
        } else {
            report = try CaptureCounter(command: command, setup: setup, limit: limit, label: "capturing").count()
        }
        report.jumps = command.jumps(until: report.duration)
        let undecodable = command.undecodableMedia.filter { audio || $0 != .audio }
        if !undecodable.isEmpty { report.undecodable = undecodable.map(\.rawValue) }
        if let error = report.error {
            if json { try printJSON(report) }
            throw CommandFailure(error)
        }
        if json { return try printJSON(report) }
        try printLine(report.summary(hasVideo: setup.camera != nil))
        for medium in undecodable {
            try printLine("there is no decoder for the \(medium) of the source; it was not recorded")
        }
        for jump in report.jumps ?? [] {
            try printLine(
                String(format: "at %.3f s the timestamps of the source jump by %+.3f s; ", jump.time, jump.size)
                    + "the recording continues without the jump")
        }
    }
}

extension RecordCommand.Report {
    /// Returns the report in one line.
    ///
    /// - Parameter hasVideo: Whether there was a camera; the line does not mention frames otherwise.
    fileprivate func summary(hasVideo: Bool) -> String {
        var parts = [String(format: "%.3f s", duration)]
        if hasVideo { parts.append("\(videoFrames) frames \(width)x\(height)") }
        parts.append("\(audioSamples) audio samples")
        if hasVideo { parts.append("\(droppedFrames) frames dropped") }
        if let library { parts.append("saved to the library as \(library)") }
        return (file.map { "\($0): " } ?? "") + parts.joined(separator: ", ")
    }
}
