import ArgumentParser
import CaptureBackends
import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Records what devices do, shows it and cuts it; '--backend trace:DIR' plays it.",
        subcommands: [Record.self, Show.self, Minimize.self])

    struct Record: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "record",
            abstract: "Captures from a camera and a microphone and keeps every call, answer, event and frame.",
            discussion: "Without --duration, a file or a trace is recorded to its end, and what has no end for 10 s.")

        @Argument(help: "The folder to make; one with a trace is never overwritten.") var folder: String
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
            parsing: .unconditional, help: "Frames a second, as 30 or 29.97.", transform: FrameRate.init(argument:))
        var fps: FrameRate?
        @Flag(inversion: .prefixedNo, help: "Record sound, too.") var audio = true
        @Option(
            parsing: .unconditional, help: "How many megabytes of pictures and sound to keep; beyond, only the events.")
        var limit = 4096
        @Flag(help: "Print one JSON object.") var json = false

        func validate() throws {
            try OutputFile.requireName(folder)
            try Seconds.requireSome(duration)
            guard (0...1 << 30).contains(limit) else {
                throw ValidationError("--limit \(limit) is not between 0 and \(1 << 30)")
            }
        }

        func run() throws {
            try OutputFile.checkFolder(of: folder)
            var made: TraceRecorder?
            let command = try options.bootstrap { (host, clock) throws(DeviceError) in
                let recorder = try TraceRecorder(
                    host, to: URL(fileURLWithPath: folder, isDirectory: true), clock: clock,
                    byteLimit: Int64(limit) << 20)
                made = recorder
                return recorder
            }
            guard let recorder = made else { throw CommandFailure("there is no host to record") }
            // A trace of what went wrong is worth as much as one of what went well.
            let outcome = Result { try capture(command) }
            do throws(DeviceError) {
                try recorder.finish()
            } catch {
                throw CommandFailure("the trace \(folder) is not whole: \(error.message)")
            }
            _ = try outcome.get()
            try Show.show(folder, json: json, events: false)
        }

        private func capture(_ command: CommandSystem) throws {
            let setup = try CaptureSetup(
                command, camera: options.camera(), wantsAudio: audio, CaptureSetup.Wish(size: size, rate: fps))
            let report = try CountingRun(command: command, setup: setup, limit: command.limit(duration)).count()
            if let error = report.error { throw CommandFailure(error) }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Tells what a trace holds, then its events.")

        @Argument(help: "The folder of the trace.") var folder: String
        @Flag(inversion: .prefixedNo, help: "List the events.") var events = true
        @Flag(help: "Print one JSON object, the events as an array of lines.") var json = false

        private struct Listing: Encodable {
            var summary: TraceSummary
            var events: [String]
        }

        func validate() throws { try OutputFile.requireName(folder) }

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
            try printLine(
                "\(folder): host \(summary.host), \(String(format: "%.3f", summary.duration)) s, \(summary.events) events, "
                    + "\(summary.mediaBytes) bytes of media (\(summary.unpackedBytes) unpacked)")
            for device in summary.devices {
                try printLine("\(device.id)  \(device.name) (\(device.kind)), opened \(device.openings) times")
                for stream in device.streams {
                    let end = stream.end.map { ", \($0)" } ?? ""
                    try printLine(
                        "    \(stream.format): started \(stream.starts) times, \(stream.frames) frames, "
                            + "\(stream.chunks) chunks of sound, \(stream.dropped) dropped\(end)")
                }
            }
            if summary.withoutBytes > 0 {
                try printLine("\(summary.withoutBytes) frames and chunks without their bytes")
            }
            for warning in summary.warnings { try printLine("warning: \(warning)") }
            if events { for line in trace.lines { try printLine(line) } }
        }
    }

    struct Minimize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "minimize", abstract: "Cuts a trace down to a part that still plays.")

        @Argument(help: "The folder of the trace.") var folder: String
        @Argument(help: "The folder to make.") var output: String
        @Option(
            parsing: .unconditional, help: "Where the part begins, as 1.5s; the trace's beginning where not said.",
            transform: Seconds.init(argument:))
        var from: Seconds?
        @Option(
            parsing: .unconditional, help: "Where the part ends; the trace's end where not said.",
            transform: Seconds.init(argument:))
        var to: Seconds?
        @Option(parsing: .unconditional, help: "Keep so many frames from the beginning.") var frames: Int?
        @Flag(help: "Print one JSON object.") var json = false

        func validate() throws {
            for name in [folder, output] { try OutputFile.requireName(name) }
            guard (frames != nil) != (from != nil || to != nil) else {
                throw ValidationError("say either --frames, or --from and --to or one of them")
            }
            if let frames, frames < 1 { throw ValidationError("--frames takes 1 or more") }
            if let from, let to, from.time >= to.time { throw ValidationError("--from lies before --to") }
        }

        func run() throws {
            try OutputFile.checkFolder(of: output)
            do throws(DeviceError) {
                let trace = try Trace(folder: URL(fileURLWithPath: folder, isDirectory: true))
                let part: TraceMinimizer.Part =
                    if let frames { .frames(frames) } else {
                        .times(from: from?.time ?? .zero, to: to?.time ?? .positiveInfinity)
                    }
                try TraceMinimizer(trace, keeping: part).write(to: URL(fileURLWithPath: output, isDirectory: true))
            } catch {
                throw CommandFailure(error.message)
            }
            try Show.show(output, json: json, events: false)
        }
    }
}
