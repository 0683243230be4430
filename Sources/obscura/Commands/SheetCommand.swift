import ArgumentParser
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// `obscura sheet`.
struct SheetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Writes a contact sheet of a movie: frames at regular intervals, as a PNG.")

    @Argument(help: "The movie.", completion: .file()) var movie: String
    @Argument(help: "The PNG to write; an existing file is never overwritten.") var picture: String
    @Option(parsing: .unconditional, help: "The number of columns, 1 to 20.") var columns = 4
    @Option(parsing: .unconditional, help: "The number of rows, 1 to 20.") var rows = 3
    @Option(parsing: .unconditional, help: "The width of a frame in the sheet, 16 to 4096 pixels.") var width = 320
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var file: String
        var movie: String
        var frames: Int
        var width: Int
        var height: Int
    }

    func validate() throws {
        try OutputFile.require(picture, endsWith: ["png"])
        guard (1...20).contains(columns), (1...20).contains(rows) else {
            throw ValidationError("--columns and --rows take 1 to 20")
        }
        guard (16...4096).contains(width) else { throw ValidationError("--width must be 16 to 4096") }
    }

    func run() throws {
        try OutputFile.check(picture)
        let sheet: ContactSheet
        let pixels: CVPixelBuffer
        do throws(MediaFileError) {
            sheet = try ContactSheet(movie: movie, columns: columns, rows: rows, width: width)
            pixels = try sheet.render()
        } catch {
            throw CommandFailure(error.message)
        }
        try OutputFile.writePNG(pixels, "the sheet", to: picture)
        if json {
            return try printJSON(
                Report(
                    file: picture, movie: movie, frames: sheet.frameCount, width: CVPixelBufferGetWidth(pixels),
                    height: CVPixelBufferGetHeight(pixels)))
        }
        try printLine("\(picture): \(sheet.frameCount) frames of \(movie)")
    }
}
