package import Foundation
import MediaStorage

extension PHAssetResourceType {
    /// Detects the type of a regular file from its contents: a photo or a movie; nil if it is neither or cannot be read.
    package init?(contentsOf url: URL) {
        guard let file = try? DiskStorage().open(url, for: .reading),
            let start = try? file.data(at: 0, byteCount: MediaKind.startByteCount),
            let type = MediaKind(start: start).resourceType
        else { return nil }
        self = type
    }
}
