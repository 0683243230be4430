public import MediaTypes
public import PixelKernels

/// A track of a media file, as described by the container.
public struct MediaTrack: Sendable {
    /// The kind of media and its properties.
    public enum Content: Sendable {
        case video(Video)
        case audio(Audio)
    }

    /// The properties of a video track.
    public struct Video: Sendable {
        /// The encoded size in pixels, before rotation.
        public var dimensions: CMVideoDimensions
        /// The rotation that shows the video upright, from the container's display matrix or an image's EXIF metadata.
        public var rotation: PixelRotation
        /// Whether the video has a high dynamic range (HLG or PQ) with more than 8 bits.
        package var isHDR = false
        /// Whether the rotated video must be mirrored left to right to be upright.
        public var isMirrored = false
        /// The pixel aspect ratio; nil for square pixels.
        package var pixelAspectRatio: PixelAspectRatio?
        /// The part of the frame to display; nil for all of it.
        package var visibleRect: PixelRect?
        /// Whether the pixel values use the full range, 0 … 255 for 8 bits.
        public var isFullRange: Bool
        /// The mean frame duration according to the container; invalid if unknown.
        public var frameDuration: CMTime

        package init(
            dimensions: CMVideoDimensions, rotation: PixelRotation, isHDR: Bool = false, isMirrored: Bool = false,
            pixelAspectRatio: PixelAspectRatio? = nil, visibleRect: PixelRect? = nil, isFullRange: Bool,
            frameDuration: CMTime
        ) {
            self.dimensions = dimensions
            self.rotation = rotation
            self.isHDR = isHDR
            self.isMirrored = isMirrored
            self.pixelAspectRatio = pixelAspectRatio
            self.visibleRect = visibleRect
            self.isFullRange = isFullRange
            self.frameDuration = frameDuration
        }
    }

    /// The properties of an audio track.
    public struct Audio: Sendable {
        /// The sample rate in hertz.
        public var sampleRate: Int
        /// The number of channels.
        public var channelCount: Int

        package init(sampleRate: Int, channelCount: Int) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
        }
    }

    /// The index of the track in the container.
    public var index: Int
    /// The kind of media and its properties.
    public var content: Content
    /// The decoder's name, such as `h264`.
    public var codecName: String
    /// The presentation time of the first sample according to the container; zero if unknown.
    public var startTime: CMTime
    /// The duration according to the container; invalid if unknown.
    public var duration: CMTime
    /// The unit of the track's times.
    package var timeBase: MediaTimeBase

    package init(
        index: Int, content: Content, codecName: String, startTime: CMTime, duration: CMTime, timeBase: MediaTimeBase
    ) {
        self.index = index
        self.content = content
        self.codecName = codecName
        self.startTime = startTime
        self.duration = duration
        self.timeBase = timeBase
    }

    /// Whether the track is a video track.
    public var isVideo: Bool {
        if case .video = content { true } else { false }
    }
}

/// The unit of a track's times: `numerator / denominator` seconds.
package struct MediaTimeBase: Sendable, Hashable {
    package var numerator: Int32
    package var denominator: Int32

    package init(numerator: Int32, denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Converts a timestamp in units of the time base; invalid if it is nil or out of range.
    package func time(_ units: Int64?) -> CMTime {
        guard let units, numerator > 0, denominator > 0 else { return .invalid }
        let (value, overflows) = units.multipliedReportingOverflow(by: Int64(numerator))
        // A time of 2e9 s (63 years) or more is an error in the file. Below this limit, nanoseconds fit into 64 bits.
        guard !overflows, abs(Double(value) / Double(denominator)) < 2e9 else { return .invalid }
        return CMTime(value: value, timescale: denominator)
    }

    /// Converts nanoseconds to units of the time base, rounded to the nearest.
    func units(_ nanoseconds: Int64) -> Int64 {
        let unit = Int128(max(1, numerator)) * 1_000_000_000
        let scaled = Int128(nanoseconds) * Int128(denominator)
        return Int64(clamping: (scaled + scaled.signum() * unit / 2) / unit)
    }
}
