import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import ImageTypes
import MediaTypes
import PhotoStore
import PixelKernels

extension LibraryCommand {
    /// `obscura library sheet`.
    struct Sheet: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sheet",
            abstract: "Writes a contact sheet of photos and movies, by default all that are not hidden, as a PNG.")
        @Argument(help: "The PNG to write; an existing file is never overwritten.") var picture: String
        @Option(name: .customLong("per-row"), parsing: .unconditional, help: "The number of images in a row, 1 to 20.")
        var perRow = 6
        @Option(parsing: .unconditional, help: "The width of an image, 16 to 512 pixels.") var width = 160
        @OptionGroup var selection: AssetSelection
        @OptionGroup var options: Options

        /// The largest number of images, so that the sheet fits into memory.
        private static let maximumCount = 2000

        private struct Report: Encodable {
            var file: String
            var assets: Int
            var width: Int
            var height: Int
            var failed: [AssetFailure]
        }

        func validate() throws {
            try OutputFile.require(picture, endsWith: ["png"])
            guard (1...20).contains(perRow) else { throw ValidationError("--per-row takes 1 to 20") }
            guard (16...512).contains(width) else { throw ValidationError("--width must be 16 to 512") }
        }

        func run() throws {
            try OutputFile.check(picture)
            let assets = try options.bootstrap() ? try selection.assets() : []
            guard !assets.isEmpty else { throw CommandFailure("there are no assets for a sheet") }
            guard assets.count <= Self.maximumCount else {
                throw CommandFailure(
                    "a sheet has at most \(Self.maximumCount) images, not \(assets.count): select fewer, for example with"
                        + " --limit \(Self.maximumCount)")
            }
            var failed: [AssetFailure] = []
            var grid = ImageGrid(cellWidth: width)
            for start in stride(from: 0, to: assets.count, by: perRow) {
                let row = assets[start..<min(start + perRow, assets.count)]
                let title = Date(timeIntervalSince1970: row[start].creationDate).ISO8601Format().prefix { $0 != "T" }
                var cells: [ImageGrid.Cell] = []
                for asset in row {
                    let square = try emptyImage()
                    var label = asset.originalFilename
                    do {
                        try draw(try image(of: asset.localIdentifier), on: square)
                    } catch {
                        let reason = (error as? CommandFailure)?.description ?? errorReason(error)
                        failed.append(AssetFailure(id: asset.localIdentifier, reason: reason))
                        label += " (no image)"
                    }
                    cells.append(ImageGrid.Cell(label: label, image: square))
                }
                grid.rows.append(ImageGrid.Row(title: String(title), cells: cells))
            }
            let pixels = try grid.render()
            try OutputFile.writePNG(pixels, "the sheet", to: picture)
            if options.json {
                try printJSON(
                    Report(
                        file: picture, assets: assets.count, width: CVPixelBufferGetWidth(pixels),
                        height: CVPixelBufferGetHeight(pixels), failed: failed))
            } else {
                try printLine("\(picture): \(assets.count) assets")
                for failure in failed { failure.printError() }
            }
            if !failed.isEmpty { throw ExitCode(1) }
        }

        /// Returns the upright image of an asset, which fits into a square.
        private func image(of identifier: String) throws -> CVPixelBuffer {
            let outcome = Lock<Result<CVPixelBuffer, any Error>?>(nil)
            let request = PHImageRequestOptions()
            request.isSynchronous = true
            PHImageManager.default().requestImage(
                for: try LibraryAccess.asset(identifier), targetSize: CGSize(width: width, height: width),
                contentMode: .aspectFit, options: request
            ) { image, info in
                let failure = info?[PHImageErrorKey] as? any Error
                outcome.withLock {
                    $0 = image?.cgImage.map { .success($0.pixelBuffer) } ?? failure.map { .failure($0) }
                }
            }
            guard let result = outcome.withLock({ $0 }) else { throw CommandFailure("there is no image") }
            return try result.get()
        }

        private func emptyImage() throws -> CVPixelBuffer {
            guard let image = CVPixelBuffer(width: width, height: width, pixelFormat: kCVPixelFormatType_32BGRA) else {
                throw CommandFailure("not enough memory for an image")
            }
            CVPixelBufferLockBaseAddress(image, [])
            defer { CVPixelBufferUnlockBaseAddress(image, []) }
            guard let base = CVPixelBufferGetBaseAddress(image) else { return image }
            memset(base, 0xE8, CVPixelBufferGetBytesPerRow(image) * width)
            return image
        }

        /// Draws an image at the center of a larger one.
        private func draw(_ image: CVPixelBuffer, on square: CVPixelBuffer) throws {
            let columns = min(CVPixelBufferGetWidth(image), width)
            let rows = min(CVPixelBufferGetHeight(image), width)
            CVPixelBufferLockBaseAddress(image, .readOnly)
            CVPixelBufferLockBaseAddress(square, [])
            defer {
                CVPixelBufferUnlockBaseAddress(square, [])
                CVPixelBufferUnlockBaseAddress(image, .readOnly)
            }
            guard let from = CVPixelBufferGetBaseAddress(image), let to = CVPixelBufferGetBaseAddress(square) else {
                return
            }
            let (fromStride, toStride) = (CVPixelBufferGetBytesPerRow(image), CVPixelBufferGetBytesPerRow(square))
            let (left, top) = ((width - columns) / 2, (width - rows) / 2)
            for row in 0..<rows {
                memcpy(to + (top + row) * toStride + left * 4, from + row * fromStride, columns * 4)
            }
        }
    }
}
