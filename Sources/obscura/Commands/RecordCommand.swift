import ArgumentParser
import CaptureBackends
import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Records a movie with sound.",
        discussion:
            """
            Without --duration, a file or a trace is recorded to its end, and what has no end for 10 s: sim, linux, and a \
            file that is a single picture. Ctrl-C ends cleanly, as do SIGTERM and SIGHUP.

            Of --json, audioSamples are those in the movie, where sound is cut to the picture's length and silence fills \
            what is missing; with --null they are those that were delivered. A recording that breaks off has the \
            reason in error.
            """
    )

    @Argument(help: "The movie to make: .mov, .mp4 or .m4v; never overwritten. Not used with --null.")
    var file: String?

    @OptionGroup var options: SystemOptions
    @Option(
        parsing: .unconditional, help: "How long to record, as 10s, 250ms, 2min or 1h.",
        transform: Seconds.init(argument:))
    var duration: Seconds?
    @Option(
        parsing: .unconditional, help: "The picture size, as 1920x1080; one that the camera has.",
        transform: PictureSize.init(argument:))
    var size: PictureSize?
    @Option(
        help: "A session preset: high, medium, low, photo, a size that presets have, as 640x480, or Apple's name.",
        transform: PresetName.init(argument:))
    var preset: PresetName?
    @Option(
        parsing: .unconditional, help: "Frames a second, as 30 or 29.97.", transform: FrameRate.init(argument:))
    var fps: FrameRate?
    @Option(help: "The video codec: h264, hevc or jpeg.") var codec = Codec.h264
    @OptionGroup var settings: CameraOptions
    /// Known so that whoever tries it learns what to say instead.
    @Flag(help: .hidden) var flash = false
    @Flag(inversion: .prefixedNo, help: "Record sound, too.") var audio = true
    @Option(
        parsing: .unconditional, help: "Time between the fragments that a crash leaves playable; 10s if not said.",
        transform: Seconds.init(argument:))
    var fragmentInterval: Seconds?
    @Flag(help: "Write no file: count frames and sound, and drop them.") var null = false
    @Flag(help: "Keep the movie in the photo library, too.") var save = false
    @Flag(help: "Print one JSON object.") var json = false

    enum Codec: String, ExpressibleByArgument, CaseIterable {
        case h264, hevc, jpeg

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
                null ? "--null writes no file; leave out \(file ?? "")" : "name the movie to make, or say --null")
        }
        if let file { try OutputFile.require(file, endsWith: ["mov", "mp4", "m4v"]) }
        if flash { throw ValidationError("--flash fires for photos only; --torch 1 lights a movie") }
        if size != nil, preset != nil { throw ValidationError("--size and --preset exclude each other") }
        if null, save { throw ValidationError("--save needs a file; leave out --null") }
        try Seconds.requireSome(duration)
    }

    /// What `--json` prints.
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
        /// Why the recording broke off.
        var error: String?

        private enum CodingKeys: CodingKey {
            case file, duration, videoFrames, droppedFrames, audioSamples, width, height, fps, codec, bytes, library
            case error
        }

        /// Says `file`, also where there is none.
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
            try object.encodeIfPresent(error, forKey: .error)
        }
    }

    func run() throws {
        if let file { try OutputFile.check(file) }
        let command = try options.bootstrap()
        let setup = try CaptureSetup(
            command, camera: options.camera(), wantsAudio: audio,
            CaptureSetup.Wish(size: size, preset: preset, rate: fps, settings: settings))
        let limit = command.limit(duration)
        var report: Report
        if let file {
            let run = MovieRun(
                command: command, setup: setup, url: URL(fileURLWithPath: file), limit: limit, codec: codec.type,
                fragmentInterval: fragmentInterval?.time)
            report = try run.record()
            if save, report.error == nil {
                report.library = try LibraryStore.save(URL(fileURLWithPath: file), as: .video)
            }
        } else {
            report = try CountingRun(command: command, setup: setup, limit: limit).count()
        }
        if let error = report.error {
            if json { try printJSON(report) }
            throw CommandFailure(error)
        }
        if json { return try printJSON(report) }
        let place = report.file.map { "\($0): " } ?? ""
        try printLine(
            "\(place)\(String(format: "%.3f", report.duration)) s, \(report.videoFrames) frames \(report.width)x\(report.height), "
                + "\(report.audioSamples) samples of sound, \(report.droppedFrames) frames dropped"
                + (report.library.map { ", in the library as \($0)" } ?? ""))
    }
}
