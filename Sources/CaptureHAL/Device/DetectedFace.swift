/// A face that a camera has detected in a frame.
public struct DetectedFace: Sendable, Hashable {
    /// Identifies the face while the camera tracks it. A face that returns after it was lost has a new identifier;
    /// identifiers are not used again while the device is open.
    public var id: Int
    /// The left edge of the bounding box. Coordinates go from (0,0) top left to (1,1) bottom right of the unrotated
    /// frame; the box does not extend beyond the frame.
    public var x: Double
    /// The top edge of the bounding box.
    public var y: Double
    /// The width of the bounding box.
    public var width: Double
    /// The height of the bounding box.
    public var height: Double
    /// Clockwise degrees by which the face is tilted in the unrotated frame, 0 ..< 360; nil if unknown.
    public var roll: Double?
    /// Degrees by which the face is rotated toward the right side of the unrotated frame, 0 ..< 360; nil if unknown.
    public var yaw: Double?

    /// Creates a face.
    public init(
        id: Int, x: Double, y: Double, width: Double, height: Double, roll: Double? = nil, yaw: Double? = nil
    ) {
        self.id = id
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.roll = roll
        self.yaw = yaw
    }
}
