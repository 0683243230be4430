public import MediaTypes
public import PixelKernels

/// One track of a media file, as the container describes it.
public struct MediaTrack: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case video(Video)
        case audio(Audio)
    }

    public struct Video: Sendable, Hashable {
        /// As stored, before any rotation.
        public var dimensions: CMVideoDimensions
        /// The turn that shows the picture upright, from the container's display matrix.
        public var rotation: PixelRotation
        /// Whether the numbers use the full range of 0 … 255.
        public var isFullRange: Bool
        /// The mean time between frames by the container's word; invalid where unknown.
        public var frameDuration: CMTime
    }

    public struct Audio: Sendable, Hashable {
        public var sampleRate: Int
        public var channelCount: Int
    }

    /// The position in the container.
    public var index: Int
    public var content: Content
    /// The decoder's name, as `h264`.
    public var codecName: String
    /// The presentation time of the first sample by the container's word; zero where unknown.
    public var startTime: CMTime
    /// By the container's word; invalid where unknown.
    public var duration: CMTime
    /// Seconds in one unit of the track's times.
    var timeBase: MediaTimeBase

    public var isVideo: Bool {
        if case .video = content { true } else { false }
    }
}

/// The unit in which a track counts time: `numerator / denominator` seconds.
struct MediaTimeBase: Sendable, Hashable {
    var numerator: Int32
    var denominator: Int32

    /// A count of units as a time; invalid where the file gave none, or one beyond all bounds.
    func time(_ units: Int64?) -> CMTime {
        guard let units, numerator > 0, denominator > 0 else { return .invalid }
        let (value, overflows) = units.multipliedReportingOverflow(by: Int64(numerator))
        // Beyond sixty years a time is a mistake in the file; and nanoseconds must fit into 64 bits.
        guard !overflows, abs(Double(value) / Double(denominator)) < 2e9 else { return .invalid }
        return CMTime(value: value, timescale: denominator)
    }
}
