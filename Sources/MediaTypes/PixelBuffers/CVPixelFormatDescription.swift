// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation

/// Returns the description of a pixel format under the `kCVPixelFormat…` keys; nil for an unknown code.
///
/// For a planar format, `kCVPixelFormatPlanes` is an array with a dictionary for each plane. For a packed format, the
/// entries of the only plane are at the top level.
public func CVPixelFormatDescriptionCreateWithPixelFormatType(
    _ allocator: CFAllocator?, _ pixelFormat: OSType
) -> CFDictionary? {
    guard let format = PixelFormat.format(of: pixelFormat) else { return nil }
    let planes = format.planes.map { plane -> [String: Any] in
        [
            kCVPixelFormatBlockWidth: plane.blockWidth, kCVPixelFormatBlockHeight: 1,
            kCVPixelFormatBitsPerBlock: plane.bitsPerBlock,
            kCVPixelFormatHorizontalSubsampling: plane.horizontalSubsampling,
            kCVPixelFormatVerticalSubsampling: plane.verticalSubsampling,
            kCVPixelFormatBlackBlock: Data(plane.blackBlock),
        ]
    }
    var description: [String: Any] = [
        kCVPixelFormatConstant: pixelFormat,
        kCVPixelFormatBitsPerComponent: format.bitsPerComponent,
        kCVPixelFormatContainsAlpha: format.hasAlpha,
        kCVPixelFormatContainsYCbCr: format.model == .yCbCr,
        kCVPixelFormatContainsRGB: format.model == .rgb,
        kCVPixelFormatContainsGrayscale: format.model == .gray,
        kCVPixelFormatContainsSenselArray: format.model == .senselArray,
    ]
    if let range = format.range { description[kCVPixelFormatComponentRange] = range.rawValue }
    if format.isPlanar {
        description[kCVPixelFormatPlanes] = planes
    } else {
        description.merge(planes[0]) { own, _ in own }
    }
    return description
}

/// Returns the codes of all known pixel formats, sorted.
public func CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes(_ allocator: CFAllocator?) -> CFArray? {
    PixelFormat.all.map(\.code)
}

/// Returns a pixel format's code as text.
public func CVPixelFormatTypeCopyFourCharCodeString(_ pixelFormat: OSType) -> CFString {
    fourCharacterText(pixelFormat)
}
