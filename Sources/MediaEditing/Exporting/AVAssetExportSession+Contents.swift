import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

extension AVAssetExportSession.Options {
    /// The metadata items of the exported file: those of the client or else of the asset, after filtering.
    private func metadata(of asset: AVAsset) -> [AVMetadataItem] {
        let items = metadata ?? (metadataSource ?? asset).metadata
        return metadataItemFilter.map { filter in items.filter(filter.passes) } ?? items
    }

    /// Returns the contents of the exported movie.
    ///
    /// A movie of the same family as its source, QuickTime or MPEG-4, keeps the boxes of the source, unless the client
    /// specifies the metadata.
    ///
    /// - Parameter range: The exported part of the asset.
    func movieContents(
        of asset: AVAsset, in range: CMTimeRange, to container: MovieContainer
    ) throws(AVError) -> MovieContents {
        var contents = MovieContents()
        let source = metadataSource ?? asset
        let file = try source.open().file
        contents.omissions = file?.map.losses ?? []
        if metadata == nil { contents.metadata.creationSecondsSince1970 = source.headerCreationSeconds }
        guard metadata == nil, metadataItemFilter == nil, let file, file.map.isQuickTime == (container == .mov)
        else {
            contents.metadata.add(metadata(of: asset))
            return contents
        }
        do throws(MediaFileError) {
            contents.boxes = try file.copiedBoxes(omissions: &contents.omissions)
        } catch {
            throw AVError(error)
        }
        // The brands are those of the exported file.
        contents.boxes.fileType = nil
        let isWhole = source === asset && range == CMTimeRange(start: .zero, duration: asset.duration)
        if !isWhole { contents.boxes.removeChapterLists() }
        return contents
    }
}
