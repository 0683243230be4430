import ArgumentParser
import CaptureBackends
import CaptureCore
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

struct ChartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Makes a contact sheet, a PNG of what a simulated camera's controls do.",
        discussion: "Focus, exposure, ISO, white balance, torch and zoom, as far as the camera has them.")

    @Argument(help: "The PNG to make; never overwritten.") var picture: String
    @OptionGroup var options: SystemOptions
    @Option(parsing: .unconditional, help: "Width of a picture in the sheet, in pixels.") var width = 240
    @Flag(help: "Print one JSON object.") var json = false

    private struct Report: Encodable {
        var file: String
        var camera: String
        var pictures: Int
        var width: Int
        var height: Int
        /// Rows that showed nothing, with the reason.
        var leftOut: [String]
    }

    func validate() throws {
        try OutputFile.require(picture, endsWith: ["png"])
        guard (64...1024).contains(width) else { throw ValidationError("--width takes 64 to 1024") }
        guard options.backend == "sim", !options.realtime else {
            throw ValidationError("chart is for --backend sim, in virtual time")
        }
    }

    func run() throws {
        try OutputFile.check(picture)
        // Dusk and night are made by machines of their own, each of which reads the profile.
        if let profile = options.profile, isPipe(profile) {
            throw CommandFailure("chart reads the profile more than once, and \(profile) is a pipe: give it a file")
        }
        let rows = try ChartRows(options: options)
        var leftOut: [String] = []
        let sheet = PictureSheet(cellWidth: width / 2 * 2, rows: try rows.all { leftOut.append($0) })
        let pixels = try sheet.render()
        let data: Data
        do throws(StillError) {
            data = try PNGCodec().encode(pixels)
        } catch {
            throw CommandFailure("the sheet cannot be encoded: \(error.message)")
        }
        try OutputFile.write(data, to: picture)
        let count = sheet.rows.map(\.cells.count).reduce(0, +)
        if json {
            return try printJSON(
                Report(
                    file: picture, camera: rows.cameraID, pictures: count, width: CVPixelBufferGetWidth(pixels),
                    height: CVPixelBufferGetHeight(pixels), leftOut: leftOut))
        }
        try printLine("\(picture): \(count) pictures of \(rows.cameraID)")
        for row in leftOut { try printLine("left out: \(row)") }
    }

    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
