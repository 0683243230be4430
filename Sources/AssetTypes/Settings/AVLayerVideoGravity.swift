package import Foundation

/// How video is scaled to a layer with another aspect ratio.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Fits the whole image in the layer, with bars on two sides.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// Fills the layer, cropping the image equally on both sides.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// Stretches the whole image to the layer.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")

    /// Returns the rectangle of a whole image in a layer; larger than the layer's bounds if the image is cropped, and
    /// equal to them for an image without area.
    package func rect(of size: CGSize, in bounds: CGRect) -> CGRect {
        guard size.width > 0, size.height > 0, self != .resize else { return bounds }
        let (horizontal, vertical) = (bounds.width / size.width, bounds.height / size.height)
        let scale = self == .resizeAspectFill ? max(horizontal, vertical) : min(horizontal, vertical)
        let (width, height) = (size.width * scale, size.height * scale)
        return CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
    }
}
