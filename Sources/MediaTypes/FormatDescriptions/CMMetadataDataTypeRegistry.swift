// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The registered data types of metadata values: the base types, and types that conform to them.
private enum DataTypeRegistry {
    struct Entry {
        var description: String
        var conformingTypes: [String]
    }

    /// The base types with their descriptions.
    static let baseTypes: [(name: String, description: String)] = [
        (kCMMetadataBaseDataType_RawData, "bytes"),
        (kCMMetadataBaseDataType_UTF8, "text in UTF-8"),
        (kCMMetadataBaseDataType_UTF16, "text in UTF-16"),
        (kCMMetadataBaseDataType_GIF, "a GIF image"),
        (kCMMetadataBaseDataType_JPEG, "a JPEG image"),
        (kCMMetadataBaseDataType_PNG, "a PNG image"),
        (kCMMetadataBaseDataType_BMP, "a BMP image"),
        (kCMMetadataBaseDataType_Float32, "a 32-bit floating-point number"),
        (kCMMetadataBaseDataType_Float64, "a 64-bit floating-point number"),
        (kCMMetadataBaseDataType_SInt8, "an 8-bit signed integer"),
        (kCMMetadataBaseDataType_SInt16, "a 16-bit signed integer"),
        (kCMMetadataBaseDataType_SInt32, "a 32-bit signed integer"),
        (kCMMetadataBaseDataType_SInt64, "a 64-bit signed integer"),
        (kCMMetadataBaseDataType_UInt8, "an 8-bit unsigned integer"),
        (kCMMetadataBaseDataType_UInt16, "a 16-bit unsigned integer"),
        (kCMMetadataBaseDataType_UInt32, "a 32-bit unsigned integer"),
        (kCMMetadataBaseDataType_UInt64, "a 64-bit unsigned integer"),
        (kCMMetadataBaseDataType_PointF32, "a point of two 32-bit floating-point numbers"),
        (kCMMetadataBaseDataType_DimensionsF32, "a size of two 32-bit floating-point numbers"),
        (kCMMetadataBaseDataType_RectF32, "a rectangle of four 32-bit floating-point numbers"),
        (kCMMetadataBaseDataType_AffineTransformF64, "an affine transform of nine 64-bit floating-point numbers"),
        (kCMMetadataBaseDataType_PolygonF32, "the points of a polygon"),
        (kCMMetadataBaseDataType_PolylineF32, "the points of a polyline"),
        (kCMMetadataBaseDataType_JSON, "JSON in UTF-8"),
        (
            kCMMetadataBaseDataType_PerspectiveTransformF64,
            "a perspective transform of nine 64-bit floating-point numbers"
        ),
        (kCMMetadataBaseDataType_RasterRectangleValue, "a rectangle in a raster"),
        (kCMMetadataBaseDataType_ExtendedRasterRectangleValue, "a rectangle in a raster, with the points of its edges"),
    ]

    private static let entries = Lock<[String: Entry]>(
        {
            var entries: [String: Entry] = [:]
            for type in baseTypes { entries[type.name] = Entry(description: type.description, conformingTypes: []) }
            let text = [kCMMetadataBaseDataType_UTF8]
            entries[kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709] = Entry(
                description: "a location in the format of ISO 6709", conformingTypes: text)
            entries[kCMMetadataDataType_QuickTimeMetadataDirection] = Entry(
                description: "degrees from magnetic north", conformingTypes: text)
            entries[kCMMetadataDataType_QuickTimeMetadataUUID] = Entry(
                description: "a universally unique identifier", conformingTypes: text)
            entries[kCMMetadataDataType_QuickTimeMetadataMilliLux] = Entry(
                description: "an illuminance in 1/1000 lx", conformingTypes: [kCMMetadataBaseDataType_UInt32])
            return entries
        }())

    static func isBase(_ type: String) -> Bool { baseTypes.contains { $0.name == type } }

    static func entry(_ type: String) -> Entry? { entries.withLock { $0[type] } }

