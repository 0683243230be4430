// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// The Core Foundation type identifier.
public func CMSampleBufferGetTypeID() -> CFTypeID { 5 }

/// The image; nil for other media.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// The bytes; nil if the buffer has none or was invalidated.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// The format of the samples.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.formatDescription
}

/// The number of samples; for linear PCM, of frames.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// The duration of all samples.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// The earliest presentation time of a sample.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.presentationTimeStamp }

/// The decode time of the first sample; invalid if samples are decoded in presentation order.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }

/// The duration of output: the duration without the trimmed parts, divided by the speed multiplier.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputDuration }

/// The time of output.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputPresentationTimeStamp
}

/// The decode time on the output timeline.
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputDecodeTimeStamp }

/// Sets the time of output; an invalid time restores the default.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
    _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
    guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
    sbuf.withState { $0.outputPresentationTimeStamp = outputPresentationTimeStamp }
    return noErr
}

/// Copies the timing entries and returns their number.
///
/// - Parameter entryCount: The capacity of the array; with 0 and no array, only the number is returned.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount numSampleTimingEntries: CMItemCount,
    arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard sbuf.firstTiming != nil else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
    return fill(
        timingArrayOut, capacity: numSampleTimingEntries, needed: timingArrayEntriesNeededOut, with: sbuf.timings)
}

/// Copies the timing entries on the output timeline and returns their number.
///
/// The entries are relative to the buffer's time of output, and the speed multiplier is applied.
///
/// - Parameter entryCount: The capacity of the array; with 0 and no array, only the number is returned.
@discardableResult
public func CMSampleBufferGetOutputSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount timingArrayEntries: CMItemCount,
    arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard sbuf.firstTiming != nil else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
    return fill(
        timingArrayOut, capacity: timingArrayEntries, needed: timingArrayEntriesNeededOut, with: sbuf.outputTimings)
}

/// Returns the timing of one sample.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex,
    timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    guard (0..<sbuf.numSamples).contains(sampleIndex) else { return kCMSampleBufferError_SampleIndexOutOfRange }
    guard let timing = sbuf.timing(at: sampleIndex) else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
    timingInfoOut.pointee = timing
    return noErr
}

/// Copies the size entries and returns their number.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
    _ sbuf: CMSampleBuffer, entryCount sizeArrayEntries: CMItemCount,
    arrayToFill sizeArrayOut: UnsafeMutablePointer<Int>?,
    entriesNeededOut sizeArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard !sbuf.sizes.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleSizes }
    return fill(sizeArrayOut, capacity: sizeArrayEntries, needed: sizeArrayEntriesNeededOut, with: sbuf.sizes)
}

/// Returns the size of one sample in bytes; 0 if it is unknown.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
    sbuf.sampleSize(at: sampleIndex)
}

/// The size of all samples in bytes; 0 if it is unknown.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int { sbuf.totalSampleSize }

/// Returns the attachments of all samples, one dictionary for each.
///
/// - Parameter createIfNecessary: If false, the result is nil if attachments were never set.
/// - Note: Unlike Apple, the dictionaries are copies; `sampleBuffer.sampleAttachments[0][key] = value` changes them.
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool) -> CFArray? {
    let entries = sbuf.withState { $0.sampleAttachments }
    if entries.isEmpty && !createIfNecessary { return nil }
    return entries.isEmpty ? [[String: Any]](repeating: [:], count: sbuf.numSamples) : entries
}

/// Sets the bytes of a buffer.
///
/// - Returns: `kCMSampleBufferError_AlreadyHasDataBuffer` if the buffer already has bytes.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
    sbuf.withState { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        guard state.dataBuffer == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
        state.dataBuffer = dataBuffer
        return noErr
    }
}

/// Copies the audio of a list to a buffer and marks its data as ready.
///
/// - Returns: `kCMSampleBufferError_InvalidMediaFormat` if the list does not match the format,
///   `kCMSampleBufferError_AlreadyHasDataBuffer` if the buffer already has bytes.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
    _ sbuf: CMSampleBuffer, blockBufferAllocator bbufStructAllocator: CFAllocator?,
    blockBufferMemoryAllocator bbufMemoryAllocator: CFAllocator?, flags: UInt32,
    bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
    guard let stream = sbuf.formatDescription?.audioStreamBasicDescription
    else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    guard list.count == (stream.isNonInterleaved ? Int(stream.mChannelsPerFrame) : 1)
    else { return kCMSampleBufferError_InvalidMediaFormat }
    let data = CMBlockBuffer(length: list.reduce(0) { $0 + Int($1.mDataByteSize) })
    var offset = 0
    for buffer in list {
        guard let bytes = buffer.mData else { return kCMSampleBufferError_RequiredParameterMissing }
        let status = data.replace(
            offset: offset, with: UnsafeRawBufferPointer(start: bytes, count: Int(buffer.mDataByteSize)))
        guard status == noErr else { return status }
        offset += Int(buffer.mDataByteSize)
    }
    let status = CMSampleBufferSetDataBuffer(sbuf, newValue: data)
    return status == noErr ? CMSampleBufferSetDataReady(sbuf) : status
}

