import Foundation
import MediaStorage
import MediaTypes

/// The maximum length of an exported file, and the export of as much of an asset as fits into it.
///
/// How many bytes encoders produce is known only when they have produced them, and the end of a track is part of its
/// index and of its last frames. An export that reaches the limit is therefore repeated with a shorter time range; the
/// same samples then result in nearly the same bytes.
struct FileLengthLimit {
    /// The part of the duration that fitted by which the next attempt is shorter, for the index and what encoders hold back.
    private static let margin = 0.02
    /// The shortest exported duration.
    private static let minimumDuration = CMTime(value: 1, timescale: 1000)

    let byteCount: Int64
    let url: URL
    let storage: any CaptureStorage

    /// Exports the longest part of a time range that is found to fit.
    ///
    /// - Parameters:
    ///   - operation: Prepares the export of a part of the range.
    ///   - report: Receives the progress from 0 to 1; returns false to cancel the export and remove the file.
    /// - Throws: `.maximumFileSizeReached` if no part fits, or the error of the operation; then no file remains.
    func export(
        _ whole: CMTimeRange, _ operation: (CMTimeRange) throws(AVError) -> any AssetExportOperation,
        _ report: (Float) -> Bool
    ) throws(AVError) {
        var range = whole
        while range.duration >= Self.minimumDuration {
            var file: (any StorageFile)?
            var reached: Float = 0
            var isExceeded = false
            var isCancelled = false
            try operation(range).run { fraction in
                // The file exists when the operation has begun; one that cannot be measured is measured at the end.
                if file == nil { file = try? storage.open(url, for: .reading) }
                if let length = try? file?.byteCount(), length > byteCount { isExceeded = true }
                reached = max(reached, fraction)
                isCancelled = !report(fraction * Float(range.duration.seconds / whole.duration.seconds))
                return !isCancelled && !isExceeded
            }
            if isCancelled { return }
            if !isExceeded {
                if try length() <= byteCount { return }
                try remove()
                reached = 1
            }
            let fraction = Double(reached) * (1 - Self.margin)
            range.duration = CMTimeMultiplyByFloat64(range.duration, multiplier: fraction)
        }
        throw AVError(.maximumFileSizeReached, "no part of the asset fits into \(byteCount) bytes")
    }

    private func length() throws(AVError) -> Int64 {
        do throws(StorageError) {
            return try storage.open(url, for: .reading).byteCount()
        } catch {
            throw AVError(error)
        }
    }

    private func remove() throws(AVError) {
        do throws(StorageError) {
            try storage.remove(url)
        } catch {
            throw AVError(error)
        }
    }
}
