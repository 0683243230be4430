public import MediaTypes

/// A format in which a device can deliver, with all parameters that are fixed before a stream starts.
public enum StreamFormat: Sendable, Hashable {
    case video(VideoStreamFormat)
    case audio(AudioStreamFormat)

    /// The format's medium.
    public var media: DeviceMedia {
        switch self {
        case .video: .video
        case .audio: .audio
        }
    }
}

/// A frame size and encoding with its supported frame rates.
public struct VideoStreamFormat: Sendable, Hashable {
    /// The encoding of delivered frames.
    public enum Encoding: Sendable, Hashable {
        /// Uncompressed: a `kCVPixelFormatType_…` code.
        case pixels(OSType)
        /// Compressed: a `kCMVideoCodecType_…` code, such as JPEG from a webcam.
        case compressed(OSType)
    }

    /// `dimensions` as a `Hashable` value.
    package var size: PixelSize
    /// Width and height in pixels as delivered, before any rotation.
    public var dimensions: CMVideoDimensions {
        get { size.dimensions }
        set { size = newValue.pixelSize }
    }
    /// The encoding of delivered frames.
    public var encoding: Encoding
    /// The supported frame durations; a single rate is a range of equal bounds.
    public var frameDurations: [FrameDurationRange]
    /// The horizontal field of view in degrees; 0 if unknown.
    public var horizontalFieldOfView: Double
    /// Whether the sensor averages adjacent pixels (binning), which is faster and noisier.
    public var isBinned: Bool
    private var photoSizes: [PixelSize]
    /// The supported still sizes while the format is active, ascending.
    public var photoDimensions: [CMVideoDimensions] {
        get { photoSizes.map(\.dimensions) }
        set { photoSizes = newValue.map(\.pixelSize) }
    }
    /// The largest zoom factor, at least 1.
    public var maximumZoomFactor: Double
    /// The zoom factor above which pixels are interpolated, at least 1.
    public var zoomUpscaleThreshold: Double
    /// The zoom factors, ascending, at which the sensor reads a smaller area with more of its pixels, so that the crop is
    /// not interpolated; empty if there are none.
    public var secondaryNativeZoomFactors: [Double]
    /// The supported exposure times in seconds; nil if they cannot be set.
    public var exposureDurations: ClosedRange<Double>?
    /// The supported sensitivities (ISO 12232); nil if they cannot be set.
    public var isoRange: ClosedRange<Double>?
    /// Whether `DeviceControl.videoHDR` has an effect.
    public var isHDRSupported: Bool
    /// The supported options of `DeviceControl.colorSpace`.
    public var colorSpaces: [CameraColorSpace]
    /// The supported modes of `DeviceControl.videoStabilization` besides `off`.
    public var stabilizationModes: Set<VideoStabilization>
    /// The supported depth formats, in order of preference; empty for most cameras.
    public var depthFormats: [DepthStreamFormat]
    /// The zoom factors at which depth is delivered; nil for all.
    public var depthZoomFactors: ClosedRange<Double>?

    /// Creates a format.
    public init(
        dimensions: CMVideoDimensions, encoding: Encoding, frameDurations: [FrameDurationRange],
        horizontalFieldOfView: Double = 0, isBinned: Bool = false, photoDimensions: [CMVideoDimensions] = [],
        maximumZoomFactor: Double = 1, zoomUpscaleThreshold: Double = 1, secondaryNativeZoomFactors: [Double] = [],
        exposureDurations: ClosedRange<Double>? = nil, isoRange: ClosedRange<Double>? = nil,
        isHDRSupported: Bool = false, colorSpaces: [CameraColorSpace] = [.bt709],
        stabilizationModes: Set<VideoStabilization> = [], depthFormats: [DepthStreamFormat] = [],
        depthZoomFactors: ClosedRange<Double>? = nil
    ) {
        size = dimensions.pixelSize
        self.encoding = encoding
        self.frameDurations = frameDurations
        self.horizontalFieldOfView = horizontalFieldOfView
        self.isBinned = isBinned
        photoSizes = (photoDimensions.isEmpty ? [dimensions] : photoDimensions).map(\.pixelSize)
        self.maximumZoomFactor = maximumZoomFactor
        self.zoomUpscaleThreshold = zoomUpscaleThreshold
        self.secondaryNativeZoomFactors = secondaryNativeZoomFactors
        self.exposureDurations = exposureDurations
        self.isoRange = isoRange
        self.isHDRSupported = isHDRSupported
        self.colorSpaces = colorSpaces
        self.stabilizationModes = stabilizationModes
        self.depthFormats = depthFormats
        self.depthZoomFactors = depthZoomFactors
    }

    /// Whether the format supports a time of `duration` between frames.
    public func supports(frameDuration duration: CMTime) -> Bool {
        frameDurations.contains { $0.minimum <= duration && duration <= $0.maximum }
    }
}

/// The video stabilization modes of a camera; the raw values match `AVCaptureVideoStabilizationMode`.
///
/// Stronger modes may add latency and reduce the field of view.
public enum VideoStabilization: Int64, Sendable, Hashable, CaseIterable {
    case off = 0
    case standard = 1
    case cinematic = 2
    case cinematicExtended = 3
    case previewOptimized = 4
    case cinematicExtendedEnhanced = 5
    case lowLatency = 6
}

/// A closed range of frame durations.
public struct FrameDurationRange: Sendable, Hashable {
    /// The shortest time between frames: the highest rate.
    public var minimum: CMTime
    /// The longest time between frames: the lowest rate.
    public var maximum: CMTime

    /// Creates a range.
    public init(minimum: CMTime, maximum: CMTime) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Creates a range of a single frame duration.
    public init(_ duration: CMTime) {
        self.init(minimum: duration, maximum: duration)
    }
}