/// Returns the audio as an audio buffer list, with the block buffer that contains the bytes.
///
/// - Parameters:
///   - bufferListSize: The capacity of `bufferListOut` in bytes; if it is too small, the result is
///     `kCMSampleBufferError_ArrayTooSmall`.
///   - blockBufferOut: Receives the block buffer, which the caller must retain while it uses the list.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
    bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
    blockBufferAllocator blockBufferStructureAllocator: CFAllocator?,
    blockBufferMemoryAllocator blockBufferBlockAllocator: CFAllocator?, flags: UInt32,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    let isAligned = flags & kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment != 0
    let (status, buffers, block) = sbuf.audioBuffers(aligned: isAligned)
    guard status == noErr else { return status }
    let needed = AudioBufferList.sizeInBytes(maximumBuffers: buffers.count)
    bufferListSizeNeededOut?.pointee = needed
    if let bufferListOut {
        guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
        let list = UnsafeMutableAudioBufferListPointer(bufferListOut)
        list.count = buffers.count
        for (index, buffer) in buffers.enumerated() { list[index] = buffer }
    }
    blockBufferOut?.pointee = block
    return noErr
}

/// Copies frames of linear PCM to the memory of an audio buffer list.
///
/// - Parameters:
///   - frameOffset: The index of the first frame.
///   - numFrames: The number of frames; each buffer of the list must be large enough.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
    _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
    into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    guard let stream = sbuf.formatDescription?.audioStreamBasicDescription, stream.isLinearPCM
    else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    let (status, buffers, block) = sbuf.audioBuffers(aligned: false)
    guard status == noErr else { return status }
    guard frameOffset >= 0, numFrames >= 0, Int(frameOffset) + Int(numFrames) <= sbuf.numSamples
    else { return kCMSampleBufferError_SampleIndexOutOfRange }
    let list = UnsafeMutableAudioBufferListPointer(bufferList)
    guard list.count == buffers.count else { return kCMSampleBufferError_InvalidMediaFormat }
    let count = Int(numFrames) * Int(stream.mBytesPerFrame)
    for (index, source) in buffers.enumerated() {
        guard let target = list[index].mData, let bytes = source.mData, Int(list[index].mDataByteSize) >= count
        else { return kCMSampleBufferError_ArrayTooSmall }
        memcpy(target, bytes + Int(frameOffset) * Int(stream.mBytesPerFrame), count)
        list[index].mDataByteSize = UInt32(count)
    }
    return withExtendedLifetime(block) { noErr }
}

/// Copies the packet descriptions and returns their size in bytes.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptions(
    _ sbuf: CMSampleBuffer, packetDescriptionsSize: Int,
    packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    guard sbuf.formatDescription?.rawMediaType == kCMMediaType_Audio
    else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    let stride = MemoryLayout<AudioStreamPacketDescription>.stride
    packetDescriptionsSizeNeededOut?.pointee = sbuf.packets.count * stride
    return fill(packetDescriptionsOut, capacity: packetDescriptionsSize / stride, needed: nil, with: sbuf.packets)
}

/// Returns the packet descriptions, which are valid during the sample buffer's lifetime; none for packets of equal
/// size.
///
/// - Parameter packetDescriptionsSizeOut: Receives the size of the descriptions in bytes.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
    _ sbuf: CMSampleBuffer,
    packetDescriptionsPointerOut: UnsafeMutablePointer<UnsafePointer<AudioStreamPacketDescription>?>?,
    packetDescriptionsSizeOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    guard sbuf.formatDescription?.rawMediaType == kCMMediaType_Audio
    else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    packetDescriptionsPointerOut?.pointee = sbuf.packetTable?.address
    packetDescriptionsSizeOut?.pointee = sbuf.packets.count * MemoryLayout<AudioStreamPacketDescription>.stride
    return noErr
}

/// Tracks the data readiness of another buffer; see `CMSampleBuffer.trackDataReadiness(_:)`.
@discardableResult
public func CMSampleBufferTrackDataReadiness(_ sbuf: CMSampleBuffer, sampleBufferToTrack: CMSampleBuffer) -> OSStatus {
    sbuf.track(sampleBufferToTrack)
}

/// Whether the data is available; false if it could not be provided.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.dataReadiness == .ready }

/// Marks the data as ready.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    sbuf.withState { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        state.isWaitingForData = false
        return noErr
    }
}

/// Marks the data as failed, with an error code.
@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status: OSStatus) -> OSStatus {
    sbuf.withState { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        state.failure = status == noErr ? kCMSampleBufferError_DataFailed : status
        return noErr
    }
}

/// Whether the data could not be provided; `statusOut` receives the error code.
public func CMSampleBufferHasDataFailed(_ sbuf: CMSampleBuffer, statusOut: UnsafeMutablePointer<OSStatus>?) -> Bool {
    guard case .failed(let status) = sbuf.dataReadiness else {
        statusOut?.pointee = noErr
        return false
    }
    statusOut?.pointee = status
    return true
}

/// Calls the callback that the buffer was created with to provide its data.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus { sbuf.performMakeDataReady() }

/// Invalidates the buffer, so that its data is no longer available, and calls its invalidation handler once.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus { sbuf.performInvalidation() }

/// Sets the handler that is called when the buffer is invalidated.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` if a function or handler is already set.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
    _ sbuf: CMSampleBuffer, invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
    sbuf.withState { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        guard state.invalidate == nil else { return kCMSampleBufferError_RequiredParameterMissing }
        state.invalidate = invalidateHandler
        return noErr
    }
}

/// Whether the buffer can be used.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Copies values to an array of sufficient capacity; without an array, only their number is returned.
private func fill<Element>(
    _ array: UnsafeMutablePointer<Element>?, capacity: Int, needed: UnsafeMutablePointer<Int>?, with values: [Element]
) -> OSStatus {
    needed?.pointee = values.count
    guard let array else { return capacity == 0 ? noErr : kCMSampleBufferError_RequiredParameterMissing }
    guard capacity >= values.count else { return kCMSampleBufferError_ArrayTooSmall }
    for (index, value) in values.enumerated() { array[index] = value }
    return noErr
}
