// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation
public import UniformTypeIdentifiers

/// Asset option: whether durations and times must be exact; here they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Asset option: which references to other files are followed; here none are.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
/// Asset option: the file's type if its name does not indicate it; here only the content matters.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"

/// A movie or audio file at a URL.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates an asset for the file at a URL.
    ///
    /// - Parameter options: Without effect: times are always exact, and only the file itself is read.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(fileURL: url, system: CaptureSystem.current)
    }

    public let url: URL

    /// The content types of files that can be opened.
    public class var audiovisualContentTypes: [UTType] { audiovisualTypes().compactMap { UTType($0.rawValue) } }

    /// The MIME types of files that can be opened.
    public class func audiovisualMIMETypes() -> [String] {
        ["video/quicktime", "video/mp4", "video/x-m4v", "audio/x-m4a", "audio/x-caf", "audio/wav"]
    }

    /// Whether files of a MIME type can be opened; parameters, such as `codecs`, are ignored.
    public class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
        let type = extendedMIMEType.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        return audiovisualMIMETypes().contains(type.lowercased())
    }

    /// Nil: no session of HTTP is used.
    public var httpSessionIdentifier: UUID? { nil }
    /// Nil: media are only read from the file itself.
    public var sidecarURL: URL? { nil }
    /// False: no protected content can be read.
    public var mayRequireContentKeysForMediaDataProcessing: Bool { false }

    /// The types of files that can be opened.
    public class func audiovisualTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a, .caf, .wav] }
}
