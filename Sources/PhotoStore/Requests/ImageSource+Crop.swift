import Foundation
import MediaTypes
import PixelKernels

extension ImageSource {
    /// Returns a part of the upright image, scaled to a size.
    ///
    /// - Parameter full: The size of the whole upright image in pixels.
    func image(
        of size: ImageSize, cropping part: PixelRect, from full: (width: Int, height: Int)
    ) throws(PHPhotosError) -> CVPixelBuffer {
        let whole = ImageSize(asset: full, target: PHImageManagerMaximumSize, mode: .aspectFit, resize: .exact)
        let upright = try image(of: whole, fromThumbnail: false)
        let result = try makeBuffer(size)
        do {
            try PixelConverter().convert(upright, to: result, PixelTransform(crop: part, fitting: .fill))
        } catch {
            throw PHPhotosError(.internalError, "the image cannot be cropped: \(error)", cause: error)
        }
        return result
    }
}

extension PixelRect {
    /// Creates the rectangle in pixels of a part of an image. Nil if it is empty.
    ///
    /// - Parameter part: The part in fractions of the width and height of the image, 0…1.
    init?(_ part: CGRect, width: Int, height: Int) {
        let part = part.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
        guard !part.isNull, part.width > 0, part.height > 0 else { return nil }
        let x = min(Int(part.minX * Double(width)), width - 1)
        let y = min(Int(part.minY * Double(height)), height - 1)
        self.init(
            x: x, y: y, width: max(1, min(Int((part.width * Double(width)).rounded()), width - x)),
            height: max(1, min(Int((part.height * Double(height)).rounded()), height - y)))
    }
}
