// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Creates a description with the keys of another description and additional keys.
///
/// The keys of `sourceDescription` keep their local IDs. Each additional key has the lowest ID that is free.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
    allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription, metadataSpecifications: CFArray,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    let keys = sourceDescription.metadataKeys
    var localIDs = Set(keys.map(\.localID))
    let additional = metadataSpecifications.map { specification in
        // The function called below rejects specifications that are not dictionaries.
        guard var specification = specification as? [String: Any] else { return specification }
        var localID: UInt32 = 1
        while !localIDs.insert(localID).inserted { localID += 1 }
        specification[kCMMetadataFormatDescriptionKey_LocalID] = localID
        return specification
    }
    return CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
        allocator: allocator, metadataType: sourceDescription.rawMediaSubType,
        metadataSpecifications: keys.map(\.specification) + additional, formatDescriptionOut: formatDescriptionOut)
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
    let known = Set(sourceDescription.metadataKeys.map { identity($0.specification) })
    return CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
        allocator: allocator, sourceDescription: sourceDescription,
        metadataSpecifications: otherSourceDescription.metadataKeys.map(\.specification)
            .filter { !known.contains(identity($0)) },
        formatDescriptionOut: formatDescriptionOut)
}

/// Returns the specification of the key with a local ID; nil if there is none. A key without an entry for the local ID
/// is identified by its position, counted from 1.
public func CMMetadataFormatDescriptionGetKeyWithLocalID(
    _ desc: CMMetadataFormatDescription, localKeyID: OSType
) -> CFDictionary? {
    desc.metadataKeys.first { $0.localID == localKeyID }?.specification
}
