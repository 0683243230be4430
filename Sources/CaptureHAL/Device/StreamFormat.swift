public import MediaTypes

/// One thing that a device can deliver, in all that must be fixed before a stream starts.
public enum StreamFormat: Sendable, Hashable {
    case video(VideoStreamFormat)
    case audio(AudioStreamFormat)

    public var media: DeviceMedia {
        switch self {
        case .video: .video
        case .audio: .audio
        }
    }
}

/// A picture size and encoding with the frame rates at which a camera delivers it.
public struct VideoStreamFormat: Sendable, Hashable {
    /// How a frame comes from the device.
    public enum Encoding: Sendable, Hashable {
        /// Uncompressed: a `kCVPixelFormatType_…` code.
        case pixels(OSType)
        /// Compressed: a `kCMVideoCodecType_…` code, as JPEG from a webcam.
        case compressed(OSType)
    }

    /// Width and height in pixels as delivered, before any rotation.
    public var dimensions: CMVideoDimensions
    public var encoding: Encoding
    /// The frame durations on offer; a single rate is a range whose ends are equal.
    public var frameDurations: [FrameDurationRange]
    /// The horizontal field of view in degrees, 0 where unknown.
    public var horizontalFieldOfView: Double
    /// Whether pixels are averaged on the sensor, which is faster and noisier.
    public var isBinned: Bool
    /// The sizes in which a still can be taken while the format is active, ascending; the last is the default.
    public var photoDimensions: [CMVideoDimensions]
    /// The largest zoom factor, at least 1.
    public var maximumZoomFactor: Double
    /// The zoom factor above which pixels are interpolated, at least 1.
    public var zoomUpscaleThreshold: Double
    /// Exposure times on offer, in seconds, where they can be set.
    public var exposureDurations: ClosedRange<Double>?
    /// Sensitivities on offer (ISO 12232), where they can be set.
    public var isoRange: ClosedRange<Double>?
    /// Whether `DeviceControl.videoHDR` has an effect.
    public var isHDRSupported: Bool
    /// How the camera can steady its pictures by `DeviceControl.videoStabilization`, besides not at all.
    public var stabilizationModes: Set<VideoStabilization>
    /// The depth maps that can come with the pictures, the preferred ones first; none from most cameras.
    public var depthFormats: [DepthStreamFormat]
    /// The zoom factors at which depth comes; nil is all of them.
    public var depthZoomFactors: ClosedRange<Double>?

    public init(
        dimensions: CMVideoDimensions, encoding: Encoding, frameDurations: [FrameDurationRange],
        horizontalFieldOfView: Double = 0, isBinned: Bool = false, photoDimensions: [CMVideoDimensions] = [],
        maximumZoomFactor: Double = 1, zoomUpscaleThreshold: Double = 1,
        exposureDurations: ClosedRange<Double>? = nil, isoRange: ClosedRange<Double>? = nil,
        isHDRSupported: Bool = false, stabilizationModes: Set<VideoStabilization> = [],
        depthFormats: [DepthStreamFormat] = [], depthZoomFactors: ClosedRange<Double>? = nil
    ) {
        self.dimensions = dimensions
        self.encoding = encoding
        self.frameDurations = frameDurations
        self.horizontalFieldOfView = horizontalFieldOfView
        self.isBinned = isBinned
        self.photoDimensions = photoDimensions.isEmpty ? [dimensions] : photoDimensions
        self.maximumZoomFactor = maximumZoomFactor
        self.zoomUpscaleThreshold = zoomUpscaleThreshold
        self.exposureDurations = exposureDurations
        self.isoRange = isoRange
        self.isHDRSupported = isHDRSupported
        self.stabilizationModes = stabilizationModes
        self.depthFormats = depthFormats
        self.depthZoomFactors = depthZoomFactors
    }

    /// Whether frames that are `duration` apart can be had.
    public func supports(frameDuration duration: CMTime) -> Bool {
        frameDurations.contains { $0.minimum <= duration && duration <= $0.maximum }
    }
}

/// How a camera steadies its pictures; the raw values are those of `AVCaptureVideoStabilizationMode`.
///
/// The stronger a mode is, the later frames may come and the smaller the field of view may be.
public enum VideoStabilization: Int64, Sendable, Hashable, CaseIterable {
    case off = 0
    case standard = 1
    case cinematic = 2
    case cinematicExtended = 3
    case previewOptimized = 4
    case cinematicExtendedEnhanced = 5
    case lowLatency = 6
}

/// A range of times between frames, both ends included.
public struct FrameDurationRange: Sendable, Hashable {
    /// The shortest time between frames, which is the highest rate.
    public var minimum: CMTime
    /// The longest time between frames, which is the lowest rate.
    public var maximum: CMTime

    public init(minimum: CMTime, maximum: CMTime) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// A single frame duration.
    public init(_ duration: CMTime) {
        self.init(minimum: duration, maximum: duration)
    }
}
