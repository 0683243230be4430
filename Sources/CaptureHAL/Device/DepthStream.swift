public import MediaTypes

/// The size and kind of the depth maps that a camera measures beside its pictures.
public struct DepthStreamFormat: Sendable, Hashable {
    /// Width and height of a map, of the shape of the pictures that it belongs to.
    public var dimensions: CMVideoDimensions
    /// `kCVPixelFormatType_DisparityFloat16` or `…Float32`, `kCVPixelFormatType_DepthFloat16` or `…Float32`.
    public var pixelFormat: OSType
    /// The times between maps on offer; a camera also takes its time where its pictures come more slowly.
    public var frameDurations: [FrameDurationRange]

    public init(dimensions: CMVideoDimensions, pixelFormat: OSType, frameDurations: [FrameDurationRange]) {
        self.dimensions = dimensions
        self.pixelFormat = pixelFormat
        self.frameDurations = frameDurations
    }

    /// Whether maps that are `duration` apart can be had.
    public func supports(frameDuration duration: CMTime) -> Bool {
        frameDurations.contains { $0.minimum <= duration && duration <= $0.maximum }
    }
}

/// What a client asks of a camera's depth, beside its pictures.
public struct DepthConfiguration: Sendable, Hashable {
    /// One of those that the pictures' format has.
    public var format: DepthStreamFormat
    /// The least time between maps; each comes with a picture, so that more may lie between them.
    public var frameDuration: CMTime

    public init(format: DepthStreamFormat, frameDuration: CMTime) {
        self.format = format
        self.frameDuration = frameDuration
    }
}

/// A map of how far away is what a picture shows, measured at the picture's time.
///
/// - Important: Thread-safe, immutable.
public final class DepthFrame: Sendable {
    /// One value for each pixel, in the pixel format of its `DepthStreamFormat`: metres, or 1/metres. NaN if nothing could
    /// be measured.
    public let map: CVPixelBuffer
    /// Whether the numbers are true to scale; else only their order is.
    public let isAbsolute: Bool
    /// The calibration of the camera with which the map is aligned; nil if unknown.
    public let calibration: CameraCalibration?

    public init(map: CVPixelBuffer, isAbsolute: Bool, calibration: CameraCalibration?) {
        self.map = map
        self.isAbsolute = isAbsolute
        self.calibration = calibration
    }
}

/// The depth of a frame, of a stream that delivers depth.
public enum FrameDepth: Sendable {
    case map(DepthFrame)
    /// A map was due and could not be delivered.
    case dropped(DroppedFrame.Reason)
}

/// The calibration of a camera: a pinhole camera with lens distortion.
///
/// Pixels are those of a picture of `referenceDimensions`, from its upper left corner.
public struct CameraCalibration: Sendable, Hashable {
    /// The size of the picture to whose pixels the other values refer.
    public var referenceDimensions: CMVideoDimensions
    /// The focal length in pixels; the same in both directions.
    public var focalLength: Double
    /// The principal point, where the optical axis meets the picture.
    public var centreX: Double
    public var centreY: Double
    /// The side of one pixel in millimetres; 0 if unknown.
    public var pixelSizeMillimetres: Double
    /// The radial distortion at equal steps from the centre of distortion to the farthest corner, relative to the distance
    /// from the centre; empty if unknown.
    public var distortion: [Float]
    /// The camera's position relative to the device's reference camera, in millimetres: right, down, ahead.
    public var place: SIMD3<Double>

    public init(
        referenceDimensions: CMVideoDimensions, focalLength: Double, centreX: Double, centreY: Double,
        pixelSizeMillimetres: Double = 0, distortion: [Float] = [], place: SIMD3<Double> = .zero
    ) {
        self.referenceDimensions = referenceDimensions
        self.focalLength = focalLength
        self.centreX = centreX
        self.centreY = centreY
        self.pixelSizeMillimetres = pixelSizeMillimetres
        self.distortion = distortion
        self.place = place
    }
}
