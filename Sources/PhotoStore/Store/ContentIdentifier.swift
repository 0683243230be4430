package import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage

/// The identifier that cameras write to the photo and the movie of a Live Photo.
package enum ContentIdentifier {
    private static let movieKey = "com.apple.quicktime.content.identifier"

    /// Reads the identifier of a photo or movie.
    ///
    /// - Parameter type: `.photo` or `.video`.
    /// - Returns: Nil if the file has none or cannot be read; importing the file then reports the reason.
    package static func read(_ url: URL, as type: PHAssetResourceType) -> String? {
        let storage = DiskStorage()
        switch type {
        case .photo:
            return
                (try? storage.data(of: url)).flatMap { PhotoFile($0) }.flatMap(AppleMakerNote.init)?.text(
                    .contentIdentifier)
        case .video:
            let entry = MovieMap.ifReadable(url, in: storage)?.metadata.first {
                $0.space == .quickTimeMetadata && $0.key == movieKey
            }
            if case .text(let text)? = entry?.value { return text }
            return nil
        default: return nil
        }
    }
}
