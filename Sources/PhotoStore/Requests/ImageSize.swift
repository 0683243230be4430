import Foundation

/// The size of a requested image in pixels.
struct ImageSize: Sendable, Equatable {
    var width: Int
    var height: Int

    /// Computes the size of an image for a request.
    ///
    /// - Parameters:
    ///   - asset: The full size of the image in pixels.
    ///   - target: The requested size in pixels; a side of 0 or less requests the full size.
    ///   - mode: How the image fits a target of another aspect ratio.
    ///   - resize: How the image is scaled to the target size.
    init(
        asset: (width: Int, height: Int), target: CGSize, mode: PHImageContentMode,
        resize: PHImageRequestOptionsResizeMode
    ) {
        width = max(1, asset.width)
        height = max(1, asset.height)
        guard resize != .none, target.width > 0, target.height > 0, target.width.isFinite, target.height.isFinite else {
            return
        }
        let (scaleX, scaleY) = (target.width / Double(width), target.height / Double(height))
        switch (resize, mode) {
        case (.exact, .aspectFill):
            width = Self.pixels(target.width)
            height = Self.pixels(target.height)
        default:
            let ratio = mode == .aspectFit ? min(scaleX, scaleY) : max(scaleX, scaleY)
            let scale = resize == .exact ? ratio : min(1, ratio)
            width = Self.pixels(Double(width) * scale)
            height = Self.pixels(Double(height) * scale)
        }
    }

    /// Rounds a length and limits it to 1…65535, the range of the width and height of a JPEG.
    private static func pixels(_ length: Double) -> Int { Int(min(65535, max(1, length.rounded()))) }
}
