import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import TextRendering

/// Rows of labeled images on a white background.
struct ImageGrid {
    /// An image of a row, with its label.
    struct Cell {
        var label: String
        var image: CVPixelBuffer
        /// Whether the center of the image is shown at its original scale, instead of the whole image scaled down.
        var isCloseUp = false
    }

    /// A row of images below a title.
    struct Row {
        var title: String
        var cells: [Cell]
    }

    // In pixels.
    private static let gap = 6
    private static let titleHeight = 26
    private static let labelHeight = 15
    /// Heights of capital letters.
    private static let titleCapHeight = 11.0
    private static let labelCapHeight = 8.0
    /// Distances from the baseline to the bottom of a line of text.
    private static let titleDescent = 9
    private static let labelDescent = 3

    let cellWidth: Int
    var rows: [Row] = []

    /// Renders the grid, in BGRA.
    ///
    /// - Throws: `CommandFailure` if memory is insufficient or an image cannot be converted.
    func render() throws(CommandFailure) -> CVPixelBuffer {
        let columns = rows.map(\.cells.count).max() ?? 0
        // The sheet is at least as wide as the longest title.
        let longest = rows.map { TextLine($0.title).width }.max() ?? 0
        let titleWidth = Int((longest * Self.titleCapHeight).rounded(.up)) + 2 * Self.gap
        let width = max(max(columns, 1) * (cellWidth + Self.gap) + Self.gap, titleWidth)
        let heights = rows.map { Self.titleHeight + cellHeight($0) + lineCount($0) * Self.labelHeight + Self.gap }
        let height = heights.reduce(Self.gap, +)
        guard let sheet = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA) else {
            throw CommandFailure("not enough memory for a sheet of \(width)x\(height)")
        }
        clear(sheet)
        let converter = PixelConverter()
        var top = Self.gap
        for (row, height) in zip(rows, heights) {
            draw(
                row.title, height: Self.titleCapHeight, x: Self.gap, y: top + Self.titleHeight - Self.titleDescent,
                on: sheet)
            for (index, cell) in row.cells.enumerated() {
                let left = Self.gap + index * (cellWidth + Self.gap)
                try place(cell, height: cellHeight(row), x: left, y: top + Self.titleHeight, on: sheet, converter)
                for (number, line) in lines(cell.label).enumerated() {
                    draw(
                        line, height: Self.labelCapHeight, x: left,
                        y: top + Self.titleHeight + cellHeight(row) + (number + 1) * Self.labelHeight
                            - Self.labelDescent,
                        on: sheet)
                }
            }
            top += height
        }
        return sheet
    }

    /// Breaks a label into lines that are no wider than a cell.
    func lines(_ label: String) -> [String] {
        func fits(_ line: String) -> Bool { TextLine(line).width * Self.labelCapHeight <= Double(cellWidth) }
        var lines: [String] = []
        for word in label.split(separator: " ") {
            if let last = lines.last, fits("\(last) \(word)") {
                lines[lines.count - 1] = "\(last) \(word)"
                continue
            }
            // A word that is wider than a cell is broken.
            var line = ""
            for character in word {
                if !line.isEmpty, !fits(line + String(character)) {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
            lines.append(line)
        }
        return lines
    }

    private func lineCount(_ row: Row) -> Int { max(1, row.cells.map { lines($0.label).count }.max() ?? 1) }

    private func cellHeight(_ row: Row) -> Int {
        guard let image = row.cells.first?.image else { return 16 }
        let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        return max(16, cellWidth * height / width / 2 * 2)
    }

    private func place(
        _ cell: Cell, height: Int, x: Int, y: Int, on sheet: CVPixelBuffer, _ converter: PixelConverter
    ) throws(CommandFailure) {
        guard let small = CVPixelBuffer(width: cellWidth, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw CommandFailure("not enough memory for an image") }
        var transform = PixelTransform()
        if cell.isCloseUp {
            let (w, h) = (CVPixelBufferGetWidth(cell.image), CVPixelBufferGetHeight(cell.image))
            let (width, height) = (min(cellWidth, w), min(height, h))
            // Even coordinates, as frames with subsampled chroma require.
            transform = PixelTransform(
                crop: PixelRect(x: (w - width) / 4 * 2, y: (h - height) / 4 * 2, width: width, height: height))
        }
        do throws(ImageError) {
            try converter.convert(cell.image, to: small, transform)
        } catch {
            throw CommandFailure(error.message)
        }
        copy(small, to: sheet, x: x, y: y)
    }

    private func copy(_ small: CVPixelBuffer, to sheet: CVPixelBuffer, x: Int, y: Int) {
        CVPixelBufferLockBaseAddress(small, .readOnly)
        CVPixelBufferLockBaseAddress(sheet, [])
        defer {
            CVPixelBufferUnlockBaseAddress(sheet, [])
            CVPixelBufferUnlockBaseAddress(small, .readOnly)
        }
        guard let from = CVPixelBufferGetBaseAddress(small), let to = CVPixelBufferGetBaseAddress(sheet) else { return }
        let (fromStride, toStride) = (CVPixelBufferGetBytesPerRow(small), CVPixelBufferGetBytesPerRow(sheet))
        for row in 0..<CVPixelBufferGetHeight(small) {
            memcpy(to + (y + row) * toStride + x * 4, from + row * fromStride, CVPixelBufferGetWidth(small) * 4)
        }
    }

    private func clear(_ sheet: CVPixelBuffer) {
        CVPixelBufferLockBaseAddress(sheet, [])
        defer { CVPixelBufferUnlockBaseAddress(sheet, []) }
        guard let base = CVPixelBufferGetBaseAddress(sheet) else { return }
        memset(base, 0xFF, CVPixelBufferGetBytesPerRow(sheet) * CVPixelBufferGetHeight(sheet))
    }

    /// Draws a line of text in black on white, clipped at the edges of the sheet.
    ///
    /// - Parameters:
    ///   - height: The height of capital letters in pixels.
    ///   - x, y: The start of the baseline in pixels from the top left corner.
    private func draw(_ text: String, height: Double, x: Int, y: Int, on sheet: CVPixelBuffer) {
        CVPixelBufferLockBaseAddress(sheet, [])
        defer { CVPixelBufferUnlockBaseAddress(sheet, []) }
        guard let base = CVPixelBufferGetBaseAddress(sheet) else { return }
        let stride = CVPixelBufferGetBytesPerRow(sheet)
        let mask = TextLine(text).mask(height: height, x: Double(x), y: Double(y))
        for row in 0..<mask.height where (0..<CVPixelBufferGetHeight(sheet)).contains(mask.top + row) {
            for column in 0..<mask.width where (0..<CVPixelBufferGetWidth(sheet)).contains(mask.left + column) {
                let value = 255 - mask.coverage[row * mask.width + column]
                guard value < 255 else { continue }
                let pixel = base + (mask.top + row) * stride + (mask.left + column) * 4
                memset(pixel, Int32(value), 3)
            }
        }
    }
}
