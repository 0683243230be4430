import MediaTypes

extension TimedMetadataFormat {
    /// The well-known type codes of data types (QTFF, "Well-Known Types").
    private static let dataTypes: [(name: String, code: UInt32)] = [
        (kCMMetadataBaseDataType_RawData, 0), (kCMMetadataBaseDataType_UTF8, 1), (kCMMetadataBaseDataType_UTF16, 2),
        (kCMMetadataBaseDataType_JPEG, 13), (kCMMetadataBaseDataType_PNG, 14), (kCMMetadataBaseDataType_BMP, 27),
        (kCMMetadataBaseDataType_Float32, 23), (kCMMetadataBaseDataType_Float64, 24),
        (kCMMetadataBaseDataType_SInt8, 65), (kCMMetadataBaseDataType_SInt16, 66), (kCMMetadataBaseDataType_SInt32, 67),
        (kCMMetadataBaseDataType_SInt64, 74), (kCMMetadataBaseDataType_UInt8, 75), (kCMMetadataBaseDataType_UInt16, 76),
        (kCMMetadataBaseDataType_UInt32, 77), (kCMMetadataBaseDataType_UInt64, 78),
        // ISO 6709 locations are stored as text.
        ("com.apple.quicktime.metadata.datatype.location.ISO6709", 1),
    ]

    /// Returns the code of a data type; nil for one that boxed metadata does not have.
    package static func dataType(_ name: String) -> UInt32? { dataTypes.first { $0.name == name }?.code }

    /// Returns the name of a data type; nil if it is unknown.
    package static func name(ofDataType code: UInt32) -> String? { dataTypes.first { $0.code == code }?.name }

    /// The keys as entries of a format description's table; nil if a data type is unknown.
    var keyTable: [[String: Any]]? {
        let table = keys.compactMap { key -> [String: Any]? in
            guard let type = Self.name(ofDataType: key.dataType) else { return nil }
            return [
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: "\(key.namespace)/\(key.name)",
                kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: type,
            ]
        }
        return table.count == keys.count ? table : nil
    }
}
