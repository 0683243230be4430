// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// The display flags of text: `kCMTextDisplayFlag_…`.
public typealias CMTextDisplayFlags = UInt32
/// The justification of text: `kCMTextJustification_…`.
public typealias CMTextJustificationValue = Int8

/// Text scrolls into view.
public let kCMTextDisplayFlag_scrollIn: CMTextDisplayFlags = 0x20
/// Text scrolls out of view.
public let kCMTextDisplayFlag_scrollOut: CMTextDisplayFlags = 0x40
/// The bits of the scroll direction.
public let kCMTextDisplayFlag_scrollDirectionMask: CMTextDisplayFlags = 0x180
/// Scroll direction: from bottom to top.
public let kCMTextDisplayFlag_scrollDirection_bottomToTop: CMTextDisplayFlags = 0
/// Scroll direction: from right to left.
public let kCMTextDisplayFlag_scrollDirection_rightToLeft: CMTextDisplayFlags = 0x80
/// Scroll direction: from top to bottom.
public let kCMTextDisplayFlag_scrollDirection_topToBottom: CMTextDisplayFlags = 0x100
/// Scroll direction: from left to right.
public let kCMTextDisplayFlag_scrollDirection_leftToRight: CMTextDisplayFlags = 0x180
/// Highlighted text stays highlighted.
public let kCMTextDisplayFlag_continuousKaraoke: CMTextDisplayFlags = 0x800
/// Text is vertical.
public let kCMTextDisplayFlag_writeTextVertically: CMTextDisplayFlags = 0x2_0000
/// The text box is filled with the background color.
public let kCMTextDisplayFlag_fillTextRegion: CMTextDisplayFlags = 0x4_0000
/// The text is formatted according to the player's settings for subtitles.
public let kCMTextDisplayFlag_obeySubtitleFormatting: CMTextDisplayFlags = 0x2000_0000
/// Some samples are forced subtitles.
public let kCMTextDisplayFlag_forcedSubtitlesPresent: CMTextDisplayFlags = 0x4000_0000
/// All samples are forced subtitles.
public let kCMTextDisplayFlag_allSubtitlesForced: CMTextDisplayFlags = 0x8000_0000
/// Left or top.
public let kCMTextJustification_left_top: CMTextJustificationValue = 0
/// Centered.
public let kCMTextJustification_centered: CMTextJustificationValue = 1
/// Right or bottom.
public let kCMTextJustification_bottom_right: CMTextJustificationValue = -1
/// Extension key: display flags.
public let kCMTextFormatDescriptionExtension_DisplayFlags: CFString = "DisplayFlags"
/// Extension key: background color.
public let kCMTextFormatDescriptionExtension_BackgroundColor: CFString = "BackgroundColor"
/// Extension key: default text box.
public let kCMTextFormatDescriptionExtension_DefaultTextBox: CFString = "DefaultTextBox"
/// Extension key: default style.
public let kCMTextFormatDescriptionExtension_DefaultStyle: CFString = "DefaultStyle"
/// Extension key: horizontal justification.
public let kCMTextFormatDescriptionExtension_HorizontalJustification: CFString = "HorizontalJustification"
/// Extension key: vertical justification.
public let kCMTextFormatDescriptionExtension_VerticalJustification: CFString = "VerticalJustification"
/// Extension key: font table.
public let kCMTextFormatDescriptionExtension_FontTable: CFString = "FontTable"
/// Extension key: text justification.
public let kCMTextFormatDescriptionExtension_TextJustification: CFString = "TextJustification"
/// Extension key: default font name.
public let kCMTextFormatDescriptionExtension_DefaultFontName: CFString = "DefaultFontName"
/// Color key: red.
public let kCMTextFormatDescriptionColor_Red: CFString = "Red"
/// Color key: green.
public let kCMTextFormatDescriptionColor_Green: CFString = "Green"
/// Color key: blue.
public let kCMTextFormatDescriptionColor_Blue: CFString = "Blue"
/// Color key: alpha.
public let kCMTextFormatDescriptionColor_Alpha: CFString = "Alpha"
/// Text box key: top.
public let kCMTextFormatDescriptionRect_Top: CFString = "Top"
/// Text box key: left.
public let kCMTextFormatDescriptionRect_Left: CFString = "Left"
/// Text box key: bottom.
public let kCMTextFormatDescriptionRect_Bottom: CFString = "Bottom"
/// Text box key: right.
public let kCMTextFormatDescriptionRect_Right: CFString = "Right"
/// Style key: the index of the first character.
public let kCMTextFormatDescriptionStyle_StartChar: CFString = "StartChar"
/// Style key: font.
public let kCMTextFormatDescriptionStyle_Font: CFString = "Font"
/// Style key: font face.
public let kCMTextFormatDescriptionStyle_FontFace: CFString = "FontFace"
/// Style key: foreground color.
public let kCMTextFormatDescriptionStyle_ForegroundColor: CFString = "ForegroundColor"
/// Style key: font size.
public let kCMTextFormatDescriptionStyle_FontSize: CFString = "FontSize"
/// Style key: the index after the last character.
public let kCMTextFormatDescriptionStyle_EndChar: CFString = "EndChar"
/// Style key: height.
public let kCMTextFormatDescriptionStyle_Height: CFString = "Height"
/// Style key: ascent.
public let kCMTextFormatDescriptionStyle_Ascent: CFString = "Ascent"
