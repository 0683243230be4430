// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A count of samples.
public typealias CMItemCount = Int
/// A sample's index.
public typealias CMItemIndex = Int
/// The number of a movie's track; it never changes.
public typealias CMPersistentTrackID = Int32
/// No track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// When a sample is shown and decoded, and for how long it lasts.
public struct CMSampleTimingInfo: Hashable, Sendable {
    /// How long the sample lasts; for an entry that serves all samples, one of them.
    public var duration: CMTime
    /// When it is shown; for an entry that serves all samples, the first of them.
    public var presentationTimeStamp: CMTime
    /// When it is decoded; invalid where samples are decoded in the order in which they are shown.
    public var decodeTimeStamp: CMTime

    /// Makes times that are all invalid.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Makes times.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// Times that are all invalid.
    public static let invalid = CMSampleTimingInfo()
}

/// Times that are all invalid.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid
