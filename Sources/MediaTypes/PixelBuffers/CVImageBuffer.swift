// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// A picture; here the same class as `CVBuffer`.
public typealias CVImageBuffer = CVBuffer

/// The size of the picture in its memory, in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The part of the picture that is to be shown, in pixels, by the clean aperture attachment; else all of it.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    let aperture = imageBuffer.attachments[kCVImageBufferCleanApertureKey]?.value as? [String: Any]
    return cleanRect(aperture, width: imageBuffer.width, height: imageBuffer.height)
}

/// The size of the shown part in square pixels: by the display dimensions attachment, else by the clean aperture and
/// the pixel aspect ratio.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
    let attachments = imageBuffer.attachments
    if let size = attachments[kCVImageBufferDisplayDimensionsKey]?.value as? [String: Any],
        let width = real(size[kCVImageBufferDisplayWidthKey]), let height = real(size[kCVImageBufferDisplayHeightKey])
    {
        return CGSize(width: width, height: height)
    }
    let clean = CVImageBufferGetCleanRect(imageBuffer).size
    let ratio = pixelAspectRatio(attachments[kCVImageBufferPixelAspectRatioKey]?.value as? [String: Any])
    return CGSize(width: clean.width * ratio, height: clean.height)
}

/// Whether row 0 is the top one, as it is in every buffer here.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }

/// The rectangle of a clean aperture's dictionary in a picture; the whole picture where there is none.
///
/// The aperture is centred, then shifted by its offsets (ISO/IEC 14496-12, clean aperture box).
func cleanRect(_ aperture: [String: Any]?, width: Int, height: Int) -> CGRect {
    guard let aperture, let cleanWidth = real(aperture[kCVImageBufferCleanApertureWidthKey]),
        let cleanHeight = real(aperture[kCVImageBufferCleanApertureHeightKey])
    else { return CGRect(x: 0, y: 0, width: width, height: height) }
    let across = real(aperture[kCVImageBufferCleanApertureHorizontalOffsetKey]) ?? 0
    let down = real(aperture[kCVImageBufferCleanApertureVerticalOffsetKey]) ?? 0
    return CGRect(
        x: (Double(width) - cleanWidth) / 2 + across, y: (Double(height) - cleanHeight) / 2 + down, width: cleanWidth,
        height: cleanHeight)
}

/// The width of a pixel over its height by a pixel aspect ratio's dictionary; 1 where there is none.
func pixelAspectRatio(_ ratio: [String: Any]?) -> Double {
    guard let ratio, let across = real(ratio[kCVImageBufferPixelAspectRatioHorizontalSpacingKey]),
        let down = real(ratio[kCVImageBufferPixelAspectRatioVerticalSpacingKey]), across > 0, down > 0
    else { return 1 }
    return across / down
}
