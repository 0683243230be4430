import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaFiles
import MediaTypes

/// The format of stored samples in one of the files that provide a track's media.
struct StoredTrackFormat {
    let media: MediaSource
    /// The sample description in the file.
    let entry: SampleEntry
    /// The format if the writer knows the codec.
    private let known: MovieSampleFormat?

    fileprivate init(_ media: MediaSource, _ entry: SampleEntry) {
        self.media = media
        self.entry = entry
        // Samples of other codecs are copied with their description.
        known = try? entry.makeSampleFormat(handler: media.map.handler, timescale: media.map.timescale)
    }

    /// Whether a decoder for this format can decode samples of another format.
    func decodes(_ other: StoredTrackFormat) -> Bool {
        guard case (.audio(var first), .audio(var second)) = (known, other.known) else {
            return entry.bytes == other.entry.bytes
        }
        // The bit rate is only informative.
        (first.bitRate, second.bitRate) = (0, 0)
        return first == second
    }

    /// Converts the first sample after a splice; see `VideoSampleFormat.splicing`.
    func splicing(_ sample: Data) -> Data {
        guard case .video(let video) = entry.content, let configuration = entry.atoms["hvcC"] else { return sample }
        return VideoSampleFormat(codec: .hevc, dimensions: video.dimensions, configuration: configuration)
            .splicing(sample)
    }
}

extension MediaSource {
    /// The formats of the samples, one for each sample description.
    var storedFormats: [StoredTrackFormat] { map.sampleEntries.map { StoredTrackFormat(self, $0) } }
}

extension AVAssetTrack {
    /// Whether a passthrough export encodes the track: it is audio that changes its speed, or that has parts of several
    /// files with different formats.
    var mustBeEncoded: Bool {
        guard mediaType == .audio else { return false }
        if timeline.contains(where: \.isScaled) { return true }
        let sources = mediaSources
        let formats = sources.flatMap(\.storedFormats)
        return sources.count > 1 && !formats.allSatisfy { formats[0].decodes($0) }
    }

    /// Why the track cannot be decoded; nil if it can.
    var decoderRejectionReason: String? {
        if let protection { return "it \(protection)" }
        return isDecodable ? nil : "no decoder for its codec is available"
    }

    /// Returns why an export cannot contain the track; nil if it can.
    func rejectionReason(in container: MovieContainer) -> String? {
        guard container != .m4a || [.audio, .text, .subtitle].contains(mediaType) else {
            return "an M4A file contains audio only"
        }
        if mustBeEncoded {
            return decoderRejectionReason.map { "its sound must be encoded again, but \($0)" }
        }
        for source in mediaSources {
            for entry in source.map.sampleEntries {
                if let reason = source.map.copyRejectionReason(of: entry, to: container) { return reason }
            }
        }
        return nil
    }

    /// The error of an export that cannot contain the track.
    func exportError(_ reason: String) -> AVError {
        AVError(.operationNotSupportedForAsset, "\(summary) of \(sourcePath) cannot be exported: \(reason)")
    }
}
