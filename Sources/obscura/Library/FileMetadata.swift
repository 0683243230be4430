import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import PhotoStore

/// The metadata in a photo or movie, as names and texts: `{Exif}.FNumber`, `mdta/com.apple.quicktime.make`.
struct FileMetadata {
    private(set) var values: [(name: String, text: String)] = []

    /// Reads a file. A file that cannot be read has no metadata.
    init(of url: URL, _ type: PHAssetResourceType) {
        switch type {
        case .photo, .alternatePhoto, .fullSizePhoto:
            guard let file = FileManager.default.contents(atPath: url.path).flatMap(PhotoFile.init) else { return }
            add(file.metadata.imageProperties, prefix: "")
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo:
            guard let map = MovieMap.ifReadable(url, in: DiskStorage()) else { return }
            for entry in (map.metadata + map.tracks.flatMap(\.metadata)).map(MovieReport.Entry.init) {
                values.append(("\(entry.space)/\(entry.key)", entry.value))
            }
        default: return
        }
    }

    /// Adds the entries of a dictionary of Image I/O, sorted by their names.
    private mutating func add(_ properties: [String: Any], prefix: String) {
        for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
            switch value {
            case let nested as [String: Any]: add(nested, prefix: prefix + key + ".")
            case let list as [Any]: values.append((prefix + key, list.map { "\($0)" }.joined(separator: ", ")))
            default: values.append((prefix + key, "\(value)"))
            }
        }
    }
}
