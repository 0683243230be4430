// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The format of metadata in boxes with local key IDs: `'mebx'`.
public let kCMMetadataFormatType_Boxed: FourCharCode = 0x6d65_6278
/// Specification key: the metadata identifier, for example `mdta/com.example.key`.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: CFString = "MetadataIdentifier"
/// Specification key: the value's data type, for example `kCMMetadataBaseDataType_UTF8`.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: CFString = "MetadataDataType"
/// Specification key: the BCP 47 language tag of the value.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag: CFString =
    "MetadataExtendedLanguageTag"
/// Extension key: the list of key specifications. A key without an entry for its local ID has its position as the ID,
/// counted from 1.
///
/// - Note: Unlike Apple, the table is an array instead of a dictionary by local ID.
public let kCMFormatDescriptionExtensionKey_MetadataKeyTable: CFString = "MetadataKeyTable"

/// Creates a description of timed metadata from specifications of its keys.
///
/// - Parameter metadataSpecifications: A dictionary for each key, with at least the identifier and the data type.
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if there is no specification or an entry is missing.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
    allocator: CFAllocator?, metadataType: FourCharCode, metadataSpecifications: CFArray,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    let keys = [
        kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier,
        kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType,
    ]
    let specifications = metadataSpecifications.compactMap { $0 as? [String: Any] }
    let areComplete = specifications.allSatisfy { specification in
        keys.allSatisfy { specification[$0] is String }
    }
    guard !specifications.isEmpty, specifications.count == metadataSpecifications.count, areComplete
    else { return kCMFormatDescriptionError_InvalidParameter }
    return CMFormatDescriptionCreate(
        allocator: allocator, mediaType: kCMMediaType_Metadata, mediaSubType: metadataType,
        extensions: [kCMFormatDescriptionExtensionKey_MetadataKeyTable: specifications],
        formatDescriptionOut: formatDescriptionOut)
}

/// Returns the identifiers in a timed metadata description; nil for other descriptions.
public func CMMetadataFormatDescriptionGetIdentifiers(_ desc: CMMetadataFormatDescription) -> [String]? {
    let table =
        CMFormatDescriptionGetExtension(desc, extensionKey: kCMFormatDescriptionExtensionKey_MetadataKeyTable)
        as? [[String: Any]]
    return table?.compactMap {
        $0[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String
    }
}

extension CMFormatDescription {
    /// The keys of timed metadata with their local IDs; empty if there are none. The local ID of a key without a valid
    /// entry for it is its position, counted from 1.
    package var metadataKeys: [(localID: UInt32, specification: [String: Any])] {
        let table = entries[kCMFormatDescriptionExtensionKey_MetadataKeyTable] as? [[String: Any]] ?? []
        return table.enumerated().map { index, specification in
            let localID = integerValue(specification[kCMMetadataFormatDescriptionKey_LocalID], as: UInt32.self)
            return (localID ?? UInt32(index + 1), specification)
        }
    }
}
