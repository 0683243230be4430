import ArgumentParser
import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Shows what a movie file holds, and what is wrong with it.",
        discussion: "For QuickTime and MPEG-4 files, also broken ones. The status is 1 where an error was found.")

    @Argument(help: "The movie.") var file: String
    @Flag(help: "List every frame with its time, size and kind.") var frames = false
    @Flag(inversion: .prefixedNo, help: "Look at the compressed pictures too, which reads the whole file.")
    var media = true
    @Flag(help: "Print one JSON object.") var json = false

    func run() throws {
        let report: MovieReport
        do {
            let storage = DiskStorage()
            let open = try storage.open(URL(fileURLWithPath: file), for: .reading)
            guard try MovieMap.canRead(open) else {
                throw CommandFailure(
                    "\(file) is no QuickTime or MPEG-4 file: it does not begin with one of their boxes")
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
            for line in report.lines { print(line) }
        }
        if report.problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    }
}