    /// Registers a type.
    ///
    /// - Returns: False if a type with this name is registered with other conforming types.
    static func register(_ type: String, _ entry: Entry) -> Bool {
        entries.withLock { entries in
            if let known = entries[type] { return Set(known.conformingTypes) == Set(entry.conformingTypes) }
            entries[type] = entry
            return true
        }
    }

    /// Returns a type and all types to which it conforms, directly or not, nearest first. In a cycle, each type is
    /// returned once.
    static func ancestry(of type: String) -> [String] {
        var result: [String] = []
        var pending = [type]
        while !pending.isEmpty {
            let next = pending.removeFirst()
            guard !result.contains(next) else { continue }
            result.append(next)
            pending += entry(next)?.conformingTypes ?? []
        }
        return result
    }
}

/// Registers a data type of metadata values for the process.
///
/// - Parameter conformingDataTypes: The names of the types to which it conforms; exactly one must be a base type.
/// - Returns: Success, also if the type is already registered with the same conforming types; otherwise a
///   `kCMMetadataDataTypeRegistryError_…`.
@discardableResult
public func CMMetadataDataTypeRegistryRegisterDataType(
    _ dataType: CFString, description: CFString, conformingDataTypes: CFArray
) -> OSStatus {
    guard !dataType.isEmpty else { return kCMMetadataDataTypeRegistryError_BadDataTypeIdentifier }
    let types = conformingDataTypes.compactMap { $0 as? String }
    guard types.count == conformingDataTypes.count else {
        return kCMMetadataDataTypeRegistryError_BadDataTypeIdentifier
    }
    guard !DataTypeRegistry.isBase(dataType) else {
        return kCMMetadataDataTypeRegistryError_DataTypeAlreadyRegistered
    }
    switch types.count(where: DataTypeRegistry.isBase) {
    case 0: return kCMMetadataDataTypeRegistryError_RequiresConformingBaseType
    case 1: break
    default: return kCMMetadataDataTypeRegistryError_MultipleConformingBaseTypes
    }
    let entry = DataTypeRegistry.Entry(description: description, conformingTypes: types)
    return DataTypeRegistry.register(dataType, entry)
        ? noErr : kCMMetadataDataTypeRegistryError_DataTypeAlreadyRegistered
}

/// Whether a data type is registered, or is a base type.
public func CMMetadataDataTypeRegistryDataTypeIsRegistered(_ dataType: CFString) -> Bool {
    DataTypeRegistry.entry(dataType) != nil
}

/// Returns the description of a data type; empty if it is not registered.
///
/// - Note: Unlike Apple, predefined types have other descriptions.
public func CMMetadataDataTypeRegistryGetDataTypeDescription(_ dataType: CFString) -> CFString {
    DataTypeRegistry.entry(dataType)?.description ?? ""
}

/// Returns the data types to which a data type directly conforms; empty for a base type or an unregistered type.
public func CMMetadataDataTypeRegistryGetConformingDataTypes(_ dataType: CFString) -> CFArray {
    DataTypeRegistry.entry(dataType)?.conformingTypes ?? []
}

/// Whether a data type is equal to another one, or conforms to it directly or through other types.
public func CMMetadataDataTypeRegistryDataTypeConformsToDataType(
    _ dataType: CFString, conformsTo conformsToDataType: CFString
) -> Bool {
    DataTypeRegistry.ancestry(of: dataType).contains(conformsToDataType)
}

/// Returns the base types.
public func CMMetadataDataTypeRegistryGetBaseDataTypes() -> CFArray? { DataTypeRegistry.baseTypes.map(\.name) }

/// Whether a data type is a base type.
public func CMMetadataDataTypeRegistryDataTypeIsBaseDataType(_ dataType: CFString) -> Bool {
    DataTypeRegistry.isBase(dataType)
}

/// Returns the base type to which a data type conforms; empty if it is not registered.
public func CMMetadataDataTypeRegistryGetBaseDataTypeForConformingDataType(_ dataType: CFString) -> CFString {
    DataTypeRegistry.ancestry(of: dataType).first(where: DataTypeRegistry.isBase) ?? ""
}
