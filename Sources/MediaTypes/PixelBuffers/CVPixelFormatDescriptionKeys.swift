// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The entries of a pixel format description.

/// The key, in a pixel format description, of: name.
public let kCVPixelFormatName: CFString = "Name"
/// The key, in a pixel format description, of: constant.
public let kCVPixelFormatConstant: CFString = "Constant"
/// The key, in a pixel format description, of: codec type.
public let kCVPixelFormatCodecType: CFString = "CodecType"
/// The key, in a pixel format description, of: four-character code.
public let kCVPixelFormatFourCC: CFString = "FourCC"
/// The key, in a pixel format description, of: contains alpha.
public let kCVPixelFormatContainsAlpha: CFString = "ContainsAlpha"
/// The key, in a pixel format description, of: contains YCbCr.
public let kCVPixelFormatContainsYCbCr: CFString = "ContainsYCbCr"
/// The key, in a pixel format description, of: contains RGB.
public let kCVPixelFormatContainsRGB: CFString = "ContainsRGB"
/// The key, in a pixel format description, of: contains grayscale.
public let kCVPixelFormatContainsGrayscale: CFString = "ContainsGrayscale"
/// The key, in a pixel format description, of: contains sensel array.
public let kCVPixelFormatContainsSenselArray: CFString = "ContainsSenselArray"
/// The key, in a pixel format description, of: component range.
public let kCVPixelFormatComponentRange: CFString = "ComponentRange"
/// A component range: video range.
public let kCVPixelFormatComponentRange_VideoRange: CFString = "VideoRange"
/// A component range: full range.
public let kCVPixelFormatComponentRange_FullRange: CFString = "FullRange"
/// A component range: wide range.
public let kCVPixelFormatComponentRange_WideRange: CFString = "WideRange"
/// The key, in a pixel format description, of: planes.
public let kCVPixelFormatPlanes: CFString = "Planes"
/// The key, in a pixel format description, of: block width.
public let kCVPixelFormatBlockWidth: CFString = "BlockWidth"
/// The key, in a pixel format description, of: block height.
public let kCVPixelFormatBlockHeight: CFString = "BlockHeight"
/// The key, in a pixel format description, of: bits per block.
public let kCVPixelFormatBitsPerBlock: CFString = "BitsPerBlock"
/// The key, in a pixel format description, of: bits per component.
public let kCVPixelFormatBitsPerComponent: CFString = "BitsPerComponent"
/// The key, in a pixel format description, of: block horizontal alignment.
public let kCVPixelFormatBlockHorizontalAlignment: CFString = "BlockHorizontalAlignment"
/// The key, in a pixel format description, of: block vertical alignment.
public let kCVPixelFormatBlockVerticalAlignment: CFString = "BlockVerticalAlignment"
/// The key, in a pixel format description, of: black block.
public let kCVPixelFormatBlackBlock: CFString = "BlackBlock"
/// The key, in a pixel format description, of: horizontal subsampling.
public let kCVPixelFormatHorizontalSubsampling: CFString = "HorizontalSubsampling"
/// The key, in a pixel format description, of: vertical subsampling.
public let kCVPixelFormatVerticalSubsampling: CFString = "VerticalSubsampling"
/// The key, in a pixel format description, of: `CGBitmapInfo`.
public let kCVPixelFormatCGBitmapInfo: CFString = "CGBitmapInfo"
/// The key, in a pixel format description, of: `CGBitmapContext` compatibility.
public let kCVPixelFormatCGBitmapContextCompatibility: CFString = "CGBitmapContextCompatibility"
/// The key, in a pixel format description, of: `CGImage` compatibility.
public let kCVPixelFormatCGImageCompatibility: CFString = "CGImageCompatibility"
