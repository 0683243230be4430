import MediaCodecs
import MediaTypes

extension TimedMetadataFormat {
    /// The keys as entries of a format description's table; nil if a data type is unknown.
    var keyTable: [[String: Any]]? {
        let table = keys.compactMap { key -> [String: Any]? in
            guard let type = WellKnownMetadataType.name(of: key.dataType) else { return nil }
            return [
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: "\(key.namespace)/\(key.name)",
                kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: type,
                kCMMetadataFormatDescriptionKey_LocalID: key.localID,
            ]
        }
        return table.count == keys.count ? table : nil
    }
}
