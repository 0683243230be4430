// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The type of a channel: `kAudioChannelLabel_…`.
public typealias AudioChannelLabel = UInt32
/// The layout of a set of channels: `kAudioChannelLayoutTag_…`; the low 16 bits are the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// Channel label: unknown.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xffff_ffff
/// Channel label: unused.
public let kAudioChannelLabel_Unused: AudioChannelLabel = 0
/// Channel label: the position is given by coordinates.
public let kAudioChannelLabel_UseCoordinates: AudioChannelLabel = 100
/// Channel label: left.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// Channel label: right.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// Channel label: center.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// Channel label: low-frequency effects.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// Channel label: left surround.
public let kAudioChannelLabel_LeftSurround: AudioChannelLabel = 5
/// Channel label: right surround.
public let kAudioChannelLabel_RightSurround: AudioChannelLabel = 6
/// Channel label: left center.
public let kAudioChannelLabel_LeftCenter: AudioChannelLabel = 7
/// Channel label: right center.
public let kAudioChannelLabel_RightCenter: AudioChannelLabel = 8
/// Channel label: center surround.
public let kAudioChannelLabel_CenterSurround: AudioChannelLabel = 9
/// Channel label: left surround direct.
public let kAudioChannelLabel_LeftSurroundDirect: AudioChannelLabel = 10
/// Channel label: right surround direct.
public let kAudioChannelLabel_RightSurroundDirect: AudioChannelLabel = 11
/// Channel label: top center surround.
public let kAudioChannelLabel_TopCenterSurround: AudioChannelLabel = 12
/// Channel label: vertical height left.
public let kAudioChannelLabel_VerticalHeightLeft: AudioChannelLabel = 13
/// Channel label: vertical height center.
public let kAudioChannelLabel_VerticalHeightCenter: AudioChannelLabel = 14
/// Channel label: vertical height right.
public let kAudioChannelLabel_VerticalHeightRight: AudioChannelLabel = 15
/// Channel label: rear surround left.
public let kAudioChannelLabel_RearSurroundLeft: AudioChannelLabel = 33
/// Channel label: rear surround right.
public let kAudioChannelLabel_RearSurroundRight: AudioChannelLabel = 34
/// Channel label: second channel for low-frequency effects.
public let kAudioChannelLabel_LFE2: AudioChannelLabel = 37
/// Channel label: mono.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42
/// Channel label: a channel without a known position.
public let kAudioChannelLabel_Discrete: AudioChannelLabel = 400
/// Channel layout: the channels are given by `mChannelDescriptions`.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0 << 16 | 0
/// Channel layout: the channels are given by `mChannelBitmap`.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16 | 0
/// Channel layout Mono, 1 channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Channel layout Stereo, 2 channels.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Channel layout Stereo for headphones, 2 channels.
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2
/// Channel layout Matrix Stereo, 2 channels.
public let kAudioChannelLayoutTag_MatrixStereo: AudioChannelLayoutTag = 103 << 16 | 2
/// Channel layout Mid/Side, 2 channels.
public let kAudioChannelLayoutTag_MidSide: AudioChannelLayoutTag = 104 << 16 | 2
/// Channel layout X/Y (coincident microphones), 2 channels.
public let kAudioChannelLayoutTag_XY: AudioChannelLayoutTag = 105 << 16 | 2
/// Channel layout Binaural, 2 channels.
public let kAudioChannelLayoutTag_Binaural: AudioChannelLayoutTag = 106 << 16 | 2
/// Channel layout Ambisonic B-format, 4 channels.
public let kAudioChannelLayoutTag_Ambisonic_B_Format: AudioChannelLayoutTag = 107 << 16 | 4
/// Channel layout Quadraphonic, 4 channels.
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = 108 << 16 | 4
/// Channel layout Pentagonal, 5 channels.
public let kAudioChannelLayoutTag_Pentagonal: AudioChannelLayoutTag = 109 << 16 | 5
/// Channel layout Hexagonal, 6 channels.
public let kAudioChannelLayoutTag_Hexagonal: AudioChannelLayoutTag = 110 << 16 | 6
/// Channel layout Octagonal, 8 channels.
public let kAudioChannelLayoutTag_Octagonal: AudioChannelLayoutTag = 111 << 16 | 8
/// Channel layout MPEG 3.0 A, 3 channels.
public let kAudioChannelLayoutTag_MPEG_3_0_A: AudioChannelLayoutTag = 113 << 16 | 3
/// Channel layout MPEG 3.0 B, 3 channels.
public let kAudioChannelLayoutTag_MPEG_3_0_B: AudioChannelLayoutTag = 114 << 16 | 3
/// Channel layout MPEG 4.0 A, 4 channels.
public let kAudioChannelLayoutTag_MPEG_4_0_A: AudioChannelLayoutTag = 115 << 16 | 4
/// Channel layout MPEG 5.0 A, 5 channels.
public let kAudioChannelLayoutTag_MPEG_5_0_A: AudioChannelLayoutTag = 117 << 16 | 5
/// Channel layout MPEG 5.0 B, 5 channels.
public let kAudioChannelLayoutTag_MPEG_5_0_B: AudioChannelLayoutTag = 118 << 16 | 5
/// Channel layout MPEG 5.0 C, 5 channels.
public let kAudioChannelLayoutTag_MPEG_5_0_C: AudioChannelLayoutTag = 119 << 16 | 5
/// Channel layout MPEG 5.0 D, 5 channels.
public let kAudioChannelLayoutTag_MPEG_5_0_D: AudioChannelLayoutTag = 120 << 16 | 5
/// Channel layout MPEG 5.1 A, 6 channels.
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
/// Channel layout MPEG 5.1 B, 6 channels.
public let kAudioChannelLayoutTag_MPEG_5_1_B: AudioChannelLayoutTag = 122 << 16 | 6
/// Channel layout MPEG 5.1 C, 6 channels.
public let kAudioChannelLayoutTag_MPEG_5_1_C: AudioChannelLayoutTag = 123 << 16 | 6
/// Channel layout MPEG 5.1 D, 6 channels.
public let kAudioChannelLayoutTag_MPEG_5_1_D: AudioChannelLayoutTag = 124 << 16 | 6
/// Channel layout MPEG 6.1 A, 7 channels.
public let kAudioChannelLayoutTag_MPEG_6_1_A: AudioChannelLayoutTag = 125 << 16 | 7
/// Channel layout MPEG 7.1 A, 8 channels.
public let kAudioChannelLayoutTag_MPEG_7_1_A: AudioChannelLayoutTag = 126 << 16 | 8
/// Channel layout MPEG 7.1 B, 8 channels.
public let kAudioChannelLayoutTag_MPEG_7_1_B: AudioChannelLayoutTag = 127 << 16 | 8
/// Channel layout MPEG 7.1 C, 8 channels.
public let kAudioChannelLayoutTag_MPEG_7_1_C: AudioChannelLayoutTag = 128 << 16 | 8
/// Channels without known positions; the low 16 bits must be set to the number of channels.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16
/// Unknown layout; the low 16 bits must be set to the number of channels.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xffff_0000

/// Returns the number of channels of a layout.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag) -> UInt32 {
    inLayoutTag & 0x0000_ffff
}
