import ArgumentParser
import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Makes one plain movie of a recording that broke off.",
        discussion: """
            Saves every complete fragment, and of the last one what its index tells. The repaired movie is written and \
            checked beside the broken one first, and takes its name only then; with --output the broken one stays.
            """)

    @Argument(help: "The movie.") var file: String
    @Option(help: "The file to make; one that exists is never overwritten.") var output: String?
    @Flag(help: "Print one JSON object.") var json = false

    private struct Report: Encodable {
        var file: String
        var wasWhole: Bool
        var seconds: Double
        var samples: [String: Int64]
        var lostSamples: Int64
        var lostTracks: [String]
    }

    func run() throws {
        let storage = DiskStorage()
        let source = URL(fileURLWithPath: file)
        if let output { try OutputFile.check(output) }
        do {
            if output == nil, try MovieRepair.isWhole(source, in: storage) {
                return try report(
                    Report(file: file, wasWhole: true, seconds: 0, samples: [:], lostSamples: 0, lostTracks: []))
            }
            let target = output.map { URL(fileURLWithPath: $0) } ?? Self.neighbour(of: source, "repaired")
            let summary = try MovieRepair.repair(source, to: target, in: storage)
            if output == nil { try replace(source, by: target, in: storage) }
            try report(
                Report(
                    file: output ?? file, wasWhole: false, seconds: summary.duration.seconds,
                    samples: Dictionary(uniqueKeysWithValues: summary.sampleCounts.map { ("\($0.key)", $0.value) }),
                    lostSamples: summary.lostSampleCount, lostTracks: summary.lostTracks))
        } catch let error as MovieError {
            throw CommandFailure(error.message)
        }
    }

    /// A name beside the file: `a.repaired.mov` for `a.mov`.
    private static func neighbour(of url: URL, _ word: String) -> URL {
        let name = url.deletingPathExtension().lastPathComponent
        let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
        return url.deletingLastPathComponent().appendingPathComponent("\(name).\(word)\(ending)")
    }

    /// Gives the repaired movie the broken one's name; at every moment one of both is there under some name.
    private func replace(_ source: URL, by target: URL, in storage: any CaptureStorage) throws(CommandFailure) {
        let aside = Self.neighbour(of: source, "broken")
        do throws(StorageError) {
            try storage.rename(source, to: aside)
            do throws(StorageError) {
                try storage.rename(target, to: source)
            } catch {
                // Where that fails too, both files are there under their other names.
                try? storage.rename(aside, to: source)
                throw error
            }
            try storage.flushDirectory(source.deletingLastPathComponent())
            try storage.remove(aside)
        } catch {
            throw CommandFailure(
                "the repaired movie is \(target.path), but it could not take the name \(source.path): \(error)")
        }
    }

    private func report(_ report: Report) throws {
        if json { return try printJSON(report) }
        if report.wasWhole { return print("\(file) is one plain movie and whole; nothing was done") }
        let counts = report.samples.sorted { $0.key < $1.key }.map { "\($0.value) samples of track \($0.key)" }
        print(
            "\(report.file): saved \(String(format: "%.3f", report.seconds)) s, \(counts.joined(separator: ", "))")
        if report.lostSamples > 0 { print("\(report.lostSamples) samples at the end were not whole and are left out") }
        for track in report.lostTracks { print("left out \(track)") }
    }
}
