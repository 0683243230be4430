package import Foundation
package import MediaStorage
package import MediaTypes
import PixelKernels

/// A movie or sound file that is open: the map of it, and its samples' bytes.
///
/// - Important: Thread-safe.
package final class MovieFile: Sendable {
    package let url: URL
    package let map: MovieMap
    private let file: any StorageFile

    /// - Throws: `.notFound`, `.notPermitted`, `.notAFile`, `.notRecognized`, `.noMedia` or `.inputOutput`.
    package init(_ url: URL, in storage: any CaptureStorage) throws(MediaFileError) {
        self.url = url
        do throws(StorageError) {
            file = try storage.open(url, for: .reading)
            map = try MovieMap.canRead(file) ? MovieMap(reading: file) : MovieMap()
        } catch {
            throw MediaFileError(error)
        }
        guard map.boxes.isEmpty else {
            guard map.tracks.contains(where: { !$0.samples.isEmpty }) else {
                let reason = map.problems.first { $0.severity == .error }?.message ?? "no track has samples"
                throw MediaFileError(.noMedia, path: url.path, "\(url.path) cannot be played: \(reason)")
            }
            return
        }
        throw MediaFileError(.notRecognized, path: url.path, "\(url.path) is no QuickTime or MPEG-4 file")
    }

    init(_ url: URL, _ map: MovieMap, _ file: any StorageFile) {
        self.url = url
        self.map = map
        self.file = file
    }

    /// The bytes of some of a run's samples.
    package func bytes(
        of run: SampleMap.Run, from first: UInt32 = 0, count: UInt32? = nil
    ) throws(MediaFileError) -> [UInt8] {
        let count = count ?? run.count - first
        let byteCount = Int64(clamping: UInt64(run.size) * UInt64(count))
        let offset = run.offset + Int64(run.size) * Int64(first)
        // Nothing is allocated for what cannot be there.
        guard byteCount <= 1 << 30, offset >= 0, byteCount <= map.byteCount - offset else {
            throw MediaFileError(
                .inputOutput, path: url.path,
                "\(byteCount) bytes of samples should be at byte \(offset) of \(url.path), which has \(map.byteCount)")
        }
        do throws(StorageError) {
            let bytes = try file.bytes(at: offset, count: Int(byteCount))
            guard bytes.count == byteCount else {
                throw StorageError(.inputOutput, .read, path: url.path)
            }
            return bytes
        } catch {
            throw MediaFileError(error)
        }
    }
}

extension MediaFileError {
    init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .notPermitted: .notPermitted
            case .notADirectory, .notAFile: .notAFile
            case .diskFull, .alreadyExists, .inputOutput, .closed: .inputOutput
            }
        self.init(code, path: error.path, error.description)
    }
}

extension TrackMap {
    /// The description of the track's samples, of their first kind.
    package var formatDescription: CMFormatDescription? {
        sampleEntries.first?.makeDescription(handler: handler, timescale: timescale)
    }

    /// The same for the library's decoders.
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
