// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// The class's number.
public func CMSampleBufferGetTypeID() -> CFTypeID { 5 }

/// The picture; nil where the buffer has none.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// The bytes; nil where the buffer has none, or was invalidated.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// What the samples are.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.formatDescription
}

/// How many samples there are; in linear PCM, frames.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// How long all samples together last.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// The earliest time at which a sample is shown.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.presentationTimeStamp }

/// When the first sample is decoded; invalid where samples are decoded in the order in which they are shown.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }

/// How long the output lasts: without what is trimmed, at the buffer's speed.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputDuration }

/// When the buffer is put out.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputPresentationTimeStamp
}

/// When the buffer is decoded, on the time line of its output.
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputDecodeTimeStamp }

/// Sets when the buffer is put out; invalid takes the setting back.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
    _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
    guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
    sbuf.state.withLock { $0.outputPresentationTimeStamp = outputPresentationTimeStamp }
    return noErr
}

/// Copies the times as they were given, and tells how many there are.
///
/// - Parameter entryCount: Room in the array; with 0 and no array only the count is told.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount numSampleTimingEntries: CMItemCount,
    arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard !sbuf.timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
    return fill(timingArrayOut, room: numSampleTimingEntries, needed: timingArrayEntriesNeededOut, with: sbuf.timings)
}

/// The times of one sample.
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

/// Copies the sizes as they were given, and tells how many there are.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
    _ sbuf: CMSampleBuffer, entryCount sizeArrayEntries: CMItemCount,
    arrayToFill sizeArrayOut: UnsafeMutablePointer<Int>?,
    entriesNeededOut sizeArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard !sbuf.sizes.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleSizes }
    return fill(sizeArrayOut, room: sizeArrayEntries, needed: sizeArrayEntriesNeededOut, with: sbuf.sizes)
}

/// The size of one sample in bytes; 0 where sizes are not known.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
    sbuf.sampleSize(at: sampleIndex)
}

/// The size of all samples in bytes; 0 where sizes are not known.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int { sbuf.totalSampleSize }

/// The attachments of every sample, one dictionary each.
///
/// - Parameter createIfNecessary: False gives nil where no sample has any.
/// - Note: Unlike Apple, the dictionaries are copies; `sampleBuffer.sampleAttachments[0][key] = value` changes them.
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool) -> CFArray? {
    let entries = sbuf.state.withLock { $0.sampleAttachments }
    if entries.isEmpty && !createIfNecessary { return nil }
    return entries.isEmpty ? [[String: Any]](repeating: [:], count: sbuf.numSamples) : entries
}

/// Gives a buffer its bytes, once.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
    sbuf.state.withLock { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        guard state.dataBuffer == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
        state.dataBuffer = dataBuffer
        return noErr
    }
}

/// Gives a buffer a copy of the sound in a list, once; the buffer is then ready.
///
/// - Returns: `kCMSampleBufferError_InvalidMediaFormat` where the list has other buffers than the format.
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

/// The sound as a list of buffers, and the bytes that it points into.
///
/// - Parameters:
///   - bufferListSize: Room at `bufferListOut` in bytes; less than is needed is `kCMSampleBufferError_ArrayTooSmall`.
///   - blockBufferOut: Keeps the bytes alive.
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

/// Copies frames of linear PCM into the memory that a list points to.
///
/// - Parameters:
///   - frameOffset: The first frame.
///   - numFrames: How many; each buffer of the list must have room for them.
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

/// Copies the packet descriptions, and tells how many bytes they take.
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
    return fill(packetDescriptionsOut, room: packetDescriptionsSize / stride, needed: nil, with: sbuf.packets)
}

/// Whether the data is there; false where it failed.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.dataReadiness == .ready }

/// Tells that the data is there.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    sbuf.state.withLock { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        state.isWaitingForData = false
        return noErr
    }
}

/// Tells that the data could not be had, and why.
@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status: OSStatus) -> OSStatus {
    sbuf.state.withLock { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        state.failure = status == noErr ? kCMSampleBufferError_DataFailed : status
        return noErr
    }
}

/// Whether the data could not be had, and through `statusOut` why.
public func CMSampleBufferHasDataFailed(_ sbuf: CMSampleBuffer, statusOut: UnsafeMutablePointer<OSStatus>?) -> Bool {
    let failure = sbuf.state.withLock { $0.failure }
    statusOut?.pointee = failure
    return failure != noErr
}

/// Makes the data ready, by the callback that the buffer was made with.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus { sbuf.makeReady() }

/// Makes the buffer unusable, and calls its invalidation handler once.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus { sbuf.giveUp() }

/// Sets what is called when the buffer is invalidated.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
    _ sbuf: CMSampleBuffer, invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
    sbuf.state.withLock { state in
        guard state.isValid else { return kCMSampleBufferError_Invalidated }
        guard state.invalidate == nil else { return kCMSampleBufferError_RequiredParameterMissing }
        state.invalidate = invalidateHandler
        return noErr
    }
}

/// Whether the buffer can be used.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Copies values into an array with room for them; with no array only their count is told.
private func fill<Element>(
    _ array: UnsafeMutablePointer<Element>?, room: Int, needed: UnsafeMutablePointer<Int>?, with values: [Element]
) -> OSStatus {
    needed?.pointee = values.count
    guard let array else { return room == 0 ? noErr : kCMSampleBufferError_RequiredParameterMissing }
    guard room >= values.count else { return kCMSampleBufferError_ArrayTooSmall }
    for (index, value) in values.enumerated() { array[index] = value }
    return noErr
}
