import Foundation
import MediaCodecs
import MediaTypes

/// Writes the stored samples of an asset's tracks to a movie, at the times of the asset's edits and without encoding
/// them again.
///
/// Only audio tracks with scaled edits or with several formats are encoded; see `EncodedAudioTrack`.
/// - Important: Confined to one thread at a time.
final class PassthroughExport: AssetExportOperation {
    private struct Track {
        let assetTrack: AVAssetTrack
        let source: any ExportTrack
        /// Nil before the track is added to the writer.
        var id: MovieTrackID?
        /// A sample that was read but not yet written.
        var next: ExportSample?
    }

    private let asset: AVAsset
    private let url: URL
    private let container: MovieContainer
    private let options: AVAssetExportSession.Options
    private let duration: CMTime
    private var tracks: [Track] = []
    private(set) var omittedTracks: [OmittedTrack] = []

    /// Prepares an export.
    ///
    /// - Parameter range: The part of the asset's timeline to export.
    /// - Throws: An `AVError` if the asset cannot be read, or if its samples cannot be stored in a file of the type.
    init(
        _ asset: AVAsset, _ preset: ExportPreset, in range: CMTimeRange, to url: URL, as type: AVFileType,
        _ options: AVAssetExportSession.Options
    ) throws(AVError) {
        guard case .movie(let container) = WriterFileKind(type) else {
            throw AVError(.operationNotSupportedForAsset, "stored samples cannot be exported to \(type.rawValue) files")
        }
        self.asset = asset
        self.url = url
        self.container = container
        self.options = options
        duration = range.duration
        for track in options.tracks(of: asset, preset) {
            do throws(AVError) {
                if let reason = track.rejectionReason(in: container) {
                    if track.isEssential { throw track.exportError(reason) }
                    omittedTracks.append(OmittedTrack(track, reason))
                    continue
                }
                let source: (any ExportTrack)? =
                    track.mustBeEncoded
                    ? try EncodedAudioTrack(track, in: range, to: container, options)
                    : try StoredTrack(track, in: range, to: container)
                if let source {
                    tracks.append(Track(assetTrack: track, source: source))
                } else {
                    omittedTracks.append(OmittedTrack(track, "it has no media in the exported range"))
                }
            } catch {
                if track.isEssential { throw error }
                omittedTracks.append(OmittedTrack(track, error.localizedDescription))
            }
        }
        guard !tracks.isEmpty else { throw AVError(.noSourceTrack, "\(asset.path) has no track to export") }
    }

    func run(_ report: (Float) -> Bool) throws(AVError) -> Bool {
        let writer = try writing { () throws(MovieError) in
            var configuration = MovieFileWriter.Configuration(
                container: container, fragmentInterval: .invalid,
                putsIndexInFront: options.shouldOptimizeForNetworkUse)
            configuration.keepsPartialMovie = false
            return try MovieFileWriter(
                url: url, storage: asset.system.storage, configuration: configuration,
                metadata: options.movieMetadata(of: asset))
        }
        do throws(AVError) {
            guard try copy(to: writer, report) else {
                writer.cancel()
                return false
            }
            try writing { () throws(MovieError) in try writer.finish() }
            return true
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Writes all samples.
    ///
    /// - Returns: False if the export was canceled.
    private func copy(to writer: MovieFileWriter, _ report: (Float) -> Bool) throws(AVError) -> Bool {
        for index in tracks.indices {
            let source = tracks[index].source
            let id = try writing { () throws(MovieError) in try writer.addTrack(source.configuration) }
            source.begin(id, in: writer)
            tracks[index].id = id
            tracks[index].next = try source.next()
        }
        addReferences(to: writer)
        while let index = nextTrack, let id = tracks[index].id, let next = tracks[index].next {
            guard report(Float(min(1, next.position.seconds / duration.seconds))) else { return false }
            try writing { () throws(MovieError) in try writer.append(next.sample, to: id) }
            tracks[index].next = try tracks[index].source.next()
            if tracks[index].next == nil { tracks[index].source.finish(id, in: writer) }
        }
        return report(1)
    }

    /// Copies the references between the exported tracks.
    private func addReferences(to writer: MovieFileWriter) {
        for track in tracks {
            guard let id = track.id else { continue }
            for (type, numbers) in track.assetTrack.map.references.sorted(by: { $0.key < $1.key }) {
                // The numbers keep their order, which has a meaning for some types.
                for number in numbers {
                    let target = tracks.first { $0.assetTrack.map.number == number }
                    if let targetID = target?.id { writer.addReference(from: id, to: targetID, ofType: type) }
                }
            }
        }
    }

    /// The index of the track with the earliest next sample; nil after the last sample.
    private var nextTrack: Int? {
        tracks.indices.lazy.compactMap { index in self.tracks[index].next.map { (index, $0.position) } }
            .min { $0.1 < $1.1 }?.0
    }

    /// Calls the writer and converts its errors to `AVError`.
    private func writing<Result>(_ body: () throws(MovieError) -> Result) throws(AVError) -> Result {
        do throws(MovieError) {
            return try body()
        } catch {
            throw AVError(error)
        }
    }
}

extension AVAssetExportSession.Options {
    /// The tracks of an asset to export.
    func tracks(of asset: AVAsset, _ preset: ExportPreset) -> [AVAssetTrack] {
        preset.tracks(of: asset, audioTrackGroupHandling).filter { exportedTrackIDs?.contains($0.trackID) ?? true }
    }

    /// The selected tracks of an asset that the preset does not export.
    func omittedTracks(of asset: AVAsset, _ preset: ExportPreset) -> [OmittedTrack] {
        preset.omittedTracks(of: asset, audioTrackGroupHandling).filter {
            exportedTrackIDs?.contains($0.track) ?? true
        }
    }

    /// The metadata items of the exported file: those of the client or else of the asset, after filtering.
    func metadata(of asset: AVAsset) -> [AVMetadataItem] {
        let items = metadata ?? (metadataSource ?? asset).metadata
        return metadataItemFilter.map { filter in items.filter(filter.passes) } ?? items
    }

    /// The metadata of the exported movie.
    fileprivate func movieMetadata(of asset: AVAsset) -> MovieMetadata {
        var result = MovieMetadata()
        result.add(metadata(of: asset))
        if metadata == nil, let seconds = (metadataSource ?? asset).headerCreationSeconds {
            result.creationSecondsSince1970 = seconds
        }
        return result
    }
}
