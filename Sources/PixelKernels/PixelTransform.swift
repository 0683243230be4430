/// A rectangle in whole pixels; (0, 0) is the top left corner.
public struct PixelRect: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A quarter turn, clockwise; the raw value is in degrees.
public enum PixelRotation: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case clockwise90 = 90
    case clockwise180 = 180
    case clockwise270 = 270

    /// The turn by any whole number of quarter turns, negative ones and full circles included; nil for other angles.
    public init?(degrees: Int) {
        self.init(rawValue: ((degrees % 360) + 360) % 360)
    }

    /// Whether width and height change places.
    public var swapsSides: Bool { self == .clockwise90 || self == .clockwise270 }
}

/// What happens to a picture on its way into another buffer: it is cropped, turned, mirrored, then fitted in.
public struct PixelTransform: Sendable, Hashable {
    /// How a picture meets a destination of another shape.
    public enum Fitting: Sendable, Hashable, CaseIterable {
        /// Scaled to the destination's size, whatever becomes of its shape.
        case stretch
        /// Scaled to lie inside the destination, the rest of which turns black.
        case fit
        /// Scaled to cover the destination; what lies outside is cut off, equally on both sides.
        case fill
    }

    /// The part of the source to use; nil for all of it.
    ///
    /// With subsampled chroma the left and upper edges move up to one pixel outwards to an even position.
    public var crop: PixelRect?
    public var rotation: PixelRotation
    /// Whether left and right change places, after the rotation.
    public var isMirrored: Bool
    public var fitting: Fitting

    public static let identity = PixelTransform()

    public init(
        crop: PixelRect? = nil, rotation: PixelRotation = .none, isMirrored: Bool = false,
        fitting: Fitting = .stretch
    ) {
        self.crop = crop
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.fitting = fitting
    }

    /// The size that a picture of the given size has after cropping and rotation, before any scaling.
    public func naturalSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let size = (width: crop?.width ?? width, height: crop?.height ?? height)
        return rotation.swapsSides ? (width: size.height, height: size.width) : size
    }
}
