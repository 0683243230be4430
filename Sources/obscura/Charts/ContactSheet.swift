import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import PixelKernels

/// A contact sheet: frames of a movie in rows and columns.
final class ContactSheet {
    private let reader: MediaFileReader
    private let track: MediaTrack
    private let columns: Int
    private let rows: Int
    private let cell: (width: Int, height: Int)
    /// The number of frames in the sheet, after `render()`.
    private(set) var frameCount = 0

    private static let gap = 4

    /// Opens a movie.
    ///
    /// - Parameter width: The width of a cell in pixels.
    init(movie: String, columns: Int, rows: Int, width: Int) throws(MediaFileError) {
        reader = try MediaFileReader(path: movie)
        guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
            throw MediaFileError(.noMedia, path: movie, "\(movie) has no video track")
        }
        self.track = track
        self.columns = columns
        self.rows = rows
        let upright = video.uprightDimensions
        cell = (width, max(16, width * Int(upright.height) / Int(upright.width) / 2 * 2))
        reader.select([track.index])
    }

    /// Decodes evenly distributed frames and renders the sheet, in BGRA.
    func render() throws(MediaFileError) -> CVPixelBuffer {
        let total = try countFrames()
        let count = min(columns * rows, total)
        let numbers = (0..<count).map { $0 * total / count }
        let width = columns * (cell.width + Self.gap) + Self.gap
        let height = rows * (cell.height + Self.gap) + Self.gap
        guard let sheet = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA) else {
            throw MediaFileError(
                .outOfMemory, path: reader.path, "not enough memory for a sheet of \(width)x\(height)")
        }
        fill(sheet)
        try reader.rewind()
        var next = 0
        try eachFrame { (decoder, frame, number) throws(MediaFileError) in
            guard next < numbers.count, number == numbers[next] else { return }
            try place(decoder, frame, at: next, in: sheet)
            next += 1
        }
        frameCount = next
        return sheet
    }

    private func countFrames() throws(MediaFileError) -> Int {
        var count = 0
        try eachFrame { (_, _, _) throws(MediaFileError) in count += 1 }
        guard count > 0 else {
            throw MediaFileError(.noMedia, path: reader.path, "\(reader.path) has no complete frame")
        }
        return count
    }

    private func eachFrame(
        _ body: (VideoDecoder, VideoDecoder.Frame, Int) throws(MediaFileError) -> Void
    ) throws(MediaFileError) {
        let decoder = try VideoDecoder(reader: reader, track: track)
        var number = 0
        var isDone = false
        while !isDone {
            let output: VideoDecoder.Output
            switch try reader.next() {
            case .packet(let packet): output = try decoder.decode(packet)
            case .damaged: continue
            case .end:
                output = try decoder.decode(nil)
                isDone = true
            }
            for frame in output.frames {
                try body(decoder, frame, number)
                number += 1
            }
        }
    }

    private func fill(_ sheet: CVPixelBuffer) {
        CVPixelBufferLockBaseAddress(sheet, [])
        defer { CVPixelBufferUnlockBaseAddress(sheet, []) }
        guard let base = CVPixelBufferGetBaseAddress(sheet) else { return }
        memset(base, 0xFF, CVPixelBufferGetBytesPerRow(sheet) * CVPixelBufferGetHeight(sheet))
    }

    private func place(
        _ decoder: VideoDecoder, _ frame: VideoDecoder.Frame, at index: Int, in sheet: CVPixelBuffer
    ) throws(MediaFileError) {
        guard case .video(let video) = track.content,
            let upright = CVPixelBuffer(
                width: Int(video.uprightDimensions.width), height: Int(video.uprightDimensions.height),
                pixelFormat: decoder.pixelFormat),
            let small = CVPixelBuffer(width: cell.width, height: cell.height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw MediaFileError(.outOfMemory, path: reader.path, "not enough memory for a frame") }
        try decoder.render(frame, into: upright, video.uprightTransform)
        do throws(ImageError) {
            try PixelConverter().convert(upright, to: small)
        } catch {
            throw MediaFileError(.unsupportedCodec, path: reader.path, error.message)
        }
        CVPixelBufferLockBaseAddress(small, .readOnly)
        CVPixelBufferLockBaseAddress(sheet, [])
        defer {
            CVPixelBufferUnlockBaseAddress(sheet, [])
            CVPixelBufferUnlockBaseAddress(small, .readOnly)
        }
        guard let from = CVPixelBufferGetBaseAddress(small), let to = CVPixelBufferGetBaseAddress(sheet) else { return }
        let (fromStride, toStride) = (CVPixelBufferGetBytesPerRow(small), CVPixelBufferGetBytesPerRow(sheet))
        let left = Self.gap + index % columns * (cell.width + Self.gap)
        let top = Self.gap + index / columns * (cell.height + Self.gap)
        for row in 0..<cell.height {
            memcpy(to + (top + row) * toStride + left * 4, from + row * fromStride, cell.width * 4)
        }
    }
}
