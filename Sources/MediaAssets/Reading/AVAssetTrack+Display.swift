import Foundation
import MediaFiles
import MediaTypes
package import PixelKernels

/// How decoded frames are displayed.
extension AVAssetTrack {
    /// The part of a frame to display, from the clean aperture of the first format; nil for all of it.
    var visibleRect: PixelRect? { typedFormatDescriptions.first?.visibleRect }

    /// The width of a pixel relative to its height: that of the first format, or else that of the natural size.
    var pixelAspectRatio: CGFloat {
        guard let description = typedFormatDescriptions.first, description.dimensions.width > 0,
            description.dimensions.height > 0
        else { return 1 }
        let (width, height) = (CGFloat(description.dimensions.width), CGFloat(description.dimensions.height))
        let key = kCMFormatDescriptionExtension_PixelAspectRatio
        if CMFormatDescriptionGetExtension(description, extensionKey: key) != nil || visibleRect != nil {
            let shown = description.presentationDimensions(usePixelAspectRatio: true, useCleanAperture: false)
            return shown.width / width
        }
        guard naturalSize.width > 0, naturalSize.height > 0 else { return 1 }
        return naturalSize.width / naturalSize.height * height / width
    }

    /// The transform from a frame of the natural size to the upright image with square pixels.
    ///
    /// It is the preferred transform, unless the natural size is the encoded size and the pixels are not square. The image
    /// then begins at the same point and has the height of the natural size before it is rotated.
    package var displayTransform: CGAffineTransform {
        guard let description = typedFormatDescriptions.first, naturalSize.width > 0, naturalSize.height > 0 else {
            return preferredTransform
        }
        let visible = visibleRect.map { CGSize(width: $0.width, height: $0.height) }
        let size =
            visible
            ?? CGSize(
                width: Int(description.dimensions.width), height: Int(description.dimensions.height))
        guard size.width > 0, size.height > 0 else { return preferredTransform }
        let width = size.width * pixelAspectRatio * naturalSize.height / size.height
        // Sizes in headers are often rounded to whole pixels.
        guard abs(width - naturalSize.width) > 1 else { return preferredTransform }
        let natural = CGRect(origin: .zero, size: naturalSize)
        let scaled = CGAffineTransform(scaleX: width / naturalSize.width, y: 1).concatenating(preferredTransform)
        let (old, new) = (natural.applying(preferredTransform).standardized, natural.applying(scaled).standardized)
        return scaled.concatenating(
            CGAffineTransform(translationX: old.minX - new.minX, y: old.minY - new.minY))
    }

    /// The transform from a decoded frame to the upright image.
    package var uprightTransform: PixelTransform {
        let orientation = preferredTransform.orientation ?? (.none, false)
        return PixelTransform(crop: visibleRect, rotation: orientation.rotation, isMirrored: orientation.isMirrored)
    }

    /// Returns the size of the upright image with square pixels.
    ///
    /// - Parameters:
    ///   - width: The width of the decoded frame.
    ///   - height: The height of the decoded frame.
    package func uprightSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let visible = (width: visibleRect?.width ?? width, height: visibleRect?.height ?? height)
        let shown = max(1, Int((CGFloat(visible.width) * pixelAspectRatio).rounded()))
        return uprightTransform.rotation.swapsWidthAndHeight ? (visible.height, shown) : (shown, visible.height)
    }
}
