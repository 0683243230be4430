import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// Writes the stored samples of an asset's tracks to a movie, at the times of the asset's edits and without encoding
/// them again.
///
/// Only audio tracks with scaled edits or with several formats are encoded; see `EncodedAudioTrack`.
/// - Important: Confined to one thread at a time.
final class PassthroughExport: AssetExportOperation {
    private let asset: AVAsset
    private let url: URL
    private let container: MovieContainer
    private let options: AVAssetExportSession.Options
    private let range: CMTimeRange
    private let tracks = ExportTracks()
    private let contents: MovieContents
    private(set) var omittedTracks: [OmittedTrack] = []
    var omittedBoxes: [String] { contents.omissions + tracks.omittedBoxes }

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
        contents = try options.movieContents(of: asset, in: range, to: container)
        self.range = range
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
                    tracks.append(track, source)
                } else {
                    omittedTracks.append(OmittedTrack(track, OmittedTrack.noMediaReason))
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
            configuration.storedBoxes = contents.boxes
            return try MovieFileWriter(
                url: url, storage: asset.system.storage, configuration: configuration, metadata: contents.metadata)
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
        try tracks.begin(in: writer)
        while let position = tracks.position {
            guard report(Float(min(1, position.seconds / range.duration.seconds))) else { return false }
            try tracks.appendNext(to: writer)
        }
        return report(1)
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
}
