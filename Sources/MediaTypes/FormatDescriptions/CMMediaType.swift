// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CMFormatDescription.h`.

/// A media type: `kCMMediaType_…`.
public typealias CMMediaType = FourCharCode
/// A video codec: `kCMVideoCodecType_…`, or a pixel format.
public typealias CMVideoCodecType = FourCharCode
/// An audio format, like `AudioFormatID`.
public typealias CMAudioCodecType = FourCharCode
/// A pixel format.
public typealias CMPixelFormatType = FourCharCode

/// Media type `'vide'`: video.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// Media type `'soun'`: audio.
public let kCMMediaType_Audio: CMMediaType = 0x736f_756e
/// Media type `'muxx'`: muxed.
public let kCMMediaType_Muxed: CMMediaType = 0x6d75_7878
/// Media type `'text'`: text.
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// Media type `'clcp'`: closed caption.
public let kCMMediaType_ClosedCaption: CMMediaType = 0x636c_6370
/// Media type `'sbtl'`: subtitle.
public let kCMMediaType_Subtitle: CMMediaType = 0x7362_746c
/// Media type `'tmcd'`: time code.
public let kCMMediaType_TimeCode: CMMediaType = 0x746d_6364
/// Media type `'meta'`: metadata.
public let kCMMediaType_Metadata: CMMediaType = 0x6d65_7461
/// Media type `'tbgr'`: tagged buffer group.
public let kCMMediaType_TaggedBufferGroup: CMMediaType = 0x7462_6772
/// Media type `'auxv'`: auxiliary picture.
public let kCMMediaType_AuxiliaryPicture: CMMediaType = 0x6175_7876
/// Video codec `'rle '`: Animation.
public let kCMVideoCodecType_Animation: CMVideoCodecType = 0x726c_6520
/// Video codec `'cvid'`: Cinepak.
public let kCMVideoCodecType_Cinepak: CMVideoCodecType = 0x6376_6964
/// Video codec `'jpeg'`: JPEG.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6a70_6567
/// Video codec `'dmb1'`: JPEG with OpenDML fields.
public let kCMVideoCodecType_JPEG_OpenDML: CMVideoCodecType = 0x646d_6231
/// Video codec `'jxlc'`: JPEG XL.
public let kCMVideoCodecType_JPEG_XL: CMVideoCodecType = 0x6a78_6c63
/// Video codec `'SVQ1'`: Sorenson Video.
public let kCMVideoCodecType_SorensonVideo: CMVideoCodecType = 0x5356_5131
/// Video codec `'SVQ3'`: Sorenson Video 3.
public let kCMVideoCodecType_SorensonVideo3: CMVideoCodecType = 0x5356_5133
/// Video codec `'h263'`: H.263.
public let kCMVideoCodecType_H263: CMVideoCodecType = 0x6832_3633
/// Video codec `'avc1'`: H.264 (`avc1`: parameter sets in the description).
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// Video codec `'hvc1'`: HEVC (`hvc1`: parameter sets in the description).
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// Video codec `'muxa'`: HEVC with alpha.
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6d75_7861
/// Video codec `'dvh1'`: Dolby Vision in HEVC.
public let kCMVideoCodecType_DolbyVisionHEVC: CMVideoCodecType = 0x6476_6831
/// Video codec `'mp4v'`: MPEG-4 part 2.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6d70_3476
/// Video codec `'mp2v'`: MPEG-2.
public let kCMVideoCodecType_MPEG2Video: CMVideoCodecType = 0x6d70_3276
/// Video codec `'mp1v'`: MPEG-1.
public let kCMVideoCodecType_MPEG1Video: CMVideoCodecType = 0x6d70_3176
/// Video codec `'vp09'`: VP9.
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// Video codec `'dvc '`: DV, NTSC.
public let kCMVideoCodecType_DVCNTSC: CMVideoCodecType = 0x6476_6320
/// Video codec `'dvcp'`: DV, PAL.
public let kCMVideoCodecType_DVCPAL: CMVideoCodecType = 0x6476_6370
/// Video codec `'dvpp'`: DVCPRO, PAL.
public let kCMVideoCodecType_DVCProPAL: CMVideoCodecType = 0x6476_7070
/// Video codec `'dv5n'`: DVCPRO 50, NTSC.
public let kCMVideoCodecType_DVCPro50NTSC: CMVideoCodecType = 0x6476_356e
/// Video codec `'dv5p'`: DVCPRO 50, PAL.
public let kCMVideoCodecType_DVCPro50PAL: CMVideoCodecType = 0x6476_3570
/// Video codec `'dvhp'`: DVCPRO HD, 720p60.
public let kCMVideoCodecType_DVCPROHD720p60: CMVideoCodecType = 0x6476_6870
/// Video codec `'dvhq'`: DVCPRO HD, 720p50.
public let kCMVideoCodecType_DVCPROHD720p50: CMVideoCodecType = 0x6476_6871
/// Video codec `'dvh6'`: DVCPRO HD, 1080i60.
public let kCMVideoCodecType_DVCPROHD1080i60: CMVideoCodecType = 0x6476_6836
/// Video codec `'dvh5'`: DVCPRO HD, 1080i50.
public let kCMVideoCodecType_DVCPROHD1080i50: CMVideoCodecType = 0x6476_6835
/// Video codec `'dvh3'`: DVCPRO HD, 1080p30.
public let kCMVideoCodecType_DVCPROHD1080p30: CMVideoCodecType = 0x6476_6833
/// Video codec `'dvh2'`: DVCPRO HD, 1080p25.
public let kCMVideoCodecType_DVCPROHD1080p25: CMVideoCodecType = 0x6476_6832
/// Video codec `'ap4x'`: Apple ProRes 4444 XQ.
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478
/// Video codec `'ap4h'`: Apple ProRes 4444.
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// Video codec `'apch'`: Apple ProRes 422 HQ.
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// Video codec `'apcn'`: Apple ProRes 422.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636e
/// Video codec `'apcs'`: Apple ProRes 422 LT.
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// Video codec `'apco'`: Apple ProRes 422 Proxy.
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636f
/// Video codec `'aprn'`: Apple ProRes RAW.
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = 0x6170_726e
/// Video codec `'aprh'`: Apple ProRes RAW HQ.
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = 0x6170_7268
/// Video codec `'dish'`: disparity maps in HEVC.
public let kCMVideoCodecType_DisparityHEVC: CMVideoCodecType = 0x6469_7368
/// Video codec `'deph'`: depth maps in HEVC.
public let kCMVideoCodecType_DepthHEVC: CMVideoCodecType = 0x6465_7068
/// Video codec `'av01'`: AV1.
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
/// Video codec `'2vuy'`: uncompressed 4:2:2.
public let kCMVideoCodecType_422YpCbCr8: CMVideoCodecType = kCVPixelFormatType_422YpCbCr8
/// Equal to `kCVPixelFormatType_32ARGB`.
public let kCMPixelFormat_32ARGB: CMPixelFormatType = kCVPixelFormatType_32ARGB
/// Equal to `kCVPixelFormatType_32BGRA`.
public let kCMPixelFormat_32BGRA: CMPixelFormatType = kCVPixelFormatType_32BGRA
/// Equal to `kCVPixelFormatType_24RGB`.
public let kCMPixelFormat_24RGB: CMPixelFormatType = kCVPixelFormatType_24RGB
/// Equal to `kCVPixelFormatType_16BE555`.
public let kCMPixelFormat_16BE555: CMPixelFormatType = kCVPixelFormatType_16BE555
/// Equal to `kCVPixelFormatType_16BE565`.
public let kCMPixelFormat_16BE565: CMPixelFormatType = kCVPixelFormatType_16BE565
/// Equal to `kCVPixelFormatType_16LE555`.
public let kCMPixelFormat_16LE555: CMPixelFormatType = kCVPixelFormatType_16LE555
/// Equal to `kCVPixelFormatType_16LE565`.
public let kCMPixelFormat_16LE565: CMPixelFormatType = kCVPixelFormatType_16LE565
/// Equal to `kCVPixelFormatType_16LE5551`.
public let kCMPixelFormat_16LE5551: CMPixelFormatType = kCVPixelFormatType_16LE5551
/// Equal to `kCVPixelFormatType_422YpCbCr8`.
public let kCMPixelFormat_422YpCbCr8: CMPixelFormatType = kCVPixelFormatType_422YpCbCr8
/// Equal to `kCVPixelFormatType_422YpCbCr8_yuvs`.
public let kCMPixelFormat_422YpCbCr8_yuvs: CMPixelFormatType = kCVPixelFormatType_422YpCbCr8_yuvs
/// Equal to `kCVPixelFormatType_444YpCbCr8`.
public let kCMPixelFormat_444YpCbCr8: CMPixelFormatType = kCVPixelFormatType_444YpCbCr8
/// Equal to `kCVPixelFormatType_4444YpCbCrA8`.
public let kCMPixelFormat_4444YpCbCrA8: CMPixelFormatType = kCVPixelFormatType_4444YpCbCrA8
/// Equal to `kCVPixelFormatType_422YpCbCr16`.
public let kCMPixelFormat_422YpCbCr16: CMPixelFormatType = kCVPixelFormatType_422YpCbCr16
/// Equal to `kCVPixelFormatType_422YpCbCr10`.
public let kCMPixelFormat_422YpCbCr10: CMPixelFormatType = kCVPixelFormatType_422YpCbCr10
/// Equal to `kCVPixelFormatType_444YpCbCr10`.
public let kCMPixelFormat_444YpCbCr10: CMPixelFormatType = kCVPixelFormatType_444YpCbCr10
/// Equal to `kCVPixelFormatType_8IndexedGray_WhiteIsZero`.
public let kCMPixelFormat_8IndexedGray_WhiteIsZero: CMPixelFormatType = kCVPixelFormatType_8IndexedGray_WhiteIsZero
/// Error: a parameter is invalid.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// Error: memory allocation failed.
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
/// Error: the description does not have the requested value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718
/// Error of a conversion to or from a sample description: invalid parameter.
public let kCMFormatDescriptionBridgeError_InvalidParameter: OSStatus = -12712
/// Error of a conversion to or from a sample description: allocation failed.
public let kCMFormatDescriptionBridgeError_AllocationFailed: OSStatus = -12713
/// Error of a conversion to or from a sample description: invalid serialized sample description.
public let kCMFormatDescriptionBridgeError_InvalidSerializedSampleDescription: OSStatus = -12714
/// Error of a conversion to or from a sample description: invalid format description.
public let kCMFormatDescriptionBridgeError_InvalidFormatDescription: OSStatus = -12715
/// Error of a conversion to or from a sample description: incompatible format description.
public let kCMFormatDescriptionBridgeError_IncompatibleFormatDescription: OSStatus = -12716
/// Error of a conversion to or from a sample description: unsupported sample description flavor.
public let kCMFormatDescriptionBridgeError_UnsupportedSampleDescriptionFlavor: OSStatus = -12717
/// Error of a conversion to or from a sample description: invalid slice.
public let kCMFormatDescriptionBridgeError_InvalidSlice: OSStatus = -12719
