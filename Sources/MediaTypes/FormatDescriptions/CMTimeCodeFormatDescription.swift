// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation

/// A description of time codes.
public typealias CMTimeCodeFormatDescription = CMFormatDescription

/// The extension keys of a description of time codes.
private enum TimeCodeExtension {
    static let frameDuration = "TimeCodeFrameDuration"
    static let frameQuanta = "TimeCodeFrameQuanta"
    static let flags = "TimeCodeFlags"
}

/// Creates a description of time codes.
///
/// - Parameters:
///   - frameDuration: The duration of a frame, for example 1001/30000 s.
///   - frameQuanta: Frames per second of the time code, for example 30.
///   - flags: `kCMTimeCodeFlag_…`.
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if the duration is not positive or the quanta are 0.
@discardableResult
public func CMTimeCodeFormatDescriptionCreate(
    allocator: CFAllocator?, timeCodeFormatType: CMTimeCodeFormatType, frameDuration: CMTime, frameQuanta: UInt32,
    flags: UInt32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMTimeCodeFormatDescription?>
) -> OSStatus {
    guard frameDuration.isNumeric, frameDuration > .zero, frameQuanta > 0 else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    var entries = extensions ?? [:]
    entries[TimeCodeExtension.frameDuration] = CMTimeCopyAsDictionary(frameDuration, allocator: nil)
    entries[TimeCodeExtension.frameQuanta] = frameQuanta
    entries[TimeCodeExtension.flags] = flags
    return CMFormatDescriptionCreate(
        allocator: allocator, mediaType: kCMMediaType_TimeCode, mediaSubType: timeCodeFormatType, extensions: entries,
        formatDescriptionOut: formatDescriptionOut)
}

/// Returns the duration of a frame; invalid for other descriptions.
public func CMTimeCodeFormatDescriptionGetFrameDuration(_ desc: CMTimeCodeFormatDescription) -> CMTime {
    guard let duration = desc.entries[TimeCodeExtension.frameDuration] as? CFDictionary else { return .invalid }
    return CMTimeMakeFromDictionary(duration)
}

/// Returns the number of frames per second of the time code; 0 for other descriptions.
public func CMTimeCodeFormatDescriptionGetFrameQuanta(_ desc: CMTimeCodeFormatDescription) -> UInt32 {
    integerValue(desc.entries[TimeCodeExtension.frameQuanta], as: UInt32.self) ?? 0
}

/// Returns the flags `kCMTimeCodeFlag_…`; 0 for other descriptions.
public func CMTimeCodeFormatDescriptionGetTimeCodeFlags(_ desc: CMTimeCodeFormatDescription) -> UInt32 {
    integerValue(desc.entries[TimeCodeExtension.flags], as: UInt32.self) ?? 0
}
