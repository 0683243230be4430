// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// Error of a metadata identifier: allocation failed.
public let kCMMetadataIdentifierError_AllocationFailed: OSStatus = -16300
/// Error of a metadata identifier: required parameter missing.
public let kCMMetadataIdentifierError_RequiredParameterMissing: OSStatus = -16301
/// Error of a metadata identifier: bad key.
public let kCMMetadataIdentifierError_BadKey: OSStatus = -16302
/// Error of a metadata identifier: bad key length.
public let kCMMetadataIdentifierError_BadKeyLength: OSStatus = -16303
/// Error of a metadata identifier: bad key type.
public let kCMMetadataIdentifierError_BadKeyType: OSStatus = -16304
/// Error of a metadata identifier: bad number key.
public let kCMMetadataIdentifierError_BadNumberKey: OSStatus = -16305
/// Error of a metadata identifier: bad key space.
public let kCMMetadataIdentifierError_BadKeySpace: OSStatus = -16306
/// Error of a metadata identifier: bad identifier.
public let kCMMetadataIdentifierError_BadIdentifier: OSStatus = -16307
/// Error of a metadata identifier: no key value available.
public let kCMMetadataIdentifierError_NoKeyValueAvailable: OSStatus = -16308
/// Error of the registry of data types: allocation failed.
public let kCMMetadataDataTypeRegistryError_AllocationFailed: OSStatus = -16310
/// Error of the registry of data types: required parameter missing.
public let kCMMetadataDataTypeRegistryError_RequiredParameterMissing: OSStatus = -16311
/// Error of the registry of data types: bad data type identifier.
public let kCMMetadataDataTypeRegistryError_BadDataTypeIdentifier: OSStatus = -16312
/// Error of the registry of data types: data type already registered.
public let kCMMetadataDataTypeRegistryError_DataTypeAlreadyRegistered: OSStatus = -16313
/// Error of the registry of data types: requires conforming base type.
public let kCMMetadataDataTypeRegistryError_RequiresConformingBaseType: OSStatus = -16314
/// Error of the registry of data types: multiple conforming base types.
public let kCMMetadataDataTypeRegistryError_MultipleConformingBaseTypes: OSStatus = -16315

/// Key space: QuickTime user data.
public let kCMMetadataKeySpace_QuickTimeUserData: CFString = "udta"
/// Key space: ISO user data.
public let kCMMetadataKeySpace_ISOUserData: CFString = "uiso"
/// Key space: QuickTime metadata.
public let kCMMetadataKeySpace_QuickTimeMetadata: CFString = "mdta"
/// Key space: iTunes.
public let kCMMetadataKeySpace_iTunes: CFString = "itsk"
/// Key space: ID3.
public let kCMMetadataKeySpace_ID3: CFString = "org.id3"
/// Key space: ICY (SHOUTcast).
public let kCMMetadataKeySpace_Icy: CFString = "icy"
/// Key space: HLS date range.
public let kCMMetadataKeySpace_HLSDateRange: CFString = "lsdr"
/// Identifier: location in the format of ISO 6709.
public let kCMMetadataIdentifier_QuickTimeMetadataLocation_ISO6709: CFString =
    "mdta/com.apple.quicktime.location.ISO6709"
/// Identifier: direction facing.
public let kCMMetadataIdentifier_QuickTimeMetadataDirection_Facing: CFString =
    "mdta/com.apple.quicktime.direction.facing"
/// Identifier: preferred affine transform.
public let kCMMetadataIdentifier_QuickTimeMetadataPreferredAffineTransform: CFString =
    "mdta/com.apple.quicktime.preferred-affine-transform"
/// Identifier: video orientation.
public let kCMMetadataIdentifier_QuickTimeMetadataVideoOrientation: CFString =
    "mdta/com.apple.quicktime.video-orientation"
/// Identifier: live photo still image transform.
public let kCMMetadataIdentifier_QuickTimeMetadataLivePhotoStillImageTransform: CFString =
    "mdta/com.apple.quicktime.live-photo-still-image-transform"
/// Identifier: live photo still image transform reference dimensions.
public let kCMMetadataIdentifier_QuickTimeMetadataLivePhotoStillImageTransformReferenceDimensions: CFString =
    "mdta/com.apple.quicktime.live-photo-still-image-transform-reference-dimensions"
/// Identifier: segment identifier.
public let kCMMetadataIdentifier_QuickTimeMetadataSegmentIdentifier: CFString =
    "mdta/com.apple.quicktime.segment-identifier"
/// Identifier: scene illuminance.
public let kCMMetadataIdentifier_QuickTimeMetadataSceneIlluminance: CFString =
    "mdta/com.apple.quicktime.scene-illuminance"
