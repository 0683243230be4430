import ArgumentParser
import CaptureBackends
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// `obscura chart`.
struct ChartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Writes a contact sheet of a simulated camera's controls.",
        discussion:
            "Shows focus, exposure, ISO, white balance, torch, HDR, low-light boost and zoom, if the camera has them.")

    @Argument(help: "The PNG to write; an existing file is never overwritten.") var picture: String
    @OptionGroup var options: SystemOptions
    @Option(parsing: .unconditional, help: "The width of a frame in the sheet, 64 to 1024 pixels.") var width = 240
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var file: String
        var camera: String
        var pictures: Int
        var width: Int
        var height: Int
        /// The omitted rows, with the reason.
        var leftOut: [String]
    }

    func validate() throws {
        try OutputFile.require(picture, endsWith: ["png"])
        guard (64...1024).contains(width) else { throw ValidationError("--width must be 64 to 1024") }
        guard options.backend == "sim", !options.realtime else {
            throw ValidationError("chart requires --backend sim, without --realtime")
        }
    }

    func run() throws {
        try OutputFile.check(picture)
        // Each light level has its own simulated host, which reads the profile again.
        if let profile = options.profile, isPipe(profile) {
            throw CommandFailure("chart reads the profile more than once, and \(profile) is a pipe: pass a file")
        }
        let chart = try ControlChart(options: options)
        var leftOut: [String] = []
        let bar = ProgressBar("capturing")
        let rows = Result { try chart.rows(reportOmission: { leftOut.append($0) }, reportProgress: bar.show(_:)) }
        bar.finish()
        let sheet = ImageGrid(cellWidth: width / 2 * 2, rows: try rows.get())
        let pixels = try sheet.render()
        try OutputFile.writePNG(pixels, "the sheet", to: picture)
        let count = sheet.rows.map(\.cells.count).reduce(0, +)
        if json {
            return try printJSON(
                Report(
                    file: picture, camera: chart.cameraID, pictures: count, width: CVPixelBufferGetWidth(pixels),
                    height: CVPixelBufferGetHeight(pixels), leftOut: leftOut))
        }
        try printLine("\(picture): \(count) frames of \(chart.cameraID)")
        for row in leftOut { try printLine("omitted: \(row)") }
    }

    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
