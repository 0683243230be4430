// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// An image in memory. All buffers are images, so this is the same class as `CVBuffer`.
public typealias CVImageBuffer = CVBuffer

/// Returns the size of the stored image in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// Returns the part of the image to display, in pixels: the clean aperture attachment, or the whole image if there is
/// none. The origin is at the top left.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    let aperture = imageBuffer.attachments[kCVImageBufferCleanApertureKey]?.value as? [String: Any]
    return cleanRect(aperture, width: imageBuffer.width, height: imageBuffer.height)
}

/// Returns the display size in square pixels: the display dimensions attachment. If there is none, the size of the
/// clean aperture with its width multiplied by the pixel aspect ratio.
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

/// Returns the rectangle of a clean aperture dictionary in pixels, or the whole image if the dictionary is nil or
/// incomplete.
///
/// The aperture is centered, then shifted by its offsets (ISO/IEC 14496-12, clean aperture box).
func cleanRect(_ aperture: [String: Any]?, width: Int, height: Int) -> CGRect {
    guard let aperture, let cleanWidth = doubleValue(aperture[kCVImageBufferCleanApertureWidthKey]),
        let cleanHeight = doubleValue(aperture[kCVImageBufferCleanApertureHeightKey])
    else { return CGRect(x: 0, y: 0, width: width, height: height) }
    let horizontal = doubleValue(aperture[kCVImageBufferCleanApertureHorizontalOffsetKey]) ?? 0
    let vertical = doubleValue(aperture[kCVImageBufferCleanApertureVerticalOffsetKey]) ?? 0
    return CGRect(
        x: (Double(width) - cleanWidth) / 2 + horizontal, y: (Double(height) - cleanHeight) / 2 + vertical,
        width: cleanWidth, height: cleanHeight)
}

/// Returns the width of a pixel divided by its height, from a pixel aspect ratio dictionary; 1 if it is nil or invalid.
func pixelAspectRatio(_ ratio: [String: Any]?) -> Double {
    guard let ratio, let horizontal = doubleValue(ratio[kCVImageBufferPixelAspectRatioHorizontalSpacingKey]),
        let vertical = doubleValue(ratio[kCVImageBufferPixelAspectRatioVerticalSpacingKey]), horizontal > 0,
        vertical > 0
    else { return 1 }
    return horizontal / vertical
}
