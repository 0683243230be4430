// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// An image; here the same class as `CVBuffer`.
public typealias CVImageBuffer = CVBuffer

/// The size of the stored image in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The part of the image to display, in pixels: the clean aperture attachment, else the whole image.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    let aperture = imageBuffer.attachments[kCVImageBufferCleanApertureKey]?.value as? [String: Any]
    return cleanRect(aperture, width: imageBuffer.width, height: imageBuffer.height)
}

/// The display size in square pixels: the display dimensions attachment, else the clean aperture with the pixel aspect
/// ratio.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
    let attachments = imageBuffer.attachments
    if let size = attachments[kCVImageBufferDisplayDimensionsKey]?.value as? [String: Any],
        let width = doubleValue(size[kCVImageBufferDisplayWidthKey]),
        let height = doubleValue(size[kCVImageBufferDisplayHeightKey])
    {
        return CGSize(width: width, height: height)
    }
    let clean = CVImageBufferGetCleanRect(imageBuffer).size
    let ratio = pixelAspectRatio(attachments[kCVImageBufferPixelAspectRatioKey]?.value as? [String: Any])
    return CGSize(width: clean.width * ratio, height: clean.height)
}

/// Whether row 0 is the top row; always true.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }

/// The rectangle of a clean aperture dictionary; the whole image without one.
///
/// The aperture is centered, then shifted by its offsets (ISO/IEC 14496-12, clean aperture box).
func cleanRect(_ aperture: [String: Any]?, width: Int, height: Int) -> CGRect {
    guard let aperture, let cleanWidth = doubleValue(aperture[kCVImageBufferCleanApertureWidthKey]),
        let cleanHeight = doubleValue(aperture[kCVImageBufferCleanApertureHeightKey])
    else { return CGRect(x: 0, y: 0, width: width, height: height) }
    let across = doubleValue(aperture[kCVImageBufferCleanApertureHorizontalOffsetKey]) ?? 0
    let down = doubleValue(aperture[kCVImageBufferCleanApertureVerticalOffsetKey]) ?? 0
    return CGRect(
        x: (Double(width) - cleanWidth) / 2 + across, y: (Double(height) - cleanHeight) / 2 + down, width: cleanWidth,
        height: cleanHeight)
}

/// The width of a pixel divided by its height, from a pixel aspect ratio dictionary; 1 without one.
func pixelAspectRatio(_ ratio: [String: Any]?) -> Double {
    guard let ratio, let across = doubleValue(ratio[kCVImageBufferPixelAspectRatioHorizontalSpacingKey]),
        let down = doubleValue(ratio[kCVImageBufferPixelAspectRatioVerticalSpacingKey]), across > 0, down > 0
    else { return 1 }
    return across / down
}
