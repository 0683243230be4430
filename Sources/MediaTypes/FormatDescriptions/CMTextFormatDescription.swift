// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// A description of text or subtitles.
public typealias CMTextFormatDescription = CMFormatDescription

/// Creates a description of a muxed stream.
@discardableResult
public func CMMuxedFormatDescriptionCreate(
    allocator: CFAllocator?, muxType: CMMuxedStreamType, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMMuxedFormatDescription?>
) -> OSStatus {
    CMFormatDescriptionCreate(
        allocator: allocator, mediaType: kCMMediaType_Muxed, mediaSubType: muxType, extensions: extensions,
        formatDescriptionOut: formatDescriptionOut)
}

/// Returns the display flags in a description of text.
///
/// - Returns: `kCMFormatDescriptionError_ValueNotAvailable` if there are none.
@discardableResult
public func CMTextFormatDescriptionGetDisplayFlags(
    _ desc: CMFormatDescription, displayFlagsOut: UnsafeMutablePointer<CMTextDisplayFlags>
) -> OSStatus {
    guard
        let flags = integerValue(
            desc.entries[kCMTextFormatDescriptionExtension_DisplayFlags], as: CMTextDisplayFlags.self)
    else {
        return kCMFormatDescriptionError_ValueNotAvailable
    }
    displayFlagsOut.pointee = flags
    return noErr
}

/// Returns the justification in a description of text.
///
/// - Returns: `kCMFormatDescriptionError_ValueNotAvailable` if there is none.
@discardableResult
public func CMTextFormatDescriptionGetJustification(
    _ desc: CMFormatDescription, horizontalOut: UnsafeMutablePointer<CMTextJustificationValue>?,
    verticalOut: UnsafeMutablePointer<CMTextJustificationValue>?
) -> OSStatus {
    guard
        let horizontal = integerValue(
            desc.entries[kCMTextFormatDescriptionExtension_HorizontalJustification],
            as: CMTextJustificationValue.self),
        let vertical = integerValue(
            desc.entries[kCMTextFormatDescriptionExtension_VerticalJustification], as: CMTextJustificationValue.self)
    else { return kCMFormatDescriptionError_ValueNotAvailable }
    horizontalOut?.pointee = horizontal
    verticalOut?.pointee = vertical
    return noErr
}

/// Returns the default text box in a description of text.
///
/// - Parameters:
///   - originIsAtTopLeft: Whether the y axis of the result points down from the top left corner; otherwise it points up
///     from the bottom left corner.
///   - heightOfTextTrack: In pixels; used only if the origin is at the bottom left.
/// - Returns: `kCMFormatDescriptionError_ValueNotAvailable` if there is none.
@discardableResult
public func CMTextFormatDescriptionGetDefaultTextBox(
    _ desc: CMFormatDescription, originIsAtTopLeft: Bool, heightOfTextTrack: CGFloat,
    defaultTextBoxOut: UnsafeMutablePointer<CGRect>
) -> OSStatus {
    guard let box = desc.entries[kCMTextFormatDescriptionExtension_DefaultTextBox] as? [String: Any],
        let top = doubleValue(box[kCMTextFormatDescriptionRect_Top]),
        let left = doubleValue(box[kCMTextFormatDescriptionRect_Left]),
        let bottom = doubleValue(box[kCMTextFormatDescriptionRect_Bottom]),
        let right = doubleValue(box[kCMTextFormatDescriptionRect_Right])
    else { return kCMFormatDescriptionError_ValueNotAvailable }
    let y = originIsAtTopLeft ? top : Double(heightOfTextTrack) - bottom
    defaultTextBoxOut.pointee = CGRect(x: left, y: y, width: right - left, height: bottom - top)
    return noErr
}

/// Returns the default style in a description of text.
///
/// - Parameter colorComponentsOut: Receives red, green, blue and alpha from 0 to 1.
/// - Returns: `kCMFormatDescriptionError_ValueNotAvailable` if there is none.
@discardableResult
public func CMTextFormatDescriptionGetDefaultStyle(
    _ desc: CMFormatDescription, localFontIDOut: UnsafeMutablePointer<UInt16>?,
    boldOut: UnsafeMutablePointer<DarwinBoolean>?, italicOut: UnsafeMutablePointer<DarwinBoolean>?,
    underlineOut: UnsafeMutablePointer<DarwinBoolean>?, fontSizeOut: UnsafeMutablePointer<CGFloat>?,
    colorComponentsOut: UnsafeMutablePointer<CGFloat>?
) -> OSStatus {
    guard let style = desc.entries[kCMTextFormatDescriptionExtension_DefaultStyle] as? [String: Any] else {
        return kCMFormatDescriptionError_ValueNotAvailable
    }
    // The face style flags of 3GPP TS 26.245, 5.16: 1 bold, 2 italic, 4 underlined.
    let face = integerValue(style[kCMTextFormatDescriptionStyle_FontFace], as: UInt32.self) ?? 0
    localFontIDOut?.pointee = integerValue(style[kCMTextFormatDescriptionStyle_Font], as: UInt16.self) ?? 0
    boldOut?.pointee = DarwinBoolean(face & 1 != 0)
    italicOut?.pointee = DarwinBoolean(face & 2 != 0)
    underlineOut?.pointee = DarwinBoolean(face & 4 != 0)
    fontSizeOut?.pointee = CGFloat(doubleValue(style[kCMTextFormatDescriptionStyle_FontSize]) ?? 0)
    let color = style[kCMTextFormatDescriptionStyle_ForegroundColor] as? [String: Any] ?? [:]
    let keys = [
        kCMTextFormatDescriptionColor_Red, kCMTextFormatDescriptionColor_Green, kCMTextFormatDescriptionColor_Blue,
        kCMTextFormatDescriptionColor_Alpha,
    ]
    for (index, key) in keys.enumerated() {
        colorComponentsOut?[index] = CGFloat(doubleValue(color[key]) ?? 0)
    }
    return noErr
}

/// Returns the name of a font in the font table of a description of text.
///
/// - Returns: `kCMFormatDescriptionError_ValueNotAvailable` if the table does not contain the font.
@discardableResult
public func CMTextFormatDescriptionGetFontName(
    _ desc: CMFormatDescription, localFontID: UInt16, fontNameOut: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    let table = desc.entries[kCMTextFormatDescriptionExtension_FontTable] as? [String: Any]
    guard let name = table?[String(localFontID)] as? String else { return kCMFormatDescriptionError_ValueNotAvailable }
    fontNameOut.pointee = name
    return noErr
}
