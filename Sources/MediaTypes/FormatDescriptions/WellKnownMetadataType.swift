/// The well-known type codes of metadata values (QuickTime File Format Specification, "Well-Known Types").
package enum WellKnownMetadataType {
    private static let types: [(name: String, code: UInt32)] = [
        (kCMMetadataBaseDataType_RawData, 0), (kCMMetadataBaseDataType_UTF8, 1), (kCMMetadataBaseDataType_UTF16, 2),
        (kCMMetadataBaseDataType_JPEG, 13), (kCMMetadataBaseDataType_PNG, 14), (kCMMetadataBaseDataType_BMP, 27),
        (kCMMetadataBaseDataType_Float32, 23), (kCMMetadataBaseDataType_Float64, 24),
        (kCMMetadataBaseDataType_SInt8, 65), (kCMMetadataBaseDataType_SInt16, 66), (kCMMetadataBaseDataType_SInt32, 67),
        (kCMMetadataBaseDataType_SInt64, 74), (kCMMetadataBaseDataType_UInt8, 75), (kCMMetadataBaseDataType_UInt16, 76),
        (kCMMetadataBaseDataType_UInt32, 77), (kCMMetadataBaseDataType_UInt64, 78),
        // ISO 6709 locations are stored as text.
        (kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709, 1),
    ]

    /// Returns the code of a data type; nil for one without a code.
    package static func code(of name: String) -> UInt32? { types.first { $0.name == name }?.code }

    /// Returns the name of a data type; nil if the code is unknown.
    package static func name(of code: UInt32) -> String? { types.first { $0.code == code }?.name }
}
