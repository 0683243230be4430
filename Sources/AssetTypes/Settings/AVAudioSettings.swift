// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Output-settings key: an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Output-settings key: the sample rate in Hz.
public let AVSampleRateKey = "AVSampleRateKey"
/// Output-settings key: the number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Output-settings key: the bits per PCM sample.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Output-settings key: whether PCM samples are floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Output-settings key: whether PCM samples are big endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Output-settings key: whether each PCM channel has its own plane.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// Output-settings key: the bit rate of compressed audio in bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Output-settings key: an `AudioChannelLayout` as data; needed for more than two channels.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// Output-settings key: the bits per sample that a lossless encoder keeps.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// Output-settings key: an `AVAudioQuality`; has no effect.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// Output-settings key: the bit rate per channel of compressed audio in bits per second.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// Output-settings key: how the bit rate may vary; has no effect.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"
/// Output-settings key: the quality of a rate conversion; not for writer inputs.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
