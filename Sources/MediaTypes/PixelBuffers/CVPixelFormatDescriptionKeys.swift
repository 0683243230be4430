// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The keys of a pixel format description.

/// Pixel format description key: name.
public let kCVPixelFormatName: CFString = "Name"
/// Pixel format description key: the pixel format's code.
public let kCVPixelFormatConstant: CFString = "Constant"
/// Pixel format description key: codec type.
public let kCVPixelFormatCodecType: CFString = "CodecType"
/// Pixel format description key: four-character code.
public let kCVPixelFormatFourCC: CFString = "FourCC"
/// Pixel format description key: contains alpha.
public let kCVPixelFormatContainsAlpha: CFString = "ContainsAlpha"
/// Pixel format description key: contains YCbCr.
public let kCVPixelFormatContainsYCbCr: CFString = "ContainsYCbCr"
/// Pixel format description key: contains RGB.
public let kCVPixelFormatContainsRGB: CFString = "ContainsRGB"
/// Pixel format description key: contains grayscale.
public let kCVPixelFormatContainsGrayscale: CFString = "ContainsGrayscale"
/// Pixel format description key: contains a sensel array (Bayer samples).
public let kCVPixelFormatContainsSenselArray: CFString = "ContainsSenselArray"
/// Pixel format description key: component range.
public let kCVPixelFormatComponentRange: CFString = "ComponentRange"
/// A component range: video range.
public let kCVPixelFormatComponentRange_VideoRange: CFString = "VideoRange"
/// A component range: full range.
public let kCVPixelFormatComponentRange_FullRange: CFString = "FullRange"
/// A component range: wide range.
public let kCVPixelFormatComponentRange_WideRange: CFString = "WideRange"
/// Pixel format description key: planes.
public let kCVPixelFormatPlanes: CFString = "Planes"
/// Pixel format description key: the width of a block in pixels.
public let kCVPixelFormatBlockWidth: CFString = "BlockWidth"
/// Pixel format description key: the height of a block in pixels.
public let kCVPixelFormatBlockHeight: CFString = "BlockHeight"
/// Pixel format description key: bits per block.
public let kCVPixelFormatBitsPerBlock: CFString = "BitsPerBlock"
/// Pixel format description key: bits per component.
public let kCVPixelFormatBitsPerComponent: CFString = "BitsPerComponent"
/// Pixel format description key: block horizontal alignment.
public let kCVPixelFormatBlockHorizontalAlignment: CFString = "BlockHorizontalAlignment"
/// Pixel format description key: block vertical alignment.
public let kCVPixelFormatBlockVerticalAlignment: CFString = "BlockVerticalAlignment"
/// Pixel format description key: the bytes of a black block.
public let kCVPixelFormatBlackBlock: CFString = "BlackBlock"
/// Pixel format description key: horizontal subsampling.
public let kCVPixelFormatHorizontalSubsampling: CFString = "HorizontalSubsampling"
/// Pixel format description key: vertical subsampling.
public let kCVPixelFormatVerticalSubsampling: CFString = "VerticalSubsampling"
/// Pixel format description key: `CGBitmapInfo`.
public let kCVPixelFormatCGBitmapInfo: CFString = "CGBitmapInfo"
/// Pixel format description key: `CGBitmapContext` compatibility.
public let kCVPixelFormatCGBitmapContextCompatibility: CFString = "CGBitmapContextCompatibility"
/// Pixel format description key: `CGImage` compatibility.
public let kCVPixelFormatCGImageCompatibility: CFString = "CGImageCompatibility"
