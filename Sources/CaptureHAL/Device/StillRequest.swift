public import MediaTypes

/// A still that a client requests from a camera beside the frames of its running stream.
///
/// The camera makes the exposures of one request after another, in the order of the requests, at most one for each
/// frame of the stream. It delivers each exposure with a frame of the stream, in `VideoFrame.stills`.
public struct StillRequest: Sendable, Hashable {
    /// The exposure time and sensitivity of one image.
    public enum Exposure: Sendable, Hashable {
        /// Those of the stream's frame.
        case metered
        /// Those of automatic exposure with a bias in EV, which replaces the value of `DeviceControl.exposureBias`.
        case biased(Double)
        /// An exposure time in seconds and a sensitivity (ISO 12232); nil for that of the stream's frame.
        case custom(seconds: Double?, iso: Double?)
    }

    /// The time of the first exposure.
    public enum Timing: Sendable, Hashable {
        /// The next exposure that begins at or after a time.
        case next(notBefore: CMTime)
        /// The last frame that began at or before a time, if the camera retains it and no other still has used it or a
        /// later one; otherwise the next exposure.
        case recent(CMTime)
    }

    /// Identifies the request in `StillFrame.requestID`. The client selects a number that differs from those of its
    /// other requests.
    public var id: UInt64
    /// `dimensions` as a `Hashable` value.
    package var size: PixelSize
    /// Width and height in pixels as delivered, before any rotation: one of the format's `photoDimensions`.
    public var dimensions: CMVideoDimensions {
        get { size.dimensions }
        set { size = newValue.pixelSize }
    }
    /// The exposures, in order; from 1 to the camera's `maximumExposureCount`.
    public var exposures: [Exposure]
    /// The number of frames that the camera merges for each exposure, to reduce noise; from 1 to its
    /// `maximumMergedFrameCount`. The camera merges fewer if it retains fewer frames with the same settings.
    public var mergedFrameCount: Int
    /// Whether to deliver processed images.
    public var deliversImage: Bool
    /// Whether to deliver the samples of the sensor; requires `StillCapabilities.deliversRAW`.
    public var deliversRAW: Bool
    /// Whether the flash fires during each exposure; ignored if the camera has no flash.
    public var firesFlash: Bool
    /// Whether each exposure needs a depth map. The camera waits at most one second for a frame that has one.
    public var needsDepth: Bool
    /// The mattes to deliver with each image; each requires `StillCapabilities.mattes`.
    public var mattes: Set<StillMatte>
    /// Whether to correct eyes that reflect the flash; requires `StillCapabilities.reducesRedEye`.
    public var reducesRedEye: Bool
    /// The time of the first exposure.
    public var timing: Timing

    /// Creates a request.
    public init(
        id: UInt64, dimensions: CMVideoDimensions, exposures: [Exposure] = [.metered], mergedFrameCount: Int = 1,
        deliversImage: Bool = true, deliversRAW: Bool = false, firesFlash: Bool = false, needsDepth: Bool = false,
        mattes: Set<StillMatte> = [], reducesRedEye: Bool = false, timing: Timing
    ) {
        self.id = id
        size = dimensions.pixelSize
        self.exposures = exposures
        self.mergedFrameCount = mergedFrameCount
        self.deliversImage = deliversImage
        self.deliversRAW = deliversRAW
        self.firesFlash = firesFlash
        self.needsDepth = needsDepth
        self.mattes = mattes
        self.reducesRedEye = reducesRedEye
        self.timing = timing
    }
}

/// The stills that a camera captures beside the frames of its stream.
public struct StillCapabilities: Sendable, Hashable {
    /// The maximum number of exposures of a request.
    public var maximumExposureCount: Int
    /// The maximum number of frames that the camera merges for an exposure; 1 if it merges none.
    public var maximumMergedFrameCount: Int
    /// The number of frames that the camera retains for `StillRequest.Timing.recent`; 0 for none.
    public var recentFrameCount: Int
    /// Whether the camera delivers the samples of its sensor.
    public var deliversRAW: Bool
    /// The mattes that the camera delivers, if the image shows people.
    public var mattes: Set<StillMatte>
    /// Whether the camera corrects eyes that reflect the flash.
    public var reducesRedEye: Bool

    /// Creates capabilities.
    public init(
        maximumExposureCount: Int = 1, maximumMergedFrameCount: Int = 1, recentFrameCount: Int = 0,
        deliversRAW: Bool = false, mattes: Set<StillMatte> = [], reducesRedEye: Bool = false
    ) {
        self.maximumExposureCount = maximumExposureCount
        self.maximumMergedFrameCount = maximumMergedFrameCount
        self.recentFrameCount = recentFrameCount
        self.deliversRAW = deliversRAW
        self.mattes = mattes
        self.reducesRedEye = reducesRedEye
    }
}
