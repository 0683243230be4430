// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CVPixelBuffer.h`.

/// Pixel format 1: one bit; 0 is black.
public let kCVPixelFormatType_1Monochrome: OSType = 0x0000_0001
/// Pixel format 2: 2-bit index into a color table.
public let kCVPixelFormatType_2Indexed: OSType = 0x0000_0002
/// Pixel format 4: 4-bit index into a color table.
public let kCVPixelFormatType_4Indexed: OSType = 0x0000_0004
/// Pixel format 8: 8-bit index into a color table.
public let kCVPixelFormatType_8Indexed: OSType = 0x0000_0008
/// Pixel format 33: 1-bit gray; 0 is white.
public let kCVPixelFormatType_1IndexedGray_WhiteIsZero: OSType = 0x0000_0021
/// Pixel format 34: 2-bit gray; 0 is white.
public let kCVPixelFormatType_2IndexedGray_WhiteIsZero: OSType = 0x0000_0022
/// Pixel format 36: 4-bit gray; 0 is white.
public let kCVPixelFormatType_4IndexedGray_WhiteIsZero: OSType = 0x0000_0024
/// Pixel format 40: 8-bit gray; 0 is white.
public let kCVPixelFormatType_8IndexedGray_WhiteIsZero: OSType = 0x0000_0028
/// Pixel format 16: 16-bit big-endian RGB 5:5:5.
public let kCVPixelFormatType_16BE555: OSType = 0x0000_0010
/// Pixel format `'L555'`: 16-bit little-endian RGB 5:5:5.
public let kCVPixelFormatType_16LE555: OSType = 0x4c35_3535
/// Pixel format `'5551'`: 16-bit little-endian RGBA 5:5:5:1.
public let kCVPixelFormatType_16LE5551: OSType = 0x3535_3531
/// Pixel format `'B565'`: 16-bit big-endian RGB 5:6:5.
public let kCVPixelFormatType_16BE565: OSType = 0x4235_3635
/// Pixel format `'L565'`: 16-bit little-endian RGB 5:6:5.
public let kCVPixelFormatType_16LE565: OSType = 0x4c35_3635
/// Pixel format 24: 8-bit red, green and blue.
public let kCVPixelFormatType_24RGB: OSType = 0x0000_0018
/// Pixel format `'24BG'`: 8-bit blue, green and red.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// Pixel format 32: 8-bit alpha, red, green and blue, in this order in memory.
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
/// Pixel format `'BGRA'`: 8-bit blue, green, red and alpha, in this order in memory.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// Pixel format `'ABGR'`: 8-bit alpha, blue, green and red, in this order in memory.
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// Pixel format `'RGBA'`: 8-bit red, green, blue and alpha, in this order in memory.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// Pixel format `'b64a'`: 16-bit big-endian alpha, red, green and blue.
public let kCVPixelFormatType_64ARGB: OSType = 0x6236_3461
/// Pixel format `'l64r'`: 16-bit little-endian red, green, blue and alpha.
public let kCVPixelFormatType_64RGBALE: OSType = 0x6c36_3472
/// Pixel format `'b48r'`: 16-bit big-endian red, green and blue.
public let kCVPixelFormatType_48RGB: OSType = 0x6234_3872
/// Pixel format `'b32a'`: 16-bit big-endian alpha and gray.
public let kCVPixelFormatType_32AlphaGray: OSType = 0x6233_3261
/// Pixel format `'b16g'`: 16-bit big-endian gray.
public let kCVPixelFormatType_16Gray: OSType = 0x6231_3667
/// Pixel format `'R10k'`: 10-bit red, green and blue in big-endian 32-bit words, with 2 unused low bits.
public let kCVPixelFormatType_30RGB: OSType = 0x5231_306b
/// Pixel format `'r210'`: 10-bit red, green and blue in big-endian 32-bit words, with 2 unused high bits, video range.
public let kCVPixelFormatType_30RGB_r210: OSType = 0x7232_3130
/// Pixel format `'2vuy'`: 8-bit 4:2:2 packed Cb Y0 Cr Y1 (UYVY), video range.
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// Pixel format `'v408'`: 8-bit 4:4:4:4 packed Cb Y Cr A, video range.
public let kCVPixelFormatType_4444YpCbCrA8: OSType = 0x7634_3038
/// Pixel format `'r408'`: 8-bit 4:4:4:4 packed A Y Cb Cr; black has the luma 0.
public let kCVPixelFormatType_4444YpCbCrA8R: OSType = 0x7234_3038
/// Pixel format `'y408'`: 8-bit 4:4:4:4 packed A Y Cb Cr, video range.
public let kCVPixelFormatType_4444AYpCbCr8: OSType = 0x7934_3038
/// Pixel format `'y416'`: 16-bit 4:4:4:4 YCbCr, with alpha.
public let kCVPixelFormatType_4444AYpCbCr16: OSType = 0x7934_3136
/// Pixel format `'r4fl'`: float 4:4:4:4 YCbCr, with alpha.
public let kCVPixelFormatType_4444AYpCbCrFloat: OSType = 0x7234_666c
/// Pixel format `'v308'`: 8-bit 4:4:4 YCbCr.
public let kCVPixelFormatType_444YpCbCr8: OSType = 0x7633_3038
/// Pixel format `'v216'`: 16-bit 4:2:2 YCbCr.
public let kCVPixelFormatType_422YpCbCr16: OSType = 0x7632_3136
/// Pixel format `'v210'`: 10-bit 4:2:2 YCbCr.
public let kCVPixelFormatType_422YpCbCr10: OSType = 0x7632_3130
/// Pixel format `'v410'`: 10-bit 4:4:4 YCbCr.
public let kCVPixelFormatType_444YpCbCr10: OSType = 0x7634_3130
/// Pixel format `'y420'`: 8-bit 4:2:0 in the planes Y, Cb and Cr, video range.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Pixel format `'f420'`: 8-bit 4:2:0 in the planes Y, Cb and Cr, full range.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
/// Pixel format `'a2vy'`: 8-bit 4:2:2 YCbCr, in two planes, with alpha.
public let kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: OSType = 0x6132_7679
/// Pixel format `'420v'`: 8-bit 4:2:0 in the planes Y and CbCr (NV12), video range: luma 16…235, chroma 16…240.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// Pixel format `'420f'`: 8-bit 4:2:0 in the planes Y and CbCr (NV12), full range: luma 0…255, chroma 1…255.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Pixel format `'422v'`: 8-bit 4:2:2 YCbCr, in two planes, video range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3276
/// Pixel format `'422f'`: 8-bit 4:2:2 YCbCr, in two planes, full range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x3432_3266
/// Pixel format `'444v'`: 8-bit 4:4:4 YCbCr, in two planes, video range.
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType = 0x3434_3476
/// Pixel format `'444f'`: 8-bit 4:4:4 YCbCr, in two planes, full range.
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType = 0x3434_3466
/// Pixel format `'yuvs'`: 8-bit 4:2:2 packed Y0 Cb Y1 Cr (YUYV), video range.
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
/// Pixel format `'yuvf'`: 8-bit 4:2:2 packed Y0 Cb Y1 Cr, full range.
public let kCVPixelFormatType_422YpCbCr8FullRange: OSType = 0x7975_7666
/// Pixel format `'L008'`: one 8-bit component; 0 is black.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4c30_3038
/// Pixel format `'2C08'`: two 8-bit components.
public let kCVPixelFormatType_TwoComponent8: OSType = 0x3243_3038
/// Pixel format `'w30r'`: 10-bit red, green and blue in little-endian 32-bit words, wide range.
public let kCVPixelFormatType_30RGBLEPackedWideGamut: OSType = 0x7733_3072
/// Pixel format `'l10r'`: 2-bit alpha, 10-bit red, green and blue in little-endian 32-bit words.
public let kCVPixelFormatType_ARGB2101010LEPacked: OSType = 0x6c31_3072
/// Pixel format `'w40a'`: 10-bit alpha, red, green and blue, little-endian, wide range.
public let kCVPixelFormatType_40ARGBLEWideGamut: OSType = 0x7734_3061
/// Pixel format `'w40m'`: 10-bit premultiplied alpha, red, green and blue, little-endian, wide range.
public let kCVPixelFormatType_40ARGBLEWideGamutPremultiplied: OSType = 0x7734_306d
/// Pixel format `'L010'`: one 10-bit component, little-endian in 16 bits.
public let kCVPixelFormatType_OneComponent10: OSType = 0x4c30_3130
/// Pixel format `'L012'`: one 12-bit component, little-endian in 16 bits.
public let kCVPixelFormatType_OneComponent12: OSType = 0x4c30_3132
/// Pixel format `'L016'`: one 16-bit little-endian component.
public let kCVPixelFormatType_OneComponent16: OSType = 0x4c30_3136
/// Pixel format `'2C16'`: two 16-bit little-endian components.
public let kCVPixelFormatType_TwoComponent16: OSType = 0x3243_3136
/// Pixel format `'L00h'`: one IEEE half float.
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4c30_3068
/// Pixel format `'L00f'`: one IEEE float.
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4c30_3066
/// Pixel format `'2C0h'`: two IEEE half floats.
public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x3243_3068
/// Pixel format `'2C0f'`: two IEEE floats.
public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x3243_3066
/// Pixel format `'RGhA'`: red, green, blue and alpha as IEEE half floats.
public let kCVPixelFormatType_64RGBAHalf: OSType = 0x5247_6841
/// Pixel format `'RGfA'`: red, green, blue and alpha as IEEE floats.
public let kCVPixelFormatType_128RGBAFloat: OSType = 0x5247_6641
/// Pixel format `'grb4'`: 14-bit Bayer samples, little-endian in 16 bits, rows GRGR and BGBG.
public let kCVPixelFormatType_14Bayer_GRBG: OSType = 0x6772_6234
/// Pixel format `'rgg4'`: 14-bit Bayer samples, little-endian in 16 bits, rows RGRG and GBGB.
public let kCVPixelFormatType_14Bayer_RGGB: OSType = 0x7267_6734
/// Pixel format `'bgg4'`: 14-bit Bayer samples, little-endian in 16 bits, rows BGBG and GRGR.
public let kCVPixelFormatType_14Bayer_BGGR: OSType = 0x6267_6734
/// Pixel format `'gbr4'`: 14-bit Bayer samples, little-endian in 16 bits, rows GBGB and RGRG.
public let kCVPixelFormatType_14Bayer_GBRG: OSType = 0x6762_7234
/// Pixel format `'hdis'`: normalized disparity, 1/meters, as IEEE half floats.
public let kCVPixelFormatType_DisparityFloat16: OSType = 0x6864_6973
/// Pixel format `'fdis'`: normalized disparity, 1/meters, as IEEE floats.
public let kCVPixelFormatType_DisparityFloat32: OSType = 0x6664_6973
/// Pixel format `'hdep'`: depth in meters as IEEE half floats.
public let kCVPixelFormatType_DepthFloat16: OSType = 0x6864_6570
/// Pixel format `'fdep'`: depth in meters as IEEE floats.
public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570
/// Pixel format `'x420'`: 10-bit 4:2:0 YCbCr, in two planes, video range.
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// Pixel format `'x422'`: 10-bit 4:2:2 YCbCr, in two planes, video range.
public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3232
/// Pixel format `'x444'`: 10-bit 4:4:4 YCbCr, in two planes, video range.
public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3434
/// Pixel format `'xf20'`: 10-bit 4:2:0 YCbCr, in two planes, full range.
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
/// Pixel format `'xf22'`: 10-bit 4:2:2 YCbCr, in two planes, full range.
public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType = 0x7866_3232
/// Pixel format `'xf44'`: 10-bit 4:4:4 YCbCr, in two planes, full range.
public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType = 0x7866_3434
/// Pixel format `'v0a8'`: 8-bit 4:2:0 YCbCr, in three planes, with alpha, video range.
public let kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: OSType = 0x7630_6138
/// Pixel format `'bp16'`: 16-bit little-endian Bayer samples of ProRes RAW; the attachments define the pattern.
public let kCVPixelFormatType_16VersatileBayer: OSType = 0x6270_3136
/// Pixel format `'btp2'`: 12-bit Bayer samples of ProRes RAW, packed; the attachments define the pattern.
public let kCVPixelFormatType_96VersatileBayerPacked12: OSType = 0x6274_7032
/// Pixel format `'bp64'`: 16-bit little-endian red, green, blue and alpha, downscaled from ProRes RAW.
public let kCVPixelFormatType_64RGBA_DownscaledProResRAW: OSType = 0x6270_3634
/// Pixel format `'sv22'`: 16-bit 4:2:2 YCbCr, in two planes, video range.
public let kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange: OSType = 0x7376_3232
/// Pixel format `'sv44'`: 16-bit 4:4:4 YCbCr, in two planes, video range.
public let kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange: OSType = 0x7376_3434
/// Pixel format `'s4as'`: 16-bit 4:4:4 YCbCr, in three planes, with alpha, video range.
public let kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar: OSType = 0x7334_6173
/// Pixel format `'b3a8'`: 10-bit red, green and blue in little-endian words, and 8-bit alpha in a second plane.
public let kCVPixelFormatType_30RGBLE_8A_BiPlanar: OSType = 0x6233_6138
/// Pixel format `'&BGA'`: losslessly compressed 32BGRA.
public let kCVPixelFormatType_Lossless_32BGRA: OSType = 0x2642_4741
/// Pixel format `'&RhA'`: losslessly compressed `'RGhA'`.
public let kCVPixelFormatType_Lossless_64RGBAHalf: OSType = 0x2652_6841
/// Pixel format `'&8v0'`: losslessly compressed 8-bit 4:2:0 YCbCr, in two planes, video range.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x2638_7630
/// Pixel format `'&8f0'`: losslessly compressed 8-bit 4:2:0 YCbCr, in two planes, full range.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x2638_6630
/// Pixel format `'&xv0'`: losslessly compressed 10-bit 4:2:0 YCbCr, in two planes, video range, packed in memory.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7630
/// Pixel format `'&xv2'`: losslessly compressed 10-bit 4:2:2 YCbCr, in two planes, video range, packed in memory.
public let kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7632
/// Pixel format `'&xf0'`: losslessly compressed 10-bit 4:2:0 YCbCr, in two planes, full range, packed in memory.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarFullRange: OSType = 0x2678_6630
/// Pixel format `'&b38'`: losslessly compressed `'b3a8'`.
public let kCVPixelFormatType_Lossless_30RGBLE_8A_BiPlanar: OSType = 0x2662_3338
/// Pixel format `'&w3r'`: losslessly compressed `'w30r'`.
public let kCVPixelFormatType_Lossless_30RGBLEPackedWideGamut: OSType = 0x2677_3372
/// Pixel format `'-BGA'`: lossily compressed 32BGRA.
public let kCVPixelFormatType_Lossy_32BGRA: OSType = 0x2d42_4741
/// Pixel format `'-8v0'`: lossily compressed 8-bit 4:2:0 YCbCr, in two planes, video range.
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange: OSType = 0x2d38_7630
/// Pixel format `'-8f0'`: lossily compressed 8-bit 4:2:0 YCbCr, in two planes, full range.
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange: OSType = 0x2d38_6630
/// Pixel format `'-xv0'`: lossily compressed 10-bit 4:2:0 YCbCr, in two planes, video range, packed in memory.
public let kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2d78_7630
/// Pixel format `'-xv2'`: lossily compressed 10-bit 4:2:2 YCbCr, in two planes, video range, packed in memory.
public let kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2d78_7632
/// Versatile Bayer pattern RGGB, by its first two rows.
public let kCVVersatileBayer_BayerPattern_RGGB: UInt32 = 0
/// Versatile Bayer pattern GRBG, by its first two rows.
public let kCVVersatileBayer_BayerPattern_GRBG: UInt32 = 1
/// Versatile Bayer pattern GBRG, by its first two rows.
public let kCVVersatileBayer_BayerPattern_GBRG: UInt32 = 2
/// Versatile Bayer pattern BGGR, by its first two rows.
public let kCVVersatileBayer_BayerPattern_BGGR: UInt32 = 3
