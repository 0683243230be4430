import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaStorage
import MediaTypes

/// The maximum length of an exported file. It exports as much of an asset as fits.
///
/// The number of bytes that an encoder produces is known only after encoding, and a file cannot simply be cut off,
/// because its index describes all samples. An export that exceeds the limit is therefore repeated with a shorter time
/// range.
struct FileLengthLimit {
    /// The fraction by which the next attempt is shorter than the duration that fit. It reserves space for the index
    /// and for samples that encoders still buffer.
    private static let margin = 0.02
    /// The shortest exported duration.
    private static let minimumDuration = CMTime(value: 1, timescale: 1000)

    let byteCount: Int64
    let url: URL
    let storage: any CaptureStorage

    /// Exports the start of a time range, as much as fits.
    ///
    /// - Parameters:
    ///   - operation: Prepares the export of a part of the range.
    ///   - report: Receives the progress from 0 to 1; returns false to cancel the export.
    /// - Returns: Whether the file is complete; false if the export was canceled, then no file remains.
    /// - Throws: `.maximumFileSizeReached` if no part fits, or the error of the operation; then no file remains.
    func export(
        _ whole: CMTimeRange, _ operation: (CMTimeRange) throws(AVError) -> any AssetExportOperation,
        _ report: (Float) -> Bool
    ) throws(AVError) -> Bool {
        var range = whole
        while range.duration >= Self.minimumDuration {
            var file: (any StorageFile)?
            // The progress at which the file reached the limit.
            var fittingFraction: Float = 0
            var isExceeded = false
            var isCancelled = false
            let isComplete = try operation(range).run { fraction in
                // The operation creates the file when it begins. If the length cannot be read now, it is checked at the
                // end.
                if file == nil { file = try? storage.open(url, for: .reading) }
                if let length = try? file?.byteCount(), length > byteCount { isExceeded = true }
                fittingFraction = max(fittingFraction, fraction)
                isCancelled = !report(fraction * Float(range.duration.seconds / whole.duration.seconds))
                return !isCancelled && !isExceeded
            }
            if isCancelled { return false }
            if isComplete {
                if try length() <= byteCount { return true }
                try remove()
                fittingFraction = 1
            }
            let fraction = Double(fittingFraction) * (1 - Self.margin)
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
