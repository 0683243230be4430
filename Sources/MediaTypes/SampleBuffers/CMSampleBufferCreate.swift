// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Called to provide the data; the pointer is the `refcon` that was passed with the callback.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus
/// Called to provide the data.
public typealias CMSampleBufferMakeDataReadyHandler = (CMSampleBuffer) -> OSStatus
/// Called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void

/// Creates a buffer with the bytes of samples. The bytes can be set later.
///
/// - Parameters:
///   - dataReady: Whether the data is available. If not, it is set with `CMSampleBufferSetDataBuffer` and
///     `CMSampleBufferSetDataReady`, or provided by the callback.
///   - sampleTimingEntryCount: 0, 1 (the time of the first sample and the duration of each), or the number of samples.
///   - sampleSizeEntryCount: 0, 1, or the number of samples.
/// - Returns: Success, or a `kCMSampleBufferError_…`.
@discardableResult
public func CMSampleBufferCreate(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription?, sampleCount numSamples: CMItemCount,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateWithMakeDataReadyHandler(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: dataReady, formatDescription: formatDescription,
        sampleCount: numSamples, sampleTimingEntryCount: numSampleTimingEntries, sampleTimingArray: sampleTimingArray,
        sampleSizeEntryCount: numSampleSizeEntries, sampleSizeArray: sampleSizeArray, sampleBufferOut: sampleBufferOut,
        makeDataReadyHandler: handler(makeDataReadyCallback, makeDataReadyRefcon))
}

/// Creates a buffer with the bytes of samples. A closure can provide the bytes later; see `CMSampleBufferCreate`.
@discardableResult
public func CMSampleBufferCreateWithMakeDataReadyHandler(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool, formatDescription: CMFormatDescription?,
    sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    makeDataReadyHandler: CMSampleBufferMakeDataReadyHandler?
) -> OSStatus {
    guard let timings = array(sampleTimingArray, numSampleTimingEntries),
        let sizes = array(sampleSizeArray, numSampleSizeEntries)
    else { return kCMSampleBufferError_RequiredParameterMissing }
    let status = CMSampleBuffer.check(
        numSamples, timings: timings, sizes: sizes, byteCount: dataReady ? dataBuffer?.dataLength : nil)
    guard status == noErr else { return status }
    sampleBufferOut.pointee = CMSampleBuffer(
        image: nil, data: dataBuffer, format: formatDescription, count: numSamples, timings: timings, sizes: sizes,
        isReady: dataReady, makeDataReady: makeDataReadyHandler)
    return noErr
}

/// Creates a buffer with available bytes of samples.
@discardableResult
public func CMSampleBufferCreateReady(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
    sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreate(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: formatDescription, sampleCount: numSamples, sampleTimingEntryCount: numSampleTimingEntries,
        sampleTimingArray: sampleTimingArray, sampleSizeEntryCount: numSampleSizeEntries,
        sampleSizeArray: sampleSizeArray, sampleBufferOut: sampleBufferOut)
}

/// Creates a buffer with audio, which can be set later. Timing and sizes are determined by the format.
///
/// - Parameters:
///   - sampleCount: Frames of linear PCM, or packets.
///   - packetDescriptions: One for each packet if packets differ in size; otherwise nil.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: dataReady, formatDescription: formatDescription,
        sampleCount: numSamples, presentationTimeStamp: presentationTimeStamp, packetDescriptions: packetDescriptions,
        sampleBufferOut: sampleBufferOut, makeDataReadyHandler: handler(makeDataReadyCallback, makeDataReadyRefcon))
}

/// Creates a buffer with audio, which a closure can provide later; see
/// `CMAudioSampleBufferCreateWithPacketDescriptions`.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool, formatDescription: CMFormatDescription,
    sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    makeDataReadyHandler: CMSampleBufferMakeDataReadyHandler?
) -> OSStatus {
    guard let stream = formatDescription.audioStreamBasicDescription
    else { return kCMSampleBufferError_InvalidMediaFormat }
    guard numSamples > 0 else { return kCMSampleBufferError_InvalidEntryCount }
    let packets = packetDescriptions.map { Array(UnsafeBufferPointer(start: $0, count: numSamples)) } ?? []
    guard let timings = audioTimings(stream, packets: packets, start: presentationTimeStamp)
    else { return kCMSampleBufferError_InvalidMediaFormat }
    var sizes = packets.map { Int($0.mDataByteSize) }
    if packets.isEmpty && stream.mBytesPerPacket > 0 && !stream.isNonInterleaved {
        sizes = [Int(stream.mBytesPerPacket)]
    }
    let status = CMSampleBuffer.check(
        numSamples, timings: timings, sizes: sizes, byteCount: dataReady ? dataBuffer?.dataLength : nil)
    guard status == noErr else { return status }
    sampleBufferOut.pointee = CMSampleBuffer(
        image: nil, data: dataBuffer, format: formatDescription, count: numSamples, timings: timings, sizes: sizes,
        packets: packets, isReady: dataReady, makeDataReady: makeDataReadyHandler)
    return noErr
}

