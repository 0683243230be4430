// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The codes are part of the interface: each is the number that Apple's `CoreAudioBaseTypes.h` gives to the name.

/// Audio coding `'lpcm'`: linear PCM.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6c70_636d
/// Audio coding `'ac-3'`: AC-3.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2d33
/// Audio coding `'cac3'`: 60958AC3.
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// Audio coding `'ima4'`: IMA 4:1 ADPCM.
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696d_6134
/// Audio coding `'aac '`: AAC (MPEG-4 low complexity).
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Audio coding `'celp'`: MPEG4CELP.
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6c70
/// Audio coding `'hvxc'`: MPEG4HVXC.
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// Audio coding `'twvq'`: MPEG4TwinVQ.
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// Audio coding `'MAC3'`: MACE3.
public let kAudioFormatMACE3: AudioFormatID = 0x4d41_4333
/// Audio coding `'MAC6'`: MACE6.
public let kAudioFormatMACE6: AudioFormatID = 0x4d41_4336
/// Audio coding `'ulaw'`: µ-law 2:1.
public let kAudioFormatULaw: AudioFormatID = 0x756c_6177
/// Audio coding `'alaw'`: A-law 2:1.
public let kAudioFormatALaw: AudioFormatID = 0x616c_6177
/// Audio coding `'QDMC'`: QDesign.
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4d43
/// Audio coding `'QDM2'`: QDesign2.
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4d32
/// Audio coding `'Qclp'`: QUALCOMM.
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6c70
/// Audio coding `'.mp1'`: MPEG layer 1.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2e6d_7031
/// Audio coding `'.mp2'`: MPEG layer 2.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2e6d_7032
/// Audio coding `'.mp3'`: MP3 (MPEG layer 3).
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2e6d_7033
/// Audio coding `'time'`: TimeCode.
public let kAudioFormatTimeCode: AudioFormatID = 0x7469_6d65
/// Audio coding `'midi'`: MIDIStream.
public let kAudioFormatMIDIStream: AudioFormatID = 0x6d69_6469
/// Audio coding `'apvs'`: ParameterValueStream.
public let kAudioFormatParameterValueStream: AudioFormatID = 0x6170_7673
/// Audio coding `'alac'`: Apple Lossless.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616c_6163
/// Audio coding `'aach'`: AAC, high efficiency.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// Audio coding `'aacl'`: AAC, low delay.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636c
/// Audio coding `'aace'`: AAC, enhanced low delay.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// Audio coding `'aacf'`: MPEG4AAC ELD SBR.
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// Audio coding `'aacg'`: MPEG4AAC ELD V2.
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// Audio coding `'aacp'`: AAC, high efficiency, version 2.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// Audio coding `'aacs'`: MPEG4AAC Spatial.
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// Audio coding `'usac'`: MPEGD USAC.
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// Audio coding `'samr'`: AMR narrow band.
public let kAudioFormatAMR: AudioFormatID = 0x7361_6d72
/// Audio coding `'sawb'`: AMR wide band.
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// Audio coding `'AUDB'`: Audible.
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// Audio coding `'ilbc'`: iLBC.
public let kAudioFormatiLBC: AudioFormatID = 0x696c_6263
/// Audio coding 0x6d730011: DVI/Intel IMA ADPCM.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6d73_0011
/// Audio coding 0x6d730031: GSM 6.10.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6d73_0031
/// Audio coding `'aes3'`: AES3.
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// Audio coding `'ec-3'`: Enhanced AC-3.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2d33
/// Audio coding `'flac'`: FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666c_6163
/// Audio coding `'opus'`: Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6f70_7573
/// Audio coding `'apac'`: APAC.
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163
/// The samples are floating point.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The most significant byte comes first.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// The samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill all its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The bits of a sample that is not packed are the high ones.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Every channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The stream must not be mixed with others.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// Stands for no flag where 0 means unknown.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 0x8000_0000
/// The processor's byte order: little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Packed floating point in the processor's byte order.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
    kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
/// The samples are floating point.
public let kLinearPCMFormatFlagIsFloat: AudioFormatFlags = kAudioFormatFlagIsFloat
/// The most significant byte comes first.
public let kLinearPCMFormatFlagIsBigEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
/// The samples are signed integers.
public let kLinearPCMFormatFlagIsSignedInteger: AudioFormatFlags = kAudioFormatFlagIsSignedInteger
/// The bits of a sample fill all its bytes.
public let kLinearPCMFormatFlagIsPacked: AudioFormatFlags = kAudioFormatFlagIsPacked
/// The bits of a sample that is not packed are the high ones.
public let kLinearPCMFormatFlagIsAlignedHigh: AudioFormatFlags = kAudioFormatFlagIsAlignedHigh
/// Every channel has a buffer of its own.
public let kLinearPCMFormatFlagIsNonInterleaved: AudioFormatFlags = kAudioFormatFlagIsNonInterleaved
/// The stream must not be mixed with others.
public let kLinearPCMFormatFlagIsNonMixable: AudioFormatFlags = kAudioFormatFlagIsNonMixable
