package import MediaTypes
package import PixelKernels

extension MediaTrack.Video {
    /// The size of the visible part with square pixels, before the rotation. The height is that of the visible part.
    package var displayDimensions: CMVideoDimensions {
        let width = Int64(visibleRect.map { Int32(clamping: $0.width) } ?? dimensions.width)
        let height = visibleRect.map { Int32(clamping: $0.height) } ?? dimensions.height
        guard let ratio = pixelAspectRatio else { return CMVideoDimensions(width: Int32(width), height: height) }
        let (horizontal, vertical) = (Int64(ratio.horizontalSpacing), Int64(ratio.verticalSpacing))
        let shown = (width * horizontal + vertical / 2) / vertical
        return CMVideoDimensions(width: Int32(min(max(shown, 1), 16384)), height: height)
    }

    /// The display size after the rotation.
    package var uprightDimensions: CMVideoDimensions {
        let size = displayDimensions
        return rotation.swapsWidthAndHeight ? CMVideoDimensions(width: size.height, height: size.width) : size
    }

    /// The transform from an encoded frame to the upright image; the size of the destination determines the scale.
    package var uprightTransform: PixelTransform {
        PixelTransform(crop: visibleRect, rotation: rotation, isMirrored: isMirrored)
    }
}
