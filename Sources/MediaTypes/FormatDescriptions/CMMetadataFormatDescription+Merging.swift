// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Creates a description with the keys of another description and additional keys.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
    allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription, metadataSpecifications: CFArray,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
        allocator: allocator, metadataType: sourceDescription.rawMediaSubType,
        metadataSpecifications: sourceDescription.metadataKeyTable + metadataSpecifications,
        formatDescriptionOut: formatDescriptionOut)
}

/// Creates a description with the keys of two descriptions, without duplicates.
@discardableResult
public func CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions(
    allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription,
    otherSourceDescription: CMMetadataFormatDescription,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    func identity(_ entry: [String: Any]) -> [String?] {
        [
            kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier,
            kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType,
            kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag,
        ].map { entry[$0] as? String }
    }
    let known = Set(sourceDescription.metadataKeyTable.map(identity))
    return CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
        allocator: allocator, sourceDescription: sourceDescription,
        metadataSpecifications: otherSourceDescription.metadataKeyTable.filter { !known.contains(identity($0)) },
        formatDescriptionOut: formatDescriptionOut)
}

/// Returns the specification of the key with a local ID; nil if there is none. A key without an entry for the local ID
/// is identified by its position, counted from 1.
public func CMMetadataFormatDescriptionGetKeyWithLocalID(
    _ desc: CMMetadataFormatDescription, localKeyID: OSType
) -> CFDictionary? {
    let table = desc.metadataKeyTable
    return table.enumerated().first { index, entry in
        let localID = (entry[kCMMetadataFormatDescriptionKey_LocalID] as? any BinaryInteger).map { Int($0) }
        return localID ?? index + 1 == Int(localKeyID)
    }?.element
}

extension CMFormatDescription {
    /// The specifications of the keys; empty if there are none.
    fileprivate var metadataKeyTable: [[String: Any]] {
        entries[kCMFormatDescriptionExtensionKey_MetadataKeyTable] as? [[String: Any]] ?? []
    }
}
