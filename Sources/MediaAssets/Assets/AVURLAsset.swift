// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation

/// Option of an asset: whether durations and times must be exact; here they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Option of an asset: which references to other files are followed; here none are.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
/// Option of an asset: the file's type where its name does not tell; here the content alone tells.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"

/// A movie or sound file at a place.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// - Parameter options: Kept and without effect: times are exact, and nothing but the file is read.
    public init(url: URL, options: [String: Any]? = nil) {
        super.init(fileURL: url, system: CaptureSystem.current)
    }

    public var url: URL { fileURL }

    /// The types of files that can be opened.
    public class func audiovisualTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a, .caf, .wav] }
}
