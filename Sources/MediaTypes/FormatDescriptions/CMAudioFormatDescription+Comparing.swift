// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Returns whether the selected parts of two audio descriptions are equal.
///
/// - Parameters:
///   - equalityMask: The parts that must be equal.
///   - equalityMaskOut: Receives the parts that are equal.
public func CMAudioFormatDescriptionEqual(
    _ formatDescription: CMAudioFormatDescription, otherFormatDescription: CMAudioFormatDescription,
    equalityMask: CMAudioFormatDescriptionMask, equalityMaskOut: UnsafeMutablePointer<CMAudioFormatDescriptionMask>?
) -> Bool {
    let (first, second) = (formatDescription, otherFormatDescription)
    var equal: CMAudioFormatDescriptionMask = 0
    if let stream = first.audio?.stream, let other = second.audio?.stream, stream.isEqual(to: other) {
        equal |= kCMAudioFormatDescriptionMask_StreamBasicDescription
    }
    if first.audio?.magicCookie == second.audio?.magicCookie { equal |= kCMAudioFormatDescriptionMask_MagicCookie }
    if first.audio?.layout == second.audio?.layout { equal |= kCMAudioFormatDescriptionMask_ChannelLayout }
    let withoutAudio = [first, second].map { description in
        CMFormatDescription(mediaType: kCMMediaType_Audio, mediaSubType: 0, entries: description.entries)
    }
    if withoutAudio[0] == withoutAudio[1] { equal |= kCMAudioFormatDescriptionMask_Extensions }
    equalityMaskOut?.pointee = equal
    return equal & equalityMask == equalityMask
}
