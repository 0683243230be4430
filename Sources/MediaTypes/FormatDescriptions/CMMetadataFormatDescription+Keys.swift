// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation

/// Creates a description of timed metadata from keys with namespaces and local IDs.
///
/// Each key is converted to a metadata specification. Its namespace and value determine the identifier. The data type
/// is `kCMMetadataBaseDataType_RawData` if it is missing. The local IDs are preserved; writers reject 0, which marks
/// unused keys.
/// - Parameter keys: Dictionaries with `kCMMetadataFormatDescriptionKey_…` entries; nil for metadata without a table of
///   keys, which boxed metadata must have.
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if a namespace, value or local ID is missing, a local ID is
///   repeated, or a data type is unknown.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithKeys(
    allocator: CFAllocator?, metadataType: CMMetadataFormatType, keys: CFArray?,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    guard let keys else {
        guard metadataType != kCMMetadataFormatType_Boxed else { return kCMFormatDescriptionError_InvalidParameter }
        return CMFormatDescriptionCreate(
            allocator: allocator, mediaType: kCMMediaType_Metadata, mediaSubType: metadataType, extensions: nil,
            formatDescriptionOut: formatDescriptionOut)
    }
    let specifications = keys.map { ($0 as? [String: Any]).flatMap(specification) }
    let localIDs = specifications.compactMap { $0?[kCMMetadataFormatDescriptionKey_LocalID] as? UInt32 }
    guard Set(localIDs).count == keys.count else { return kCMFormatDescriptionError_InvalidParameter }
    return CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
        allocator: allocator, metadataType: metadataType, metadataSpecifications: specifications.compactMap { $0 },
        formatDescriptionOut: formatDescriptionOut)
}

/// Returns the metadata specification of a key; nil if an entry is missing or invalid.
private func specification(of key: [String: Any]) -> [String: Any]? {
    guard let namespace = code(key[kCMMetadataFormatDescriptionKey_Namespace]),
        let value = text(key[kCMMetadataFormatDescriptionKey_Value]),
        let localID = code(key[kCMMetadataFormatDescriptionKey_LocalID])
    else { return nil }
    let keySpace = String(
        decoding: withUnsafeBytes(of: namespace.bigEndian) { Array($0) }, as: UTF8.self)
    var identifier: CFString?
    CMMetadataCreateIdentifierForKeyAndKeySpace(
        allocator: nil, key: value as CFTypeRef, keySpace: keySpace, identifierOut: &identifier)
    guard let identifier, let type = dataType(of: key) else { return nil }
    var result = key
    result[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] = identifier
    result[kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType] = type
    result[kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag] =
        key[kCMMetadataFormatDescriptionKey_LanguageTag]
    result[kCMMetadataFormatDescriptionKey_LocalID] = localID
    return result
}

/// Returns the name of a key's data type; nil if it is unknown.
///
/// A data type given as bytes is a well-known type code in data type namespace 0, and a name in namespace 1.
private func dataType(of key: [String: Any]) -> String? {
    guard let type = key[kCMMetadataFormatDescriptionKey_DataType] else { return kCMMetadataBaseDataType_RawData }
    guard let data = type as? Data else { return type as? String }
    switch code(key[kCMMetadataFormatDescriptionKey_DataTypeNamespace]) {
    case 1: return text(data)
    case 0, nil: return data.count == 4 ? WellKnownMetadataType.name(of: data.reduce(0) { $0 << 8 | UInt32($1) }) : nil
    default: return nil
    }
}

private func code(_ value: Any?) -> UInt32? {
    (value as? any BinaryInteger).flatMap { UInt32(exactly: $0) } ?? (value as? NSNumber)?.uint32Value
}

private func text(_ value: Any?) -> String? {
    (value as? String) ?? (value as? Data).flatMap { String(data: $0, encoding: .utf8) }
}
