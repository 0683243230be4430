import MediaCodecs
public import MediaTypes

/// A jump in the timestamps of a media file, such as where parts of different recordings were put together.
///
/// `MediaFileReader` removes jumps from the times of its packets.
public struct TimestampJump: Sendable, Hashable {
    /// The time at which the media before the jump ends; the media after it begins there.
    public var time: CMTime
    /// The size of the jump; negative for a jump back.
    public var size: CMTime
}
