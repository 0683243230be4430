/// How a picture of one shape meets a layer of another.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole picture in its shape, bars beside it.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// The layer filled by the picture in its shape, what is too much cut off equally on both sides.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// The layer filled by the whole picture, whatever becomes of its shape.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}
