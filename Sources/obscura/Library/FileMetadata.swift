import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import PhotoStore

/// The metadata in a photo or movie, as names and texts: `{Exif}.FNumber`, `dc:subject`, `mdta/com.apple.quicktime.make`.
struct FileMetadata {
    private(set) var values: [(name: String, text: String)] = []

    /// Reads a file. A file that cannot be read has no metadata.
    init(of url: URL, _ type: PHAssetResourceType) {
        switch type {
        case .photo, .alternatePhoto, .fullSizePhoto:
            guard let file = FileManager.default.contents(atPath: url.path).flatMap(PhotoFile.init) else { return }
            values = file.tags.map { ($0.name, $0.text) }
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo:
            guard let map = MovieMap.ifReadable(url, in: DiskStorage()) else { return }
            for entry in (map.metadata + map.tracks.flatMap(\.metadata)).map(MovieReport.Entry.init) {
                values.append(("\(entry.space)/\(entry.key)", entry.value))
            }
        default: return
        }
    }
}
