// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Metadata as boxes with local keys, `mebx`.
public let kCMMetadataFormatType_Boxed: FourCharCode = 0x6d65_6278
/// Of a specification: the identifier, as `mdta/com.example.key`.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: CFString = "MetadataIdentifier"
/// Of a specification: the value's type, as `kCMMetadataBaseDataType_UTF8`.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: CFString = "MetadataDataType"
/// Of a specification: the language of the value, by BCP 47.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag: CFString =
    "MetadataExtendedLanguageTag"
/// The description's extension with its keys: a list of specifications, in the order of their local numbers from 1.
///
/// - Note: Unlike Apple, whose table is a dictionary of keys by local numbers.
public let kCMFormatDescriptionExtensionKey_MetadataKeyTable: CFString = "MetadataKeyTable"

/// Makes a description of timed metadata from what will be in it.
///
/// - Parameter metadataSpecifications: A dictionary for each key, with identifier and data type.
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` where one lacks either.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
    allocator: CFAllocator?, metadataType: FourCharCode, metadataSpecifications: [[String: Any]],
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    let keys = [
        kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier,
        kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType,
    ]
    let areComplete = metadataSpecifications.allSatisfy { specification in
        keys.allSatisfy { specification[$0] is String }
    }
    guard !metadataSpecifications.isEmpty, areComplete else { return kCMFormatDescriptionError_InvalidParameter }
    return CMFormatDescriptionCreate(
        allocator: allocator, mediaType: kCMMediaType_Metadata, mediaSubType: metadataType,
        extensions: [kCMFormatDescriptionExtensionKey_MetadataKeyTable: metadataSpecifications],
        formatDescriptionOut: formatDescriptionOut)
}

/// The identifiers of a description of timed metadata; nil for other descriptions.
public func CMMetadataFormatDescriptionGetIdentifiers(_ desc: CMMetadataFormatDescription) -> [String]? {
    let table =
        CMFormatDescriptionGetExtension(desc, extensionKey: kCMFormatDescriptionExtensionKey_MetadataKeyTable)
        as? [[String: Any]]
    return table?.compactMap {
        $0[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String
    }
}
