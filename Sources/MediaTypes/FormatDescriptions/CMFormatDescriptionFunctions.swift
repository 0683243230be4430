// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// Creates a description of any media type.
@discardableResult
public func CMFormatDescriptionCreate(
    allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: mediaType, mediaSubType: mediaSubType, entries: extensions ?? [:])
    return noErr
}

/// Returns the media type.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.rawMediaType }

/// Returns the media subtype: a codec, a pixel format or an audio format.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.rawMediaSubType }

/// Returns the extensions; nil if there are none.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
    desc.entries.isEmpty ? nil : desc.entries
}

/// Returns one extension; nil if it does not exist.
public func CMFormatDescriptionGetExtension(
    _ desc: CMFormatDescription, extensionKey: CFString
) -> CFTypeRef? {
    desc.entries[extensionKey]
}

/// Whether two descriptions are equal or both nil.
public func CMFormatDescriptionEqual(
    _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
    formatDescription == otherFormatDescription
}

/// Whether two descriptions are equal except for some extensions and sample description boxes.
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

/// Returns the type ID of format descriptions.
public func CMFormatDescriptionGetTypeID() -> CFTypeID { 4 }

/// Creates a description of compressed or uncompressed video.
///
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if a side is not positive.
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

/// Creates the description of an image buffer: its dimensions, pixel format and attachments.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(describing: imageBuffer)
    return noErr
}

/// Whether a description matches an image buffer in dimensions, pixel format and common attachments.
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

/// Returns the keys of image buffer attachments that are also description properties.
public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray {
    CMFormatDescription.sharedKeys
}

/// Returns the dimensions of video in encoded pixels; 0 × 0 for other media.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
    videoDesc.dimensions
}

/// Returns the display size in square pixels.
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
    videoDesc.presentationDimensions(usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

/// Returns the visible part of the image in pixels.
public func CMVideoFormatDescriptionGetCleanAperture(
    _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
    videoDesc.cleanAperture(originIsAtTopLeft: originIsAtTopLeft)
}

/// Creates a description of audio.
///
/// - Parameters:
///   - layout: The channel layout; ignored if `layoutSize` is 0.
///   - magicCookie: Configuration data for the decoder; copied.
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

/// Returns the audio format; nil for other media. Valid during the description's lifetime.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
    desc.audio.map { UnsafePointer($0.streamAddress) }
}

/// Returns the decoder's configuration data; nil if there is none. Valid during the description's lifetime.
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.audio?.cookieBytes?.count ?? 0
    return desc.audio?.cookieBytes.flatMap { $0.baseAddress.map { UnsafeRawPointer($0) } }
}

/// Returns the channel layout; nil if unknown. Valid during the description's lifetime.
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

/// Returns the formats in which the audio can be decoded, the best one first; nil for other media. Valid during the
/// description's lifetime.
///
/// - Note: Unlike Apple, there is always one format.
///
/// - Parameter sizeOut: Receives the size of the list in bytes.
public func CMAudioFormatDescriptionGetFormatList(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
    sizeOut?.pointee = desc.audio == nil ? 0 : MemoryLayout<AudioFormatListItem>.size
    return desc.audio.map { UnsafePointer($0.formatAddress) }
}

/// Returns the best format in which the audio can be decoded; nil for other media. Valid during the description's
/// lifetime.
public func CMAudioFormatDescriptionGetRichestDecodableFormat(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
    desc.audio.map { UnsafePointer($0.formatAddress) }
}

/// Returns the format that most decoders support; nil for other media. Valid during the description's lifetime.
public func CMAudioFormatDescriptionGetMostCompatibleFormat(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
    desc.audio.map { UnsafePointer($0.formatAddress) }
}
