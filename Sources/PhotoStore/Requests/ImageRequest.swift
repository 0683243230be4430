import Foundation
import MediaTypes
import PixelKernels

/// What a request for an image asks for. Equal requests result in equal images, unless the asset is edited meanwhile.
struct ImageRequest: Hashable, Sendable {
    let asset: PHAsset
    let targetWidth: Double
    let targetHeight: Double
    let contentMode: PHImageContentMode
    let resizeMode: PHImageRequestOptionsResizeMode
    let version: PHImageRequestOptionsVersion
    /// Whether the thumbnail is used even if it is smaller than the requested size.
    let prefersThumbnail: Bool
    /// Whether a smaller image can be delivered first.
    let isOpportunistic: Bool
    /// The part of the image in fractions of its size, as x, y, width and height; empty for all of it.
    private let crop: [Double]
    /// The file name of the asset's thumbnail, which each edit changes.
    private let thumbnailName: String

    init(_ asset: PHAsset, _ targetSize: CGSize, _ contentMode: PHImageContentMode, _ options: PHImageRequestOptions?) {
        self.asset = asset
        targetWidth = targetSize.width
        targetHeight = targetSize.height
        self.contentMode = contentMode
        resizeMode = options?.resizeMode ?? .fast
        version = options?.version ?? .current
        let delivery = options?.deliveryMode ?? .opportunistic
        prefersThumbnail = delivery == .fastFormat
        let rect = resizeMode == .exact ? options?.normalizedCropRect ?? .zero : .zero
        crop = rect == .zero ? [] : [rect.origin.x, rect.origin.y, rect.width, rect.height]
        isOpportunistic = delivery == .opportunistic && version == .current && rect == .zero
        thumbnailName = asset.thumbnailName
    }

    private var targetSize: CGSize { CGSize(width: targetWidth, height: targetHeight) }

    /// The size of the image, if it is neither edited nor cropped.
    private var assetSize: ImageSize {
        ImageSize(
            asset: (asset.pixelWidth, asset.pixelHeight), target: targetSize, mode: contentMode, resize: resizeMode)
    }

    /// Whether the image is larger than the thumbnail.
    var exceedsThumbnail: Bool { max(assetSize.width, assetSize.height) > MediaInspector.thumbnailSide }

    /// Creates the image.
    func image() throws(PHPhotosError) -> CVPixelBuffer {
        let source = try ImageSource(asset, version: version)
        // The size of the original can differ from the size of the edited image.
        let file = version == .current ? nil : try source.primaryFile()
        let full = (width: file?.pixelWidth ?? asset.pixelWidth, height: file?.pixelHeight ?? asset.pixelHeight)
        let rect = crop.count == 4 ? CGRect(x: crop[0], y: crop[1], width: crop[2], height: crop[3]) : nil
        let part = rect.flatMap { PixelRect($0, width: full.width, height: full.height) }
        let size = ImageSize(
            asset: (part?.width ?? full.width, part?.height ?? full.height), target: targetSize, mode: contentMode,
            resize: resizeMode)
        if let part { return try source.image(of: size, cropping: part, from: full) }
        return try source.image(of: size, fromThumbnail: prefersThumbnail)
    }

    /// Returns a smaller image, which is available at once; nil if there is none.
    func preview() -> CVPixelBuffer? {
        // If the thumbnail cannot be read, the image is delivered at once.
        isOpportunistic ? try? ImageSource(asset).thumbnail(instead: assetSize) : nil
    }
}
