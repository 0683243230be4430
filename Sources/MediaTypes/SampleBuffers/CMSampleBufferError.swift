// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// There was no memory.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A parameter that must be there is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer has data already.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data is not ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// There is no sample of that index.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The buffer has no sample sizes.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The buffer has no sample times.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The array has too little room.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// A count of entries is neither 0 nor 1 nor the count of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The samples cannot be told apart.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// A sample's time makes no sense.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The buffer's kind of media does not have this.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data is corrupt or cut short.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format description does not fit the data.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The data could not be made ready.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// Making the data ready was given up.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

/// Audio buffers begin at multiples of 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0
