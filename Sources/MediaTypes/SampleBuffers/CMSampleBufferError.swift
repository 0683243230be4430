// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The allocation failed.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A required parameter is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer already has data.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data is not ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// There is no sample with this index.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The buffer has no sample sizes.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The buffer has no sample timing.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The array is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of entries is not 0, 1 or the number of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The buffer cannot be divided into samples.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// A sample's timing is invalid.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The operation does not apply to the buffer's media type.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data is corrupt or truncated.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format description does not match the data.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The data could not be provided.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// Providing the data was canceled.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

/// Flag: align audio buffers to 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0
