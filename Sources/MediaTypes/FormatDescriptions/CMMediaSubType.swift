// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// A muxed stream: `kCMMuxedStreamType_…`.
public typealias CMMuxedStreamType = FourCharCode
/// A format of closed captions: `kCMClosedCaptionFormatType_…`.
public typealias CMClosedCaptionFormatType = FourCharCode
/// A format of text: `kCMTextFormatType_…`.
public typealias CMTextFormatType = FourCharCode
/// A format of subtitles: `kCMSubtitleFormatType_…`.
public typealias CMSubtitleFormatType = FourCharCode
/// A format of time codes: `kCMTimeCodeFormatType_…`.
public typealias CMTimeCodeFormatType = FourCharCode
/// A format of metadata: `kCMMetadataFormatType_…`.
public typealias CMMetadataFormatType = FourCharCode
/// A format of tagged buffer groups.
public typealias CMTaggedBufferGroupFormatType = FourCharCode

/// Audio codec `'paac'`: protected AAC LC.
public let kCMAudioCodecType_AAC_LCProtected: CMAudioCodecType = 0x7061_6163
/// Audio codec `'aaac'`: AAC, protected by Audible.
public let kCMAudioCodecType_AAC_AudibleProtected: CMAudioCodecType = 0x6161_6163
/// Muxed stream `'mp1s'`: MPEG-1 system.
public let kCMMuxedStreamType_MPEG1System: CMMuxedStreamType = 0x6d70_3173
/// Muxed stream `'mp2t'`: MPEG-2 transport.
public let kCMMuxedStreamType_MPEG2Transport: CMMuxedStreamType = 0x6d70_3274
/// Muxed stream `'mp2p'`: MPEG-2 program.
public let kCMMuxedStreamType_MPEG2Program: CMMuxedStreamType = 0x6d70_3270
/// Muxed stream `'dv  '`: DV.
public let kCMMuxedStreamType_DV: CMMuxedStreamType = 0x6476_2020
/// Muxed stream `'isr '`: a screen recording of a device.
public let kCMMuxedStreamType_EmbeddedDeviceScreenRecording: CMMuxedStreamType = 0x6973_7220
/// Closed captions `'c608'`: CEA-608.
public let kCMClosedCaptionFormatType_CEA608: CMClosedCaptionFormatType = 0x6336_3038
/// Closed captions `'c708'`: CEA-708.
public let kCMClosedCaptionFormatType_CEA708: CMClosedCaptionFormatType = 0x6337_3038
/// Closed captions `'atcc'`: ATSC/52.
public let kCMClosedCaptionFormatType_ATSC: CMClosedCaptionFormatType = 0x6174_6363
/// Text `'text'`: QuickTime text.
public let kCMTextFormatType_QTText: CMTextFormatType = 0x7465_7874
/// Text `'tx3g'`: 3GPP timed text.
public let kCMTextFormatType_3GText: CMTextFormatType = 0x7478_3367
/// Subtitles `'tx3g'`: 3GPP timed text.
public let kCMSubtitleFormatType_3GText: CMSubtitleFormatType = 0x7478_3367
/// Subtitles `'wvtt'`: WebVTT.
public let kCMSubtitleFormatType_WebVTT: CMSubtitleFormatType = 0x7776_7474
/// Time code `'tmcd'`: a 32-bit frame number.
public let kCMTimeCodeFormatType_TimeCode32: CMTimeCodeFormatType = 0x746d_6364
/// Time code `'tc64'`: a 64-bit frame number.
public let kCMTimeCodeFormatType_TimeCode64: CMTimeCodeFormatType = 0x7463_3634
/// Time code `'cn32'`: a 32-bit counter.
public let kCMTimeCodeFormatType_Counter32: CMTimeCodeFormatType = 0x636e_3332
/// Time code `'cn64'`: a 64-bit counter.
public let kCMTimeCodeFormatType_Counter64: CMTimeCodeFormatType = 0x636e_3634
/// Metadata `'icy '`: SHOUTcast.
public let kCMMetadataFormatType_ICY: CMMetadataFormatType = 0x6963_7920
/// Metadata `'id3 '`: ID3.
public let kCMMetadataFormatType_ID3: CMMetadataFormatType = 0x6964_3320
/// Metadata `'emsg'`: event messages of fragmented movies.
public let kCMMetadataFormatType_EMSG: CMMetadataFormatType = 0x656d_7367
/// Tagged buffer group `'tbgr'`: any group.
public let kCMTaggedBufferGroupFormatType_TaggedBufferGroup: CMTaggedBufferGroupFormatType = 0x7462_6772
/// The frame numbers 0 and 1 are dropped in each minute that is not a multiple of ten.
public let kCMTimeCodeFlag_DropFrame: UInt32 = 1 << 0
/// The time code wraps after 24 hours.
public let kCMTimeCodeFlag_24HourMax: UInt32 = 1 << 1
/// The time code can be negative.
public let kCMTimeCodeFlag_NegTimesOK: UInt32 = 1 << 2
