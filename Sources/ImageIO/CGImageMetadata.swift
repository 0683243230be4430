// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation
import MediaCodecs
public import MediaTypes

/// The metadata of an image, in the dictionaries and under the keys of `kCGImageProperty…`.
///
/// - Note: Unlike Apple, XMP tags that do not match an image property are discarded, and tags have no paths.
/// - Important: Confined to one thread at a time.
public class CGImageMetadata {
    var properties: [String: Any]

    init(_ properties: [String: Any]) { self.properties = properties }
}

/// Metadata that can be changed.
public final class CGMutableImageMetadata: CGImageMetadata {}

/// A value of the metadata.
public final class CGImageMetadataTag {
    let name: String
    let value: Any

    init(name: String, value: Any) {
        self.name = name
        self.value = value
    }
}

/// Returns the metadata of an image of a source; nil if there is no such image, or if its header is damaged.
public func CGImageSourceCopyMetadataAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImageMetadata? {
    guard index == 0, let file = isrc.file, file.size != nil else { return nil }
    return CGImageMetadata(file.exif?.imageProperties ?? [:])
}

/// Creates metadata without values.
public func CGImageMetadataCreateMutable() -> CGMutableImageMetadata { CGMutableImageMetadata([:]) }

public func CGImageMetadataCreateMutableCopy(_ metadata: CGImageMetadata) -> CGMutableImageMetadata? {
    CGMutableImageMetadata(metadata.properties)
}

/// Sets the value of an image property, for example `kCGImagePropertyGPSLatitude` in `kCGImagePropertyGPSDictionary`.
///
/// - Parameter value: A string, number, or array of numbers; `NSNull` removes the property.
/// - Returns: Whether the type of the value is supported.
@discardableResult
public func CGImageMetadataSetValueMatchingImageProperty(
    _ metadata: CGMutableImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString, _ value: CFTypeRef
) -> Bool {
    guard value is NSString || value is NSNumber || value is NSArray || value is NSNull else { return false }
    var dictionary = metadata.properties[dictionaryName] as? [String: Any] ?? [:]
    dictionary[propertyName] = value is NSNull ? nil : value
    metadata.properties[dictionaryName] = dictionary
    return true
}

/// Returns the tag of an image property; nil if the property is not set.
public func CGImageMetadataCopyTagMatchingImageProperty(
    _ metadata: CGImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString
) -> CGImageMetadataTag? {
    (metadata.properties[dictionaryName] as? [String: Any])?[propertyName]
        .map { CGImageMetadataTag(name: propertyName, value: $0) }
}

/// Returns the value of a tag: a string, number or array.
public func CGImageMetadataTagCopyValue(_ tag: CGImageMetadataTag) -> CFTypeRef? { tag.value as CFTypeRef }

public func CGImageMetadataTagCopyName(_ tag: CGImageMetadataTag) -> CFString? { tag.name }

/// Adds an image with metadata. Only the first image is written.
///
/// - Parameter options: Properties as for `CGImageDestinationAddImage`; they replace metadata with equal keys, also in
///   nested dictionaries.
public func CGImageDestinationAddImageAndMetadata(
    _ idst: CGImageDestination, _ image: CGImage, _ metadata: CGImageMetadata?, _ options: CFDictionary?
) {
    CGImageDestinationAddImage(
        idst, image, (metadata?.properties ?? [:]).mergingImageProperties(options ?? [:]))
}
