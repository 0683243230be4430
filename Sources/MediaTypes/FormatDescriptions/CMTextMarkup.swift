// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

// Attributes of attributed strings in text and captions.

/// Attribute: foreground color ARGB.
public let kCMTextMarkupAttribute_ForegroundColorARGB: CFString = "CMForegroundColorARGB"
/// Attribute: background color ARGB.
public let kCMTextMarkupAttribute_BackgroundColorARGB: CFString = "CMBackgroundColorARGB"
/// Attribute: character background color ARGB.
public let kCMTextMarkupAttribute_CharacterBackgroundColorARGB: CFString = "CMCharacterBackgroundColorARGB"
/// Attribute: bold style.
public let kCMTextMarkupAttribute_BoldStyle: CFString = "CMBoldStyle"
/// Attribute: italic style.
public let kCMTextMarkupAttribute_ItalicStyle: CFString = "CMItalicStyle"
/// Attribute: underline style.
public let kCMTextMarkupAttribute_UnderlineStyle: CFString = "CMUnderlineStyle"
/// Attribute: font family name.
public let kCMTextMarkupAttribute_FontFamilyName: CFString = "CMFontFamilyName"
/// Attribute: font family name list.
public let kCMTextMarkupAttribute_FontFamilyNameList: CFString = "CMFontFamilyNameList"
/// Attribute: generic font family name.
public let kCMTextMarkupAttribute_GenericFontFamilyName: CFString = "CMGenericFontFamilyName"
/// Attribute: base font size percentage relative to video height.
public let kCMTextMarkupAttribute_BaseFontSizePercentageRelativeToVideoHeight: CFString = "CMBaseFontSizePercentage"
/// Attribute: relative font size.
public let kCMTextMarkupAttribute_RelativeFontSize: CFString = "CMRelativeFontSize"
/// Attribute: vertical layout.
public let kCMTextMarkupAttribute_VerticalLayout: CFString = "CMVerticalLayout"
/// Attribute: alignment.
public let kCMTextMarkupAttribute_Alignment: CFString = "CMWritingDirectionAlignment"
/// Attribute: text position percentage relative to writing direction.
public let kCMTextMarkupAttribute_TextPositionPercentageRelativeToWritingDirection: CFString =
    "CMWritingDirectionTextPositionPercentage"
/// Attribute: orthogonal line position percentage relative to writing direction.
public let kCMTextMarkupAttribute_OrthogonalLinePositionPercentageRelativeToWritingDirection: CFString =
    "CMWritingDirectionOrthogonalLinePositionPercentage"
/// Attribute: writing direction size percentage.
public let kCMTextMarkupAttribute_WritingDirectionSizePercentage: CFString = "CMWritingDirectionSizePercentage"
/// Attribute: character edge style.
public let kCMTextMarkupAttribute_CharacterEdgeStyle: CFString = "CMCharacterEdgeStyle"
/// Generic font: default.
public let kCMTextMarkupGenericFontName_Default: CFString = "CMGenericFontName_Default"
/// Generic font: serif.
public let kCMTextMarkupGenericFontName_Serif: CFString = "CMGenericFontName_Serif"
/// Generic font: sans serif.
public let kCMTextMarkupGenericFontName_SansSerif: CFString = "CMGenericFontName_SansSerif"
/// Generic font: monospace.
public let kCMTextMarkupGenericFontName_Monospace: CFString = "CMGenericFontName_Monospace"
/// Generic font: proportional serif.
public let kCMTextMarkupGenericFontName_ProportionalSerif: CFString = "CMGenericFontName_ProportionalSerif"
/// Generic font: proportional sans serif.
public let kCMTextMarkupGenericFontName_ProportionalSansSerif: CFString = "CMGenericFontName_ProportionalSansSerif"
/// Generic font: monospace serif.
public let kCMTextMarkupGenericFontName_MonospaceSerif: CFString = "CMGenericFontName_MonospaceSerif"
/// Generic font: monospace sans serif.
public let kCMTextMarkupGenericFontName_MonospaceSansSerif: CFString = "CMGenericFontName_MonospaceSansSerif"
/// Generic font: casual.
public let kCMTextMarkupGenericFontName_Casual: CFString = "CMGenericFontName_Casual"
/// Generic font: cursive.
public let kCMTextMarkupGenericFontName_Cursive: CFString = "CMGenericFontName_Cursive"
/// Generic font: fantasy.
public let kCMTextMarkupGenericFontName_Fantasy: CFString = "CMGenericFontName_Fantasy"
/// Generic font: small capital.
public let kCMTextMarkupGenericFontName_SmallCapital: CFString = "CMGenericFontName_SmallCapital"
/// Vertical layout: left to right.
public let kCMTextVerticalLayout_LeftToRight: CFString = "CMVerticalLayout_LeftToRight"
/// Vertical layout: right to left.
public let kCMTextVerticalLayout_RightToLeft: CFString = "CMVerticalLayout_RightToLeft"
/// Alignment: start.
public let kCMTextMarkupAlignmentType_Start: CFString = "CMWDA_start"
/// Alignment: middle.
public let kCMTextMarkupAlignmentType_Middle: CFString = "CMWDA_middle"
/// Alignment: end.
public let kCMTextMarkupAlignmentType_End: CFString = "CMWDA_end"
/// Alignment: left.
public let kCMTextMarkupAlignmentType_Left: CFString = "CMWDA_left"
/// Alignment: right.
public let kCMTextMarkupAlignmentType_Right: CFString = "CMWDA_right"
/// Edge style: none.
public let kCMTextMarkupCharacterEdgeStyle_None: CFString = "CMCharacterEdgeStyle_None"
/// Edge style: raised.
public let kCMTextMarkupCharacterEdgeStyle_Raised: CFString = "CMCharacterEdgeStyle_Raised"
/// Edge style: depressed.
public let kCMTextMarkupCharacterEdgeStyle_Depressed: CFString = "CMCharacterEdgeStyle_Depressed"
/// Edge style: uniform.
public let kCMTextMarkupCharacterEdgeStyle_Uniform: CFString = "CMCharacterEdgeStyle_Uniform"
/// Edge style: drop shadow.
public let kCMTextMarkupCharacterEdgeStyle_DropShadow: CFString = "CMCharacterEdgeStyle_DropShadow"