/// Creates a buffer with available audio.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
    sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: formatDescription, sampleCount: numSamples, presentationTimeStamp: presentationTimeStamp,
        packetDescriptions: packetDescriptions, sampleBufferOut: sampleBufferOut)
}

/// Creates a buffer with one image. Its pixels can be written later.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
        allocator: allocator, imageBuffer: imageBuffer, dataReady: dataReady, formatDescription: formatDescription,
        sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut,
        makeDataReadyHandler: handler(makeDataReadyCallback, makeDataReadyRefcon))
}

/// Creates a buffer with one image; a closure can write its pixels later.
@discardableResult
public func CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    makeDataReadyHandler: CMSampleBufferMakeDataReadyHandler?
) -> OSStatus {
    guard formatDescription.matches(imageBuffer) else { return kCMSampleBufferError_InvalidMediaFormat }
    sampleBufferOut.pointee = CMSampleBuffer(
        image: imageBuffer, data: nil, format: formatDescription, count: 1, timing: sampleTiming.pointee, sizes: [],
        isReady: dataReady, makeDataReady: makeDataReadyHandler)
    return noErr
}

/// Creates a buffer with one image whose pixels are available.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateForImageBuffer(
        allocator: allocator, imageBuffer: imageBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: formatDescription, sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
}

/// Creates a copy that shares the image or the bytes.
@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
    sampleBufferOut.pointee = CMSampleBuffer(copying: sbuf)
    return noErr
}

/// Creates a copy with other timing that shares the image or the bytes.
///
/// - Parameter sampleTimingEntryCount: 0, 1, or the number of samples.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
    allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard originalSBuf.isValid else { return kCMSampleBufferError_Invalidated }
    guard let timings = array(sampleTimingArray, numSampleTimingEntries)
    else { return kCMSampleBufferError_RequiredParameterMissing }
    let status = CMSampleBuffer.check(originalSBuf.numSamples, timings: timings, sizes: [], byteCount: nil)
    guard status == noErr else { return status }
    sampleBufferOut.pointee = CMSampleBuffer(copying: originalSBuf, timings: timings)
    return noErr
}

/// Returns the first `count` entries of an array; nil if the array is missing, or if the count is negative.
private func array<Element>(_ first: UnsafePointer<Element>?, _ count: Int) -> [Element]? {
    if count == 0 { return [] }
    guard count > 0, let first else { return nil }
    return Array(UnsafeBufferPointer(start: first, count: count))
}

/// Returns a handler that calls a callback with its context; nil if there is no callback.
private func handler(
    _ callback: CMSampleBufferMakeDataReadyCallback?, _ context: UnsafeMutableRawPointer?
) -> CMSampleBufferMakeDataReadyHandler? {
    callback.map { callback in { callback($0, context) } }
}

/// Returns the timing of audio: one entry for all packets, or one for each if packets differ in the number of frames;
/// nil if the sample rate is missing, or if the number of frames is unknown.
private func audioTimings(
    _ stream: AudioStreamBasicDescription, packets: [AudioStreamPacketDescription], start: CMTime
) -> [CMSampleTimingInfo]? {
    guard stream.mSampleRate >= 1, stream.mSampleRate <= Double(Int32.max) else { return nil }
    let timescale = Int32(stream.mSampleRate.rounded())
    func timing(_ start: CMTime, frames: UInt32) -> CMSampleTimingInfo {
        CMSampleTimingInfo(
            duration: CMTime(value: Int64(frames), timescale: timescale), presentationTimeStamp: start,
            decodeTimeStamp: .invalid)
    }
    if stream.mFramesPerPacket > 0 { return [timing(start, frames: stream.mFramesPerPacket)] }
    var time = start
    let timings = packets.map { packet in
        let result = timing(time, frames: packet.mVariableFramesInPacket)
        time += result.duration
        return result
    }
    return timings.isEmpty ? nil : timings
}
