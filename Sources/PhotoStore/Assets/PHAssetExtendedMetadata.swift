public import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import MediaTypes

/// The description of an asset in the metadata of its original.
///
/// - Important: Thread-safe.
public final class PHAssetExtendedMetadata: NSObject, Sendable {
    /// The caption: the description in XMP, IPTC or EXIF, or that of a movie; nil if there is none.
    public let caption: String?
    /// The keywords: the subjects in XMP, the keywords of IPTC, or those of a movie, in the order of the file.
    public let keywords: [String]
    /// The name of the imported file; nil if the asset no longer exists.
    public let originalFilename: String?

    init(caption: String?, keywords: [String], originalFilename: String?) {
        self.caption = caption
        self.keywords = keywords
        self.originalFilename = originalFilename
    }
}

extension PHAsset {
    /// The description in the original. Each access reads the file; of one that cannot be read, only the name is known.
    public var extendedMetadata: PHAssetExtendedMetadata {
        guard let resource = PHAssetResource.assetResources(for: self).first else {
            return PHAssetExtendedMetadata(caption: nil, keywords: [], originalFilename: nil)
        }
        // Without a readable file, there is no description.
        let description = (try? resource.fileURL()).map { url in
            mediaType == .image
                ? FileDescription(photo: url, library.storage) : FileDescription(movie: url, library.storage)
        }
        return PHAssetExtendedMetadata(
            caption: description?.caption, keywords: description?.keywords ?? [],
            originalFilename: resource.originalFilename)
    }
}

/// The caption and the keywords in a file.
private struct FileDescription {
    var caption: String?
    var keywords: [String] = []

    init(photo url: URL, _ storage: any CaptureStorage) {
        guard let file = (try? storage.data(of: url)).flatMap({ PhotoFile($0) }) else { return }
        caption = file.caption
        keywords = file.keywords
    }

    init(movie url: URL, _ storage: any CaptureStorage) {
        guard let entries = MovieMap.ifReadable(url, in: storage)?.metadata else { return }
        func text(_ key: String) -> String? {
            entries.lazy.compactMap { entry in
                if entry.key == key, case .text(let text) = entry.value { text } else { nil }
            }.first
        }
        caption = text("com.apple.quicktime.description") ?? text("©des") ?? text("desc")
        keywords = (text("com.apple.quicktime.keywords") ?? text("keyw") ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
