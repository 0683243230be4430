/// A rectangle in whole pixels; (0, 0) is the top left corner.
public struct PixelRect: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A clockwise rotation by quarter turns; the raw value is in degrees.
public enum PixelRotation: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case clockwise90 = 90
    case clockwise180 = 180
    case clockwise270 = 270

    /// Creates a rotation from any multiple of 90 degrees, including negative angles and full turns; nil for other
    /// angles.
    public init?(degrees: Int) {
        self.init(rawValue: ((degrees % 360) + 360) % 360)
    }

    /// Whether the rotation swaps width and height.
    public var swapsWidthAndHeight: Bool { self == .clockwise90 || self == .clockwise270 }
}

/// The geometric part of a conversion: crop, then rotate, then mirror, then fit into the destination.
public struct PixelTransform: Sendable, Hashable {
    /// How an image is fitted into a destination of another aspect ratio.
    public enum Fitting: Sendable, Hashable, CaseIterable {
        /// Scales to the destination's size and ignores the aspect ratio.
        case stretch
        /// Scales to fit inside the destination and fills the rest with black.
        case fit
        /// Scales to cover the destination and crops equally on both sides.
        case fill
    }

    /// The part of the source to use; nil for all of it.
    ///
    /// With subsampled chroma, the left and top edges move up to one pixel outward to an even position.
    public var crop: PixelRect?
    /// The rotation, applied after the crop.
    public var rotation: PixelRotation
    /// Whether the image is mirrored left to right after the rotation.
    public var isMirrored: Bool
    /// How the result is fitted into the destination.
    public var fitting: Fitting

    /// Scales to the destination's size and changes nothing else.
    public static let identity = PixelTransform()

    /// Creates a transform.
    public init(
        crop: PixelRect? = nil, rotation: PixelRotation = .none, isMirrored: Bool = false,
        fitting: Fitting = .stretch
    ) {
        self.crop = crop
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.fitting = fitting
    }

    /// Returns the size of an image after cropping and rotation, before any scaling.
    public func naturalSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let size = (width: crop?.width ?? width, height: crop?.height ?? height)
        return rotation.swapsWidthAndHeight ? (width: size.height, height: size.width) : size
    }
}
