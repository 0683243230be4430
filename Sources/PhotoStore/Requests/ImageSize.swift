import Foundation

/// How large a picture is to be.
struct ImageSize: Sendable, Equatable {
    var width: Int
    var height: Int

    /// - Parameters:
    ///   - asset: Pixels of the whole picture.
    ///   - target: Pixels; a side of 0 or less stands for the picture as it is.
    init(
        asset: (width: Int, height: Int), target: CGSize, mode: PHImageContentMode,
        resize: PHImageRequestOptionsResizeMode
    ) {
        width = max(1, asset.width)
        height = max(1, asset.height)
        guard resize != .none, target.width > 0, target.height > 0, target.width.isFinite, target.height.isFinite else {
            return
        }
        let (across, down) = (target.width / Double(width), target.height / Double(height))
        switch (resize, mode) {
        case (.exact, .aspectFill):
            width = Self.pixels(target.width)
            height = Self.pixels(target.height)
        default:
            let ratio = mode == .aspectFit ? min(across, down) : max(across, down)
            let scale = resize == .exact ? ratio : min(1, ratio)
            width = Self.pixels(Double(width) * scale)
            height = Self.pixels(Double(height) * scale)
        }
    }

    /// At most 65535, the largest side of a JPEG picture.
    private static func pixels(_ length: Double) -> Int { Int(min(65535, max(1, length.rounded()))) }
}
