package import Foundation
package import MediaCodecs
package import MediaStorage
package import MediaTypes
import PixelKernels

/// An open movie or audio file: its index and the bytes of its samples.
///
/// - Important: Thread-safe.
package final class MovieFile: Sendable {
    /// The URL of the file.
    package let url: URL
    /// The tracks and their samples.
    package let map: MovieMap
    private let file: any StorageFile

    /// Reads the index of an open QuickTime or MPEG-4 file.
    ///
    /// - Throws: `.notRecognized`, `.noMedia` or `.inputOutput`.
    package init(reading file: any StorageFile) throws(MediaFileError) {
        self.file = file
        url = file.url
        do throws(StorageError) {
            map = try MovieMap.canRead(file) ? MovieMap(reading: file) : MovieMap()
        } catch {
            throw MediaFileError(error)
        }
        guard map.boxes.isEmpty else {
            guard map.tracks.contains(where: { !$0.samples.isEmpty }) else {
                let reason = map.problems.first { $0.severity == .error }?.message ?? "no track has samples"
                throw MediaFileError(
                    .noMedia, path: url.pathOrAddress, "\(url.pathOrAddress) cannot be played: \(reason)")
            }
            return
        }
        throw MediaFileError(
            .notRecognized, path: url.pathOrAddress, "\(url.pathOrAddress) is not a QuickTime or MPEG-4 file")
    }

    init(_ map: MovieMap, _ file: any StorageFile) {
        url = file.url
        self.map = map
        self.file = file
    }

    /// Returns the boxes other than tracks that a copy of the movie keeps byte for byte.
    ///
    /// - Parameter omissions: Receives descriptions of the boxes that cannot be copied.
    /// - Throws: `.inputOutput` or another storage error.
    package func copiedBoxes(omissions: inout [String]) throws(MediaFileError) -> StoredMovieBoxes {
        do throws(StorageError) {
            return try map.copiedBoxes(of: file, omissions: &omissions)
        } catch {
            throw MediaFileError(error)
        }
    }

    /// Reads the bytes of consecutive samples of a run.
    ///
    /// - Parameters:
    ///   - first: The index of the first sample in the run.
    ///   - count: The number of samples; nil for all from `first` on.
    /// - Throws: `.inputOutput` or another storage error.
    package func bytes(
        of run: SampleMap.Run, from first: UInt32 = 0, count: UInt32? = nil
    ) throws(MediaFileError) -> [UInt8] {
        let count = count ?? run.count - first
        let byteCount = Int64(clamping: UInt64(run.size) * UInt64(count))
        return try bytes(at: run.offset + Int64(run.size) * Int64(first), count: byteCount)
    }

    /// Reads a range of the file.
    ///
    /// - Throws: `.inputOutput` or another storage error, also if the file ends earlier.
    package func bytes(at offset: Int64, count byteCount: Int64) throws(MediaFileError) -> [UInt8] {
        try checkRange(at: offset, count: byteCount)
        do throws(StorageError) {
            let bytes = try file.bytes(at: offset, count: Int(byteCount))
            guard bytes.count == byteCount else {
                throw StorageError(.inputOutput, .read, path: url.pathOrAddress)
            }
            return bytes
        } catch {
            throw MediaFileError(error)
        }
    }

    /// Reads a range of the file into newly allocated data, without a copy.
    ///
    /// - Throws: As `bytes(at:count:)`.
    package func data(at offset: Int64, count byteCount: Int64) throws(MediaFileError) -> Data {
        try checkRange(at: offset, count: byteCount)
        guard byteCount > 0 else { return Data() }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(byteCount), alignment: 16)
        do throws(StorageError) {
            guard try file.read(into: memory, at: offset) == memory.count else {
                throw StorageError(.inputOutput, .read, path: url.pathOrAddress)
            }
        } catch {
            memory.deallocate()
            throw MediaFileError(error)
        }
        // SAFETY: from here on, only the returned data accesses the memory.
        guard let base = memory.baseAddress else { return Data() }
        return Data(bytesNoCopy: base, count: memory.count, deallocator: .custom { base, _ in base.deallocate() })
    }

    /// The maximum number of bytes that are read at once.
    private static let readLimit: Int64 = 1 << 30

    /// Checks a range before memory is allocated for it, because damaged files can specify any size.
    private func checkRange(at offset: Int64, count byteCount: Int64) throws(MediaFileError) {
        guard byteCount <= Self.readLimit else {
            throw MediaFileError(
                .inputOutput, path: url.pathOrAddress,
                "\(byteCount) bytes of samples at byte \(offset) of \(url.pathOrAddress) cannot be read at once; the "
                    + "maximum is \(Self.readLimit)")
        }
        guard offset >= 0, byteCount <= map.byteCount - offset else {
            throw MediaFileError(
                .inputOutput, path: url.pathOrAddress,
                "\(byteCount) bytes of samples are expected at byte \(offset) of \(url.pathOrAddress), which has only \(map.byteCount)"
            )
        }
    }
}

extension TrackMap {
    /// The format description of the first sample entry.
    package var formatDescription: CMFormatDescription? {
        sampleEntries.first?.makeDescription(handler: handler, timescale: timescale)
    }

    /// Returns the track in the form that the decoders of `MediaCodecs` expect; its times are in ticks of `timescale`.
    func mediaTrack(_ description: CMFormatDescription, codecName: String) -> MediaTrack {
        let content: MediaTrack.Content
        if let stream = description.audioStreamBasicDescription {
            content = .audio(
                MediaTrack.Audio(
                    sampleRate: Int(stream.mSampleRate.rounded()), channelCount: Int(stream.mChannelsPerFrame)))
        } else {
            let isFullRange =
                CMFormatDescriptionGetExtension(
                    description, extensionKey: kCMFormatDescriptionExtension_FullRangeVideo) as? Bool
            content = .video(
                MediaTrack.Video(
                    dimensions: CMVideoFormatDescriptionGetDimensions(description), rotation: .none,
                    isFullRange: isFullRange ?? (codecName == "mjpeg"), frameDuration: .invalid))
        }
        return MediaTrack(
            index: Int(number), content: content, codecName: codecName, startTime: .zero, duration: .invalid,
            timeBase: MediaTimeBase(numerator: 1, denominator: timescale))
    }
}
