// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Called to provide the data; the pointer is the context that was passed with it.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus
/// Called to provide the data.
public typealias CMSampleBufferMakeDataReadyHandler = (CMSampleBuffer) -> OSStatus
/// Called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void

/// Creates a buffer with the bytes of samples, which can be set later.
///
/// - Parameters:
///   - dataReady: Whether the data is available; else it is set with `CMSampleBufferSetDataBuffer` and
///     `CMSampleBufferSetDataReady`, or provided by the callback.
///   - sampleTimingEntryCount: 0, 1 (the first sample's time, one sample's duration), or the count of samples.
///   - sampleSizeEntryCount: 0, 1, or the count of samples.
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

/// Creates a buffer with the bytes of samples, which a closure can provide later; otherwise as `CMSampleBufferCreate`.
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

/// Creates a buffer with the bytes of samples, which are available.
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

/// Creates a buffer with audio, which can be set later; timing and sizes follow from the format.
///
/// - Parameters:
///   - sampleCount: Frames of linear PCM, or packets.
///   - packetDescriptions: One for each packet if packets differ in size; else nil.
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

/// Creates a buffer with audio, which a closure can provide later; otherwise as
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

/// Creates a buffer with audio that is available.
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
    guard formatDescription.fits(imageBuffer) else { return kCMSampleBufferError_InvalidMediaFormat }
    sampleBufferOut.pointee = CMSampleBuffer(
        image: imageBuffer, data: nil, format: formatDescription, count: 1, timing: sampleTiming.pointee, sizes: [],
        isReady: dataReady, makeDataReady: makeDataReadyHandler)
    return noErr
}

/// Creates a buffer with one image with available pixels.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateForImageBuffer(
        allocator: allocator, imageBuffer: imageBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: formatDescription, sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
}

/// Creates a copy that shares the payload.
@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
    sampleBufferOut.pointee = CMSampleBuffer(copying: sbuf)
    return noErr
}

/// Creates a copy with other timing that shares the payload.
///
/// - Parameter sampleTimingEntryCount: 0, 1, or the count of samples.
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

/// The first `count` entries of an array; nil if the array is missing, or the count is negative.
private func array<Element>(_ first: UnsafePointer<Element>?, _ count: Int) -> [Element]? {
    if count == 0 { return [] }
    guard count > 0, let first else { return nil }
    return Array(UnsafeBufferPointer(start: first, count: count))
}

private func handler(
    _ callback: CMSampleBufferMakeDataReadyCallback?, _ context: UnsafeMutableRawPointer?
) -> CMSampleBufferMakeDataReadyHandler? {
    callback.map { callback in { callback($0, context) } }
}

/// The timing of audio: one entry for all packets, or one for each if they differ in frames; nil without a sample rate.
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
