// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CoreAudioBaseTypes.h`.

/// Audio format `'lpcm'`: linear PCM.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6c70_636d
/// Audio format `'ac-3'`: AC-3.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2d33
/// Audio format `'cac3'`: AC-3 in IEC 60958.
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// Audio format `'ima4'`: IMA 4:1 ADPCM.
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696d_6134
/// Audio format `'aac '`: AAC (MPEG-4 low complexity).
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Audio format `'celp'`: MPEG-4 CELP.
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6c70
/// Audio format `'hvxc'`: MPEG-4 HVXC.
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// Audio format `'twvq'`: MPEG-4 TwinVQ.
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// Audio format `'MAC3'`: MACE 3:1.
public let kAudioFormatMACE3: AudioFormatID = 0x4d41_4333
/// Audio format `'MAC6'`: MACE 6:1.
public let kAudioFormatMACE6: AudioFormatID = 0x4d41_4336
/// Audio format `'ulaw'`: µ-law 2:1.
public let kAudioFormatULaw: AudioFormatID = 0x756c_6177
/// Audio format `'alaw'`: A-law 2:1.
public let kAudioFormatALaw: AudioFormatID = 0x616c_6177
/// Audio format `'QDMC'`: QDesign Music.
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4d43
/// Audio format `'QDM2'`: QDesign Music 2.
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4d32
/// Audio format `'Qclp'`: Qualcomm PureVoice.
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6c70
/// Audio format `'.mp1'`: MPEG layer 1.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2e6d_7031
/// Audio format `'.mp2'`: MPEG layer 2.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2e6d_7032
/// Audio format `'.mp3'`: MP3 (MPEG layer 3).
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2e6d_7033
/// Audio format `'time'`: time code.
public let kAudioFormatTimeCode: AudioFormatID = 0x7469_6d65
/// Audio format `'midi'`: MIDI messages.
public let kAudioFormatMIDIStream: AudioFormatID = 0x6d69_6469
/// Audio format `'apvs'`: parameter values of Audio Units.
public let kAudioFormatParameterValueStream: AudioFormatID = 0x6170_7673
/// Audio format `'alac'`: Apple Lossless.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616c_6163
/// Audio format `'aach'`: AAC, high efficiency.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// Audio format `'aacl'`: AAC, low delay.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636c
/// Audio format `'aace'`: AAC, enhanced low delay.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// Audio format `'aacf'`: AAC, enhanced low delay with spectral band replication.
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// Audio format `'aacg'`: AAC, enhanced low delay, version 2.
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// Audio format `'aacp'`: AAC, high efficiency, version 2.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// Audio format `'aacs'`: MPEG-4 spatial audio.
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// Audio format `'usac'`: MPEG-D USAC.
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// Audio format `'samr'`: AMR narrow band.
public let kAudioFormatAMR: AudioFormatID = 0x7361_6d72
/// Audio format `'sawb'`: AMR wide band.
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// Audio format `'AUDB'`: Audible.
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// Audio format `'ilbc'`: iLBC.
public let kAudioFormatiLBC: AudioFormatID = 0x696c_6263
/// Audio format 0x6d730011: DVI/Intel IMA ADPCM.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6d73_0011
/// Audio format 0x6d730031: GSM 6.10.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6d73_0031
/// Audio format `'aes3'`: AES3 (SMPTE 302M).
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// Audio format `'ec-3'`: Enhanced AC-3.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2d33
/// Audio format `'flac'`: FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666c_6163
/// Audio format `'opus'`: Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6f70_7573
/// Audio format `'apac'`: Apple Positional Audio Codec.
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163
/// Flag: samples are floating point.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// Flag: samples are big endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Flag: samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// Flag: samples use all bits of their bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Flag: unpacked samples are aligned to the high bits.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Flag: each channel has its own buffer.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// Flag: the stream must not be mixed with others.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// Flag: no other flag is set, in contexts where 0 means unknown.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 0x8000_0000
/// Flag value for the native byte order: little endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Flags for packed floating-point samples in native byte order.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
    kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
/// Flag: samples are floating point.
public let kLinearPCMFormatFlagIsFloat: AudioFormatFlags = kAudioFormatFlagIsFloat
/// Flag: samples are big endian.
public let kLinearPCMFormatFlagIsBigEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
/// Flag: samples are signed integers.
public let kLinearPCMFormatFlagIsSignedInteger: AudioFormatFlags = kAudioFormatFlagIsSignedInteger
/// Flag: samples use all bits of their bytes.
public let kLinearPCMFormatFlagIsPacked: AudioFormatFlags = kAudioFormatFlagIsPacked
/// Flag: unpacked samples are aligned to the high bits.
public let kLinearPCMFormatFlagIsAlignedHigh: AudioFormatFlags = kAudioFormatFlagIsAlignedHigh
/// Flag: each channel has its own buffer.
public let kLinearPCMFormatFlagIsNonInterleaved: AudioFormatFlags = kAudioFormatFlagIsNonInterleaved
/// Flag: the stream must not be mixed with others.
public let kLinearPCMFormatFlagIsNonMixable: AudioFormatFlags = kAudioFormatFlagIsNonMixable
