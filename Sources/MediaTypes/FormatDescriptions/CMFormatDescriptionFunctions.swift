// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// Makes a description of any kind.
@discardableResult
public func CMFormatDescriptionCreate(
    allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: mediaType, mediaSubType: mediaSubType, entries: extensions ?? [:])
    return noErr
}

/// The kind of media.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.rawMediaType }

/// The coding: a codec, a pixel format, or an audio coding.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.rawMediaSubType }

/// The extensions; nil where there are none.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
    desc.entries.isEmpty ? nil : desc.entries
}

/// One extension; nil where it is not there.
public func CMFormatDescriptionGetExtension(
    _ desc: CMFormatDescription, extensionKey: CFString
) -> CFTypeRef? {
    desc.entries[extensionKey]
}

/// Whether two descriptions say the same; two that are missing do, too.
public func CMFormatDescriptionEqual(
    _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
    formatDescription == otherFormatDescription
}

/// Whether two descriptions say the same, save for some extensions and some boxes of the sample description.
public func CMFormatDescriptionEqualIgnoringExtensionKeys(
    _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?,
    extensionKeysToIgnore: CFTypeRef?, sampleDescriptionExtensionAtomKeysToIgnore: CFTypeRef?
) -> Bool {
    guard let formatDescription, let otherFormatDescription
    else { return formatDescription == nil && otherFormatDescription == nil }
    func names(_ list: CFTypeRef?) -> Set<String> {
        if let name = list as? String { return [name] }
        return Set((list as? [Any])?.compactMap { $0 as? String } ?? [])
    }
    return formatDescription.isEqual(
        otherFormatDescription, ignoring: names(extensionKeysToIgnore),
        ignoringAtoms: names(sampleDescriptionExtensionAtomKeysToIgnore))
}

/// The class's number.
public func CMFormatDescriptionGetTypeID() -> CFTypeID { 4 }

/// Makes a description of coded or raw video.
///
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` where a side is not positive.
@discardableResult
public func CMVideoFormatDescriptionCreate(
    allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    guard width > 0, height > 0 else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.pointee = CMFormatDescription(
        video: codecType, width: width, height: height, entries: extensions ?? [:])
    return noErr
}

/// Makes the description of a picture: its size, its pixel format, and the tags that hang onto it.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(describing: imageBuffer)
    return noErr
}

/// Whether a description is a picture's: size and format are equal, and so are the tags that both can have.
public func CMVideoFormatDescriptionMatchesImageBuffer(
    _ desc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
    guard desc.rawMediaSubType == imageBuffer.pixelFormat, Int(desc.videoDimensions.width) == imageBuffer.width,
        Int(desc.videoDimensions.height) == imageBuffer.height
    else { return false }
    let attachments = imageBuffer.attachments
    return CMFormatDescription.sharedKeys.allSatisfy { key in
        switch (desc.entries[key], attachments[key]?.value) {
        case (nil, nil): true
        case (let first?, let second?): areEqual(first, second)
        default: false
        }
    }
}

/// The names of the attachments that a picture's description has too.
public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray {
    CMFormatDescription.sharedKeys
}

/// The size of a video in encoded pixels; 0 × 0 for other media.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
    videoDesc.dimensions
}

/// The size to show in, in square pixels.
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
    videoDesc.presentationDimensions(usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

/// The part of the picture that is to be shown, in pixels.
public func CMVideoFormatDescriptionGetCleanAperture(
    _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
    videoDesc.cleanAperture(originIsAtTopLeft: originIsAtTopLeft)
}

/// Makes a description of sound.
///
/// - Parameters:
///   - layout: What the channels are; read where `layoutSize` is not 0.
///   - magicCookie: What the decoder must know beforehand; copied.
@discardableResult
public func CMAudioFormatDescriptionCreate(
    allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
    layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
    extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    let stream = asbd.pointee
    guard stream.mFormatID != 0, magicCookieSize >= 0 else { return kCMFormatDescriptionError_InvalidParameter }
    let cookie = magicCookieSize > 0 ? magicCookie.map { Data(bytes: $0, count: magicCookieSize) } : nil
    let audio = AudioDescription(
        stream: stream, layout: layoutSize > 0 ? layout?.pointee : nil, magicCookie: cookie)
    formatDescriptionOut.pointee = CMFormatDescription(audio: audio, entries: extensions ?? [:])
    return noErr
}

/// How sound is laid out or coded; nil for other media. Valid while the description is alive.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
    desc.audio.map { UnsafePointer($0.streamAddress) }
}

/// What a sound's decoder must know beforehand; nil where there is no such thing. Valid while the description is alive.
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.audio?.cookieBytes?.count ?? 0
    return desc.audio?.cookieBytes.flatMap { $0.baseAddress.map { UnsafeRawPointer($0) } }
}

/// What the channels of sound are; nil where that is not known. Valid while the description is alive.
public func CMAudioFormatDescriptionGetChannelLayout(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
    guard let layout = desc.audio?.layoutAddress else {
        sizeOut?.pointee = 0
        return nil
    }
    sizeOut?.pointee = MemoryLayout<AudioChannelLayout>.size
    return UnsafePointer(layout)
}
