package import Foundation

extension PHAssetResourceType {
    /// Detects the type of a file from its contents: a photo or a movie; nil if it is neither or cannot be read.
    package init?(contentsOf url: URL) {
        guard let file = try? FileHandle(forReadingFrom: url),
            let start = try? file.read(upToCount: MediaKind.startByteCount),
            let type = MediaKind(start: start).resourceType
        else { return nil }
        self = type
    }
}
