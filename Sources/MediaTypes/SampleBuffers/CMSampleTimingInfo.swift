// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A number of samples.
public typealias CMItemCount = Int
/// A sample's index.
public typealias CMItemIndex = Int
/// The persistent identifier of a movie's track.
public typealias CMPersistentTrackID = Int32
/// The identifier of no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// The presentation time, decode time and duration of a sample.
public struct CMSampleTimingInfo: Sendable {
    /// The duration; in an entry for all samples, that of one sample.
    public var duration: CMTime
    /// The presentation time; in an entry for all samples, that of the first sample.
    public var presentationTimeStamp: CMTime
    /// The decode time; invalid if samples are decoded in presentation order.
    public var decodeTimeStamp: CMTime

    /// Creates a timing with invalid times.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Creates a timing.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// A timing with invalid times.
    public static let invalid = CMSampleTimingInfo()
}

/// A timing with invalid times.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid
