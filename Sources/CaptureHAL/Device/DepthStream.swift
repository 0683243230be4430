public import MediaTypes

/// The size and pixel format of the depth maps that a camera delivers with its frames.
public struct DepthStreamFormat: Sendable, Hashable {
    /// `dimensions` as a `Hashable` value.
    package var size: PixelSize
    /// Width and height of a map in pixels. A map has the aspect ratio of the frames.
    public var dimensions: CMVideoDimensions {
        get { size.dimensions }
        set { size = newValue.pixelSize }
    }
    /// `kCVPixelFormatType_DisparityFloat16` or `…Float32`, `kCVPixelFormatType_DepthFloat16` or `…Float32`.
    public var pixelFormat: OSType
    /// The supported times between maps; maps are never more frequent than frames.
    public var frameDurations: [FrameDurationRange]

    /// Creates a format.
    public init(dimensions: CMVideoDimensions, pixelFormat: OSType, frameDurations: [FrameDurationRange]) {
        size = dimensions.pixelSize
        self.pixelFormat = pixelFormat
        self.frameDurations = frameDurations
    }

    /// Whether the format supports a time of `duration` between maps.
    public func supports(frameDuration duration: CMTime) -> Bool {
        frameDurations.contains { $0.minimum <= duration && duration <= $0.maximum }
    }
}

/// The depth that a client requests for a stream, in addition to its frames.
public struct DepthConfiguration: Sendable, Hashable {
    /// One of the depth formats of the video format.
    public var format: DepthStreamFormat
    /// The minimum time between maps; since each map belongs to a frame, the actual time may be longer.
    public var frameDuration: CMTime

    /// Creates a configuration.
    public init(format: DepthStreamFormat, frameDuration: CMTime) {
        self.format = format
        self.frameDuration = frameDuration
    }
}

/// A depth map, measured at the time of its frame.
///
/// - Important: Thread-safe, immutable.
public final class DepthFrame: Sendable {
    /// One value for each pixel, in the pixel format of its `DepthStreamFormat`: meters, or 1/meters. NaN if nothing
    /// could be measured.
    public let map: CVPixelBuffer
    /// Whether the values are absolute; otherwise only their order is meaningful.
    public let isAbsolute: Bool
    /// The calibration of the camera with which the map is aligned; nil if unknown.
    public let calibration: CameraCalibration?

    /// Creates a depth frame.
    public init(map: CVPixelBuffer, isAbsolute: Bool, calibration: CameraCalibration?) {
        self.map = map
        self.isAbsolute = isAbsolute
        self.calibration = calibration
    }
}

/// The depth that belongs to a frame, in a stream that delivers depth.
public enum FrameDepth: Sendable {
    case map(DepthFrame)
    /// A map was due but could not be delivered.
    case dropped(DroppedFrame.Reason)
}

/// The calibration of a camera: a pinhole camera with lens distortion.
///
/// Pixel coordinates refer to an image of `referenceDimensions` and begin at its upper left corner.
public struct CameraCalibration: Sendable, Hashable {
    private var referenceSize: PixelSize
    /// The size of the image to which the other values refer.
    public var referenceDimensions: CMVideoDimensions {
        get { referenceSize.dimensions }
        set { referenceSize = newValue.pixelSize }
    }
    /// The focal length in pixels; the same in both directions.
    public var focalLength: Double
    /// The horizontal coordinate of the principal point, the intersection of the optical axis with the image.
    public var centerX: Double
    /// The vertical coordinate of the principal point.
    public var centerY: Double
    /// The side length of one pixel in millimeters; 0 if unknown.
    public var pixelSizeMillimeters: Double
    /// The radial magnification that removes the lens distortion; empty if unknown.
    ///
    /// Entries are equally spaced from the principal point to the farthest corner. A point at radius r in the image is
    /// at radius r × (1 + entry) in the image of a pinhole camera.
    public var distortion: [Float]
    /// The camera's position relative to the device's reference camera, in millimeters: x points right, y down, and
    /// z forward.
    public var position: SIMD3<Double>

    /// Creates a calibration.
    public init(
        referenceDimensions: CMVideoDimensions, focalLength: Double, centerX: Double, centerY: Double,
        pixelSizeMillimeters: Double = 0, distortion: [Float] = [], position: SIMD3<Double> = .zero
    ) {
        referenceSize = referenceDimensions.pixelSize
        self.focalLength = focalLength
        self.centerX = centerX
        self.centerY = centerY
        self.pixelSizeMillimeters = pixelSizeMillimeters
        self.distortion = distortion
        self.position = position
    }
}
