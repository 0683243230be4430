// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation

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
        super.init(fileURL: url, system: CaptureSystem.current)
    }

    public var url: URL { fileURL }

    /// The types of files that can be opened.
    public class func audiovisualTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a, .caf, .wav] }
}
