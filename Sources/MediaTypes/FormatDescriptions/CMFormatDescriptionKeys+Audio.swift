// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// The file family of a video sample description.
public typealias CMImageDescriptionFlavor = CFString
/// The file family of an audio sample description.
public typealias CMSoundDescriptionFlavor = CFString

/// QuickTime movies.
public let kCMImageDescriptionFlavor_QuickTimeMovie: CMImageDescriptionFlavor = "QuickTimeMovie"
/// ISO base media files.
public let kCMImageDescriptionFlavor_ISOFamily: CMImageDescriptionFlavor = "ISOFamily"
/// 3GPP files.
public let kCMImageDescriptionFlavor_3GPFamily: CMImageDescriptionFlavor = "3GPFamily"
/// M4V and M4A files.
public let kCMImageDescriptionFlavor_ISOFamilyWithAppleExtensions: CMImageDescriptionFlavor =
    "ISOFamilyWithAppleExtensions"
/// QuickTime movies.
public let kCMSoundDescriptionFlavor_QuickTimeMovie: CMSoundDescriptionFlavor = "QuickTimeMovie"
/// QuickTime movies, always with version 2 of the sound description.
public let kCMSoundDescriptionFlavor_QuickTimeMovieV2: CMSoundDescriptionFlavor = "QuickTimeMovieV2"
/// ISO base media files.
public let kCMSoundDescriptionFlavor_ISOFamily: CMSoundDescriptionFlavor = "ISOFamily"
/// 3GPP files.
public let kCMSoundDescriptionFlavor_3GPFamily: CMSoundDescriptionFlavor = "3GPFamily"

/// The parts of audio descriptions to compare: `kCMAudioFormatDescriptionMask_…`.
public typealias CMAudioFormatDescriptionMask = UInt32

/// The stream description.
public let kCMAudioFormatDescriptionMask_StreamBasicDescription: CMAudioFormatDescriptionMask = 1 << 0
/// The decoder's configuration data.
public let kCMAudioFormatDescriptionMask_MagicCookie: CMAudioFormatDescriptionMask = 1 << 1
/// The channel layout.
public let kCMAudioFormatDescriptionMask_ChannelLayout: CMAudioFormatDescriptionMask = 1 << 2
/// The extensions.
public let kCMAudioFormatDescriptionMask_Extensions: CMAudioFormatDescriptionMask = 1 << 3
/// All parts.
public let kCMAudioFormatDescriptionMask_All: CMAudioFormatDescriptionMask = 0b1111

/// Extension key of time codes: a dictionary with the name of the source.
public let kCMTimeCodeFormatDescriptionExtension_SourceReferenceName: CFString = "SourceReferenceName"
/// Source name key: the name.
public let kCMTimeCodeFormatDescriptionKey_Value: CFString = "Value"
/// Source name key: the language code of the name.
public let kCMTimeCodeFormatDescriptionKey_LangCode: CFString = "LangCode"
