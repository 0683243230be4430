package import AssetTypes
package import Foundation
package import MediaTypes

extension TimedMetadataFormat {
    /// The error for descriptions that cannot be used.
    package typealias SettingsError = SettingsDictionary.SettingsError

    /// Reads the keys of a boxed-metadata description, in its order.
    package init(_ description: CMFormatDescription) throws(SettingsError) {
        let table = description.metadataKeys
        guard CMFormatDescriptionGetMediaSubType(description) == kCMMetadataFormatType_Boxed, !table.isEmpty else {
            throw SettingsError("a source format hint for metadata must be of type 'mebx' and list its keys")
        }
        var keys: [Key] = []
        for (localID, entry) in table {
            guard localID != 0 else {
                throw SettingsError("the local ID 0 marks an unused key; \(entry) must have another one")
            }
            guard !keys.contains(where: { $0.localID == localID }) else {
                throw SettingsError("two keys share the local ID \(localID); each key must have its own")
            }
            guard let identifier = entry[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String,
                let name = entry[kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType] as? String,
                let slash = identifier.firstIndex(of: "/"),
                identifier.distance(from: identifier.startIndex, to: slash) == 4
            else { throw SettingsError("\(entry) must specify the identifier and the data type of a key") }
            guard let type = WellKnownMetadataType.code(of: name) else {
                throw SettingsError("boxed metadata cannot have the data type \(name)")
            }
            keys.append(
                Key(
                    namespace: String(identifier[..<slash]),
                    name: String(identifier[identifier.index(after: slash)...]),
                    dataType: type, localID: localID))
        }
        self.init(keys: keys)
    }

    /// Returns the bytes of a sample with the items of a group.
    ///
    /// - Throws: `.unknown` if the format does not have the key of an item, or its value has another type.
    package func sample(of group: AVTimedMetadataGroup) throws(AVError) -> Data {
        var values: [(key: Int, value: Data)] = []
        for item in group.items {
            guard let identifier = item.identifier?.rawValue,
                let key = keys.firstIndex(where: { "\($0.namespace)/\($0.name)" == identifier })
            else {
                throw AVError(.unknown, "\(item) is not among the keys of the input's format description")
            }
            guard let value = bytes(of: item, key: keys[key]) else {
                throw AVError(.unknown, "\(item) does not have the type that the input's format description specifies")
            }
            values.append((key, value))
        }
        return values.isEmpty ? Self.emptySample : sample(values)
    }

    /// Returns an item's value in a key's data type; nil if the value has another type, or if the data type cannot
    /// represent it exactly.
    package func bytes(of item: AVMetadataItem, key: Key) -> Data? {
        func integer<Value: FixedWidthInteger>(_ convert: (NSNumber) -> Value?) -> Data? {
            guard let number = item.numberValue, let value = convert(number) else { return nil }
            return withUnsafeBytes(of: value.bigEndian) { Data($0) }
        }
        // The well-known types of QTFF, "Metadata".
        switch key.dataType {
        case 1: return item.stringValue.map { Data($0.utf8) }
        case 2: return item.stringValue?.data(using: .utf16BigEndian)
        case 23: return item.numberValue.map { withUnsafeBytes(of: $0.floatValue.bitPattern.bigEndian) { Data($0) } }
        case 24: return item.numberValue.map { withUnsafeBytes(of: $0.doubleValue.bitPattern.bigEndian) { Data($0) } }
        case 65: return integer { Int8(exactly: $0) }
        case 66: return integer { Int16(exactly: $0) }
        case 67: return integer { Int32(exactly: $0) }
        case 74: return integer { Int64(exactly: $0) }
        case 75: return integer { UInt8(exactly: $0) }
        case 76: return integer { UInt16(exactly: $0) }
        case 77: return integer { UInt32(exactly: $0) }
        case 78: return integer { UInt64(exactly: $0) }
        default: return item.dataValue
        }
    }
}
