import ArgumentParser
import CaptureHAL
import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage

/// `obscura inspect`.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Shows the structure of a movie file and checks it.",
        discussion: "Reads QuickTime and MPEG-4 files, also damaged ones. The exit status is 1 if there are errors.")

    @Argument(help: "The movie.", completion: .file(extensions: ["mov", "mp4", "m4v"])) var file: String
    @Flag(help: "List each sample with its time, size and kind. (default: off)") var frames = false
    @Flag(inversion: .prefixedNo, help: "Check the compressed frames too, which reads the whole file.")
    var media = true
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    func run() throws {
        let report: MovieReport
        do {
            let storage = DiskStorage()
            let open = try storage.open(URL(fileURLWithPath: file), for: .reading)
            guard try MovieMap.canRead(open) else {
                throw CommandFailure(
                    "\(file) is not a QuickTime or MPEG-4 file: it does not start with a known box")
            }
            let map = try MovieMap(reading: open)
            report = MovieReport(
                path: file, map: map, problems: try MovieChecker.problems(of: map, in: open, readsMedia: media),
                listsFrames: frames)
        } catch let error as StorageError {
            throw CommandFailure(error.description)
        }
        if json {
            try printJSON(report)
        } else {
            for line in report.lines { try printListing(line) }
        }
        if report.problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    }
}
