// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import MediaCodecs
public import MediaTypes

/// Reads an image file: JPEG, PNG, HEIF, WebP or DNG.
///
/// - Note: Unlike Apple, the image of a HEIF file is upright: the rotation in the file is applied when it is decoded, and
///   its size and orientation are those of the upright image.
///
/// - Important: Thread-safe.
public final class CGImageSource: Sendable {
    private struct State {
        var data: Data
        var isFinal: Bool
    }

    private let state: Lock<State>

    init(_ data: Data, isFinal: Bool) { state = Lock(State(data: data, isFinal: isFinal)) }

    var isFinal: Bool { state.withLock { $0.isFinal } }
    var data: Data { state.withLock { $0.data } }
    var file: ImageFile? { ImageFile(data) }

    func update(_ data: Data, isFinal: Bool) { state.withLock { $0 = State(data: data, isFinal: isFinal) } }
}

public enum CGImageSourceStatus: Int32, Hashable, Sendable {
    case statusUnexpectedEOF = -5
    case statusInvalidData = -4
    case statusUnknownType = -3
    case statusReadingHeader = -2
    case statusIncomplete = -1
    case statusComplete = 0
}

public let kCGImageSourceTypeIdentifierHint: CFString = "kCGImageSourceTypeIdentifierHint"
public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
public let kCGImageSourceShouldAllowFloat: CFString = "kCGImageSourceShouldAllowFloat"
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = "kCGImageSourceCreateThumbnailFromImageIfAbsent"
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
public let kCGImageSourceSubsampleFactor: CFString = "kCGImageSourceSubsampleFactor"

/// Creates a source; nil for empty data.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
    data.isEmpty ? nil : CGImageSource(data, isFinal: true)
}

/// Creates a source from a file; nil if it cannot be read.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
    // The reason is not reported, as on Apple's systems.
    (try? Data(contentsOf: url)).flatMap { CGImageSourceCreateWithData($0, options) }
}

/// Creates a source for data that arrives in parts.
public func CGImageSourceCreateIncremental(_ options: CFDictionary?) -> CGImageSource {
    CGImageSource(Data(), isFinal: false)
}

/// Replaces the data of an incremental source.
///
/// - Parameters:
///   - data: All data of the file that was received so far.
///   - final: Whether the data is complete.
public func CGImageSourceUpdateData(_ isrc: CGImageSource, _ data: CFData, _ final: Bool) {
    isrc.update(data, isFinal: final)
}

/// Returns the uniform type identifiers of the formats that can be read.
public func CGImageSourceCopyTypeIdentifiers() -> CFArray { ImageFile.readableTypes }

public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { isrc.file?.type }

/// Returns the number of images: 1, or 0 if the type is unknown.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { isrc.file == nil ? 0 : 1 }

public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { 0 }

/// Returns the size of the file in bytes, under `kCGImagePropertyFileSize`.
public func CGImageSourceCopyProperties(_ isrc: CGImageSource, _ options: CFDictionary?) -> CFDictionary? {
    isrc.file.map { [kCGImagePropertyFileSize: $0.data.count] }
}

/// Returns the size, EXIF, TIFF and GPS properties; nil if there is no such image.
public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
    index == 0 ? isrc.file?.properties : nil
}

/// Decodes the image without applying its orientation; nil if it is damaged.
public func CGImageSourceCreateImageAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
    index == 0 ? isrc.file?.image() : nil
}

/// Returns the thumbnail in the file, or creates one if the options request it; nil if there is no thumbnail.
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
    guard index == 0, let file = isrc.file else { return nil }
    let options = options ?? [:]
    func flag(_ key: String) -> Bool { options[key] as? Bool ?? false }
    let always = flag(kCGImageSourceCreateThumbnailFromImageAlways)
    var image = always ? nil : file.thumbnail()
    if image == nil, always || flag(kCGImageSourceCreateThumbnailFromImageIfAbsent) { image = file.image() }
    let orientation = flag(kCGImageSourceCreateThumbnailWithTransform) ? file.exif?.orientation ?? .up : .up
    let side = (options[kCGImageSourceThumbnailMaxPixelSize] as? NSNumber)?.intValue
    return image.flatMap { ImageFile.scale($0, maximumSide: side, orientation: orientation) }
}

public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
    guard isrc.isFinal else { return isrc.data.count < 8 ? .statusReadingHeader : .statusIncomplete }
    return isrc.file == nil ? .statusUnknownType : .statusComplete
}

/// Returns the status of the image. A complete file is decoded to determine it.
public func CGImageSourceGetStatusAtIndex(_ isrc: CGImageSource, _ index: Int) -> CGImageSourceStatus {
    guard index == 0, let file = isrc.file else { return .statusUnknownType }
    if file.size == nil { return isrc.isFinal ? .statusInvalidData : .statusReadingHeader }
    guard isrc.isFinal else { return .statusIncomplete }
    return file.image() == nil ? .statusUnexpectedEOF : .statusComplete
}
