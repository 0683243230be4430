import ArgumentParser
import CaptureBackends
import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices

/// `obscura trace`.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Records, shows and shortens device traces; '--backend trace:PATH' plays them.",
        subcommands: [Record.self, Show.self, Minimize.self])

    /// `obscura trace record`.
    struct Record: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "record",
            abstract: "Captures from a camera and a microphone and stores all calls, results, events and frames.",
            discussion:
                "Without --duration, a file or a trace is recorded to its end, and a source without an end for 10 s.")

        @Argument(help: "The folder to create; an existing trace is never overwritten.") var folder: String
        @OptionGroup var options: SystemOptions
        @Option(
            parsing: .unconditional,
            help:
                "The duration, such as 10s, 250ms, 2min or 1h. (default: to the end of a file or trace, else 10s)",
            transform: DurationArgument.init(argument:))
        var duration: DurationArgument?
        @Option(
            parsing: .unconditional,
            help: "A frame size that the camera supports, such as 1920x1080. (default: the active format's)",
            transform: PixelSize.init(argument:))
        var size: PixelSize?
        @Option(
            parsing: .unconditional,
            help: "The frame rate in frames per second, such as 30 or 29.97. (default: the format's)",
            transform: FrameRate.init(argument:))
        var fps: FrameRate?
        @Flag(inversion: .prefixedNo, help: "Record audio.") var audio = true
        @Option(
            parsing: .unconditional,
            help: "The limit of stored frames and audio, in MiB. Beyond it, only events are stored.")
        var limit = 4096
        @Flag(help: "Print one JSON object. (default: off)") var json = false

        func validate() throws {
            try OutputFile.requireFolderName(folder)
            try DurationArgument.requirePositive(duration)
            guard (0...1 << 30).contains(limit) else {
                throw ValidationError("--limit \(limit) is not between 0 and \(1 << 30)")
            }
        }

        func run() throws {
            try OutputFile.checkFolder(of: folder)
            let url = URL(fileURLWithPath: folder, isDirectory: true)
            let isNew = !FileManager.default.fileExists(atPath: folder)
            var created: TraceRecorder?
            let system = try OutputFile.creatingFolder(folder) {
                try options.bootstrap { (host, clock) throws(DeviceError) in
                    let recorder = try TraceRecorder(host, to: url, clock: clock, byteLimit: Int64(limit) << 20)
                    created = recorder
                    return recorder
                }
            }
            guard let recorder = created else { throw CommandFailure("the backend has no devices to record") }
            // The trace of a failed capture is also completed.
            let outcome = Result { try capture(system) }
            do throws(DeviceError) {
                try recorder.finish()
            } catch {
                // A trace that cannot be played is of no use.
                if isNew, (try? Trace(folder: url)) == nil { try? FileManager.default.removeItem(at: url) }
                throw CommandFailure("the trace \(folder) is incomplete: \(error.message)")
            }
            _ = try outcome.get()
            try Show.show(folder, json: json, events: false)
        }

        private func capture(_ system: CommandSystem) throws {
            let setup = try CaptureSetup(
                system, camera: options.camera(), wantsAudio: audio, CaptureSetup.Requirements(size: size, rate: fps))
            // The recorder stores what the devices deliver; this runs the session.
            let report = try CaptureCounter(
                command: system, setup: setup, limit: system.limit(duration), label: "recording"
            ).count()
            if let error = report.error { throw CommandFailure(error) }
        }
    }

    /// `obscura trace show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a summary of a trace and its events.")

        @Argument(help: "The folder of the trace.", completion: .directory) var folder: String
        @Flag(inversion: .prefixedNo, help: "List the events.") var events = true
        @Flag(help: "Print one JSON object, the events as an array of lines. (default: off)") var json = false

        private struct Listing: Encodable {
            var summary: TraceSummary
            var events: [String]
        }

        func validate() throws { try OutputFile.requireFolderName(folder) }

        func run() throws { try Self.show(folder, json: json, events: events) }

        static func show(_ folder: String, json: Bool, events: Bool) throws {
            let trace: Trace
            do throws(DeviceError) {
                trace = try Trace(folder: URL(fileURLWithPath: folder, isDirectory: true))
            } catch {
                throw CommandFailure(error.message)
            }
            let summary = TraceSummary(trace)
            if json {
                return events ? try printJSON(Listing(summary: summary, events: trace.lines)) : try printJSON(summary)
            }
            try printListing(
                "\(folder): host \(summary.host), \(String(format: "%.3f", summary.duration)) s, \(summary.events) events, "
                    + "\(summary.mediaBytes) bytes of media (\(summary.unpackedBytes) unpacked)")
            for device in summary.devices {
                try printListing("\(device.id)  \(device.name) (\(device.kind)), opened \(device.openings) times")
                for stream in device.streams {
                    let end = stream.end.map { ", \($0)" } ?? ""
                    try printListing(
                        "    \(stream.format): started \(stream.starts) times, \(stream.frames) frames, "
                            + "\(stream.chunks) audio chunks, \(stream.dropped) dropped\(end)")
                }
            }
            if summary.withoutBytes > 0 {
                try printListing("\(summary.withoutBytes) frames and audio chunks without their data")
            }
            for warning in summary.warnings { try printListing("warning: \(warning)") }
            if events { for line in trace.lines { try printListing(line) } }
        }
    }

    /// `obscura trace minimize`.
    struct Minimize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "minimize", abstract: "Copies a part of a trace to a new trace that can be played.")

        @Argument(help: "The folder of the trace.", completion: .directory) var folder: String
        @Argument(help: "The folder to create.") var output: String
        @Option(
            parsing: .unconditional,
            help: "The start of the part, such as 1.5s. (default: the start of the trace)",
            transform: DurationArgument.init(argument:))
        var from: DurationArgument?
        @Option(
            parsing: .unconditional, help: "The end of the part. (default: the end of the trace)",
            transform: DurationArgument.init(argument:))
        var to: DurationArgument?
        @Option(
            parsing: .unconditional,
            help: "The number of frames to keep from the start. Required unless --from or --to is given. (default: all)"
        ) var frames: Int?
        @Flag(help: "Print one JSON object. (default: off)") var json = false

        func validate() throws {
            for name in [folder, output] { try OutputFile.requireFolderName(name) }
            guard (frames != nil) != (from != nil || to != nil) else {
                throw ValidationError("use --frames, or at least one of --from and --to")
            }
            if let frames, frames < 1 { throw ValidationError("--frames must be 1 or more") }
            if let from, let to, from.time >= to.time { throw ValidationError("--from must be before --to") }
        }

        func run() throws {
            try OutputFile.checkFolder(of: output)
            let part: TraceMinimizer.Part =
                if let frames { .frames(frames) } else {
                    .times(from: from?.time ?? .zero, to: to?.time ?? .positiveInfinity)
                }
            try OutputFile.creatingFolder(output) {
                do throws(DeviceError) {
                    let trace = try Trace(folder: URL(fileURLWithPath: folder, isDirectory: true))
                    try TraceMinimizer(trace, keeping: part).write(to: URL(fileURLWithPath: output, isDirectory: true))
                } catch {
                    throw CommandFailure(error.message)
                }
            }
            try Show.show(output, json: json, events: false)
        }
    }
}
