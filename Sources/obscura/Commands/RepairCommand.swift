import ArgumentParser
import CaptureHAL
import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage

/// `obscura repair`.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Converts an interrupted recording into a plain movie.",
        discussion: """
            Keeps all complete fragments, and the samples of the last fragment that its index describes. All tracks are \
            copied byte for byte, whatever their codecs; if one cannot be copied, the damaged movie stays. The repaired \
            movie is written beside the damaged one and checked, and then replaces it, if all tracks and samples can be \
            read. With --output the damaged one stays, and what cannot be read is listed.
            """)

    @Argument(help: "The movie.") var file: String
    @Option(
        help: "A new file for the repaired movie; an existing file is never overwritten. (default: replace the movie)")
    var output: String?
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    func validate() throws {
        if let output { try OutputFile.requireName(output) }
    }

    private struct Report: Encodable {
        var file: String
        var wasWhole: Bool
        var seconds: Double
        var samples: [String: Int64]
        var lostSamples: Int64
        var retimedSamples: Int64
        var omissions: [String]
        var protectedTracks: [String]
    }

    func run() throws {
        let storage = DiskStorage()
        let source = URL(fileURLWithPath: file)
        if let output { try OutputFile.check(output) }
        do {
            if output == nil, try MovieRepair.isComplete(source, in: storage) {
                return try report(
                    Report(
                        file: file, wasWhole: true, seconds: 0, samples: [:], lostSamples: 0, retimedSamples: 0,
                        omissions: [], protectedTracks: []))
            }
            let target = output.map { URL(fileURLWithPath: $0) } ?? Self.unusedNeighbor(of: source, "repaired", storage)
            let summary = try MovieRepair.repair(source, to: target, in: storage, acceptsLosses: output != nil)
            if output == nil { try replace(source, by: target, in: storage) }
            try report(
                Report(
                    file: output ?? file, wasWhole: false, seconds: summary.duration.seconds,
                    samples: Dictionary(uniqueKeysWithValues: summary.sampleCounts.map { ("\($0.key)", $0.value) }),
                    lostSamples: summary.lostSampleCount, retimedSamples: summary.retimedSampleCount,
                    omissions: summary.omissions, protectedTracks: summary.protectedTracks))
        } catch let error as MovieError {
            let advice = "; the file is unchanged, and --output writes what can be read to a new file"
            throw CommandFailure(error.message + (error.code == .incomplete ? advice : ""))
        }
    }

    /// Returns the name of a file in the same folder that does not exist: `a.repaired.mov` for `a.mov`, or with a number.
    private static func unusedNeighbor(of url: URL, _ suffix: String, _ storage: any CaptureStorage) -> URL {
        let name = url.deletingPathExtension().lastPathComponent
        let fileExtension = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
        // The file itself exists, so the result is another name.
        var (number, result) = (1, url)
        while storage.fileExists(at: result) {
            let label = number == 1 ? suffix : "\(suffix)-\(number)"
            result = url.deletingLastPathComponent().appendingPathComponent("\(name).\(label)\(fileExtension)")
            number += 1
        }
        return result
    }

    /// Replaces the damaged movie with the repaired one. After each step, at least one of them exists under some name.
    private func replace(_ source: URL, by target: URL, in storage: any CaptureStorage) throws(CommandFailure) {
        let backup = Self.unusedNeighbor(of: source, "broken", storage)
        do throws(StorageError) {
            try storage.rename(source, to: backup)
        } catch {
            throw unchanged(source, target, error, in: storage)
        }
        do throws(StorageError) {
            try storage.rename(target, to: source)
        } catch {
            // If this fails too, both files keep their temporary names.
            guard (try? storage.rename(backup, to: source)) != nil else {
                throw CommandFailure(
                    "\(source.relativePath) is now \(backup.relativePath), and the repaired movie is \(target.relativePath): \(error)"
                )
            }
            throw unchanged(source, target, error, in: storage)
        }
        do throws(StorageError) {
            try storage.flushDirectory(source.deletingLastPathComponent())
            try storage.remove(backup)
        } catch {
            throw CommandFailure(
                "\(source.relativePath) is repaired, but the damaged movie remains as \(backup.relativePath): \(error)")
        }
    }

    /// Removes the repaired movie and returns the error for a movie that cannot be replaced.
    private func unchanged(
        _ source: URL, _ target: URL, _ error: StorageError, in storage: any CaptureStorage
    ) -> CommandFailure {
        // A further error is ignored: `error` is the one to report.
        try? storage.remove(target)
        return CommandFailure("\(source.relativePath) cannot be replaced and is unchanged: \(error)")
    }

    private func report(_ report: Report) throws {
        if json { return try printJSON(report) }
        if report.wasWhole { return try printLine("\(file) is a complete plain movie; nothing was changed") }
        let counts = report.samples.sorted { Int($0.key) ?? 0 < Int($1.key) ?? 0 }.map {
            "\($0.value) samples of track \($0.key)"
        }
        try printLine(
            "\(report.file): recovered \(String(format: "%.3f", report.seconds)) s, \(counts.joined(separator: ", "))")
        if report.lostSamples > 0 {
            try printLine("omitted \(report.lostSamples) samples that are incomplete in the file")
        }
        if report.retimedSamples > 0 {
            try printLine("changed the decode times of \(report.retimedSamples) samples that overlapped earlier ones")
        }
        for omission in report.omissions { try printLine("omitted: \(omission)") }
        for track in report.protectedTracks { try printLine("\(track); it was copied without decryption") }
    }
}