/// Identifier: presentation commands of immersive media.
public let kCMMetadataIdentifier_QuickTimeMetadataPresentationImmersiveMedia: CFString =
    "mdta/com.apple.quicktime.video.presentation.immersive-media"

/// Metadata data type: a point of two 32-bit floating-point numbers.
public let kCMMetadataBaseDataType_PointF32: CFString = "com.apple.metadata.datatype.pointF32"
/// Metadata data type: a size of two 32-bit floating-point numbers.
public let kCMMetadataBaseDataType_DimensionsF32: CFString = "com.apple.metadata.datatype.dimensionsF32"
/// Metadata data type: a rectangle of four 32-bit floating-point numbers.
public let kCMMetadataBaseDataType_RectF32: CFString = "com.apple.metadata.datatype.rectF32"
/// Metadata data type: an affine transform of nine 64-bit floating-point numbers.
public let kCMMetadataBaseDataType_AffineTransformF64: CFString = "com.apple.metadata.datatype.affineTransformF64"
/// Metadata data type: the points of a polygon, as 32-bit floating-point numbers.
public let kCMMetadataBaseDataType_PolygonF32: CFString = "com.apple.metadata.datatype.polygonF32"
/// Metadata data type: the points of a polyline, as 32-bit floating-point numbers.
public let kCMMetadataBaseDataType_PolylineF32: CFString = "com.apple.metadata.datatype.polylineF32"
/// Metadata data type: JSON.
public let kCMMetadataBaseDataType_JSON: CFString = "com.apple.metadata.datatype.JSON"
/// Metadata data type: a perspective transform of nine 64-bit floating-point numbers.
public let kCMMetadataBaseDataType_PerspectiveTransformF64: CFString =
    "com.apple.metadata.datatype.perspectiveTransformF64"
/// Metadata data type: raster rectangle value.
public let kCMMetadataBaseDataType_RasterRectangleValue: CFString = "com.apple.metadata.datatype.raster-rectangle-value"
/// Metadata data type: extended raster rectangle value.
public let kCMMetadataBaseDataType_ExtendedRasterRectangleValue: CFString =
    "com.apple.metadata.datatype.extended-raster-rectangle-value"
/// Metadata data type: a location in the format of ISO 6709.
public let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709: CFString =
    "com.apple.quicktime.metadata.datatype.location.ISO6709"
/// Metadata data type: a direction in degrees from magnetic north.
public let kCMMetadataDataType_QuickTimeMetadataDirection: CFString = "com.apple.quicktime.metadata.datatype.direction"
/// Metadata data type: UUID.
public let kCMMetadataDataType_QuickTimeMetadataUUID: CFString = "com.apple.quicktime.metadata.datatype.uuid"
/// Metadata data type: an illuminance in 1/1000 lx.
public let kCMMetadataDataType_QuickTimeMetadataMilliLux: CFString = "com.apple.quicktime.metadata.datatype.milli-lux"

/// Key specification key: namespace.
public let kCMMetadataFormatDescriptionKey_Namespace: CFString = "MetadataKeyNamespace"
/// Key specification key: value.
public let kCMMetadataFormatDescriptionKey_Value: CFString = "MetadataKeyValue"
/// Key specification key: local ID.
public let kCMMetadataFormatDescriptionKey_LocalID: CFString = "MetadataKeyLocalID"
/// Key specification key: data type.
public let kCMMetadataFormatDescriptionKey_DataType: CFString = "MetadataDataType"
/// Key specification key: data type namespace.
public let kCMMetadataFormatDescriptionKey_DataTypeNamespace: CFString = "MetadataDataTypeNamespace"
/// Key specification key: conforming data types.
public let kCMMetadataFormatDescriptionKey_ConformingDataTypes: CFString = "MetadataConformingDataTypes"
/// Key specification key: language tag.
public let kCMMetadataFormatDescriptionKey_LanguageTag: CFString = "MetadataLanguageTag"
/// Key specification key: structural dependency.
public let kCMMetadataFormatDescriptionKey_StructuralDependency: CFString = "MetadataStructuralDependency"
/// Key specification key: setup data.
public let kCMMetadataFormatDescriptionKey_SetupData: CFString = "MetadataSetupData"
/// Structural dependency key: whether there is none.
public let kCMMetadataFormatDescription_StructuralDependencyKey_DependencyIsInvalidFlag: CFString =
    "DependencyIsInvalidFlag"
/// Specification key: structural dependency.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_StructuralDependency: CFString =
    "MetadataStructuralDependency"
/// Specification key: setup data.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_SetupData: CFString = "MetadataSetupData"
