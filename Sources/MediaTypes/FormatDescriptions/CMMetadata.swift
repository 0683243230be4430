// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// Metadata data type: bytes without a defined format.
public let kCMMetadataBaseDataType_RawData = "com.apple.metadata.datatype.raw-data"
public let kCMMetadataBaseDataType_UTF8 = "com.apple.metadata.datatype.UTF-8"
public let kCMMetadataBaseDataType_UTF16 = "com.apple.metadata.datatype.UTF-16"
public let kCMMetadataBaseDataType_GIF = "com.apple.metadata.datatype.GIF"
public let kCMMetadataBaseDataType_JPEG = "com.apple.metadata.datatype.JPEG"
public let kCMMetadataBaseDataType_PNG = "com.apple.metadata.datatype.PNG"
public let kCMMetadataBaseDataType_BMP = "com.apple.metadata.datatype.BMP"
public let kCMMetadataBaseDataType_Float32 = "com.apple.metadata.datatype.float32"
public let kCMMetadataBaseDataType_Float64 = "com.apple.metadata.datatype.float64"
public let kCMMetadataBaseDataType_SInt8 = "com.apple.metadata.datatype.int8"
public let kCMMetadataBaseDataType_SInt16 = "com.apple.metadata.datatype.int16"
public let kCMMetadataBaseDataType_SInt32 = "com.apple.metadata.datatype.int32"
public let kCMMetadataBaseDataType_SInt64 = "com.apple.metadata.datatype.int64"
public let kCMMetadataBaseDataType_UInt8 = "com.apple.metadata.datatype.uint8"
public let kCMMetadataBaseDataType_UInt16 = "com.apple.metadata.datatype.uint16"
public let kCMMetadataBaseDataType_UInt32 = "com.apple.metadata.datatype.uint32"
public let kCMMetadataBaseDataType_UInt64 = "com.apple.metadata.datatype.uint64"
