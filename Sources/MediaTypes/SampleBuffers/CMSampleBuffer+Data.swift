extension CMSampleBuffer {
    /// The availability of a buffer's data.
    public enum DataReadiness: Hashable, Sendable {
        /// The data is available.
        case ready
        /// The data is not available yet.
        case notReady
        /// The data could not be provided, with the error code.
        case failed(OSStatus)
    }

    /// The availability of the data; after `trackDataReadiness(_:)`, that of the tracked buffer.
    public var dataReadiness: DataReadiness {
        let (failure, isWaiting, tracked) = withState { ($0.failure, $0.isWaitingForData, $0.tracked) }
        if let tracked { return tracked.dataReadiness }
        return failure != 0 ? .failed(failure) : isWaiting ? .notReady : .ready
    }

    /// Whether the data, or that of the tracked buffer, is not available yet.
    var isPending: Bool {
        let (isWaiting, tracked) = withState { ($0.isWaitingForData, $0.tracked) }
        return tracked?.isPending ?? isWaiting
    }

    /// Tracks the readiness of another buffer: `dataReadiness` and `makeDataReady()` apply to that buffer.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, or `kCMSampleBufferError_RequiredParameterMissing` if the other
    ///   buffer tracks this one.
    public func trackDataReadiness(_ sampleBuffer: CMSampleBuffer) throws {
        let status = track(sampleBuffer)
        guard status == noErr else { throw mediaError(status, "the sample buffer cannot track the other one") }
    }

    /// Implements `trackDataReadiness(_:)`; returns a status code instead of throwing.
    func track(_ other: CMSampleBuffer) -> OSStatus {
        var next: CMSampleBuffer? = other
        while let buffer = next {
            guard buffer !== self else { return kCMSampleBufferError_RequiredParameterMissing }
            next = buffer.withState { $0.tracked }
        }
        let old = withState { state -> State? in
            guard state.isValid else { return nil }
            let old = state
            state.tracked = other
            return old
        }
        // The buffer that was tracked before is released here, outside the lock.
        return withExtendedLifetime(old) { old == nil ? kCMSampleBufferError_Invalidated : noErr }
    }

    /// Calls the handler that the buffer was created with to provide its data.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferNotReady` if there is no handler,
    ///   `kCMSampleBufferError_DataFailed`, or the code that the handler returned.
    public func makeDataReady() throws {
        let status = performMakeDataReady()
        guard status == noErr else { throw mediaError(status, "the sample buffer's data cannot be provided") }
    }

    /// Marks the data as ready.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    public func setDataReady() throws {
        guard isValid else { throw mediaError(kCMSampleBufferError_Invalidated, "the sample buffer was invalidated") }
        withState { $0.isWaitingForData = false }
    }

    /// Invalidates the buffer, so that its data is no longer available, and calls its invalidation handler once.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated` if the buffer was already invalidated.
    public func invalidate() throws {
        let status = performInvalidation()
        guard status == noErr else { throw mediaError(status, "the sample buffer was already invalidated") }
    }

    /// Implements `makeDataReady()`; returns a status code instead of throwing.
    func performMakeDataReady() -> OSStatus {
        let (isValid, isWaiting, failure, handler, tracked) = withState {
            ($0.isValid, $0.isWaitingForData, $0.failure, $0.makeDataReady, $0.tracked)
        }
        guard isValid else { return kCMSampleBufferError_Invalidated }
        if let tracked { return tracked.performMakeDataReady() }
        guard failure == 0 else { return kCMSampleBufferError_DataFailed }
        guard isWaiting else { return noErr }
        guard let handler else { return kCMSampleBufferError_BufferNotReady }
        let status = handler(self)
        guard status == noErr else { return status }
        // The handler is released outside the lock.
        withExtendedLifetime(handler) {
            withState {
                $0.isWaitingForData = false
                $0.makeDataReady = nil
            }
        }
        return noErr
    }

    /// Implements `invalidate()`; returns a status code instead of throwing.
    func performInvalidation() -> OSStatus {
        // The handlers are released outside the lock.
        let old = withState { state in
            let old = state
            state.isValid = false
            state.invalidate = nil
            state.makeDataReady = nil
            state.tracked = nil
            return old
        }
        guard old.isValid else { return kCMSampleBufferError_Invalidated }
        old.invalidate?(self)
        return withExtendedLifetime(old) { noErr }
    }

    /// Passes linear PCM to `body` as an audio buffer list, with the block buffer that contains the bytes.
    ///
    /// - Throws: The codes of `CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer`, and errors of `body`.
    public func withAudioBufferList<Result>(
        _ body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
    ) throws -> Result {
        let (status, buffers, block) = audioBuffers(aligned: false)
        guard let block, status == noErr else {
            throw mediaError(status, "the sample buffer has no linear PCM audio")
        }
        let list = AudioBufferList.allocate(maximumBuffers: buffers.count)
        defer { list.unsafeMutablePointer.deallocate() }
        for (index, buffer) in buffers.enumerated() { list[index] = buffer }
        return try withExtendedLifetime(block) { try body(list, block) }
    }

    /// Returns the audio as audio buffers in a contiguous block: one buffer, or one for each channel of non-interleaved
    /// audio.
    ///
    /// - Parameter aligned: Whether the addresses must be multiples of 16 bytes. The bytes are copied if necessary.
    /// - Returns: A status code. If it is an error, there are no buffers and no block.
    func audioBuffers(aligned: Bool) -> (status: OSStatus, buffers: [AudioBuffer], block: CMBlockBuffer?) {
        let (isValid, data) = withState { ($0.isValid, $0.dataBuffer) }
        guard isValid else { return (kCMSampleBufferError_Invalidated, [], nil) }
        guard let stream = formatDescription?.audioStreamBasicDescription
        else { return (kCMSampleBufferError_InvalidMediaTypeForOperation, [], nil) }
        guard !isPending, let data else { return (kCMSampleBufferError_BufferNotReady, [], nil) }
        let channels = max(1, Int(stream.mChannelsPerFrame))
        let bufferCount = stream.isNonInterleaved ? channels : 1
        let total = data.dataLength
        let bufferByteCount =
            stream.isLinearPCM && stream.mBytesPerFrame > 0
            ? numSamples * Int(stream.mBytesPerFrame) : total / bufferCount
        guard bufferByteCount >= 0, bufferByteCount * bufferCount <= total else {
            return (kCMSampleBufferError_InvalidSampleData, [], nil)
        }

        let spacing = aligned ? roundUp(bufferByteCount, to: 16) : bufferByteCount
        var block = data
        let isMisaligned = aligned && (bufferCount > 1 && spacing != bufferByteCount || !data.beginsAligned(to: 16))
        if !data.isContiguous || isMisaligned {
            let copy = CMBlockBuffer(length: spacing * bufferCount)
            for index in 0..<bufferCount {
                if let bytes = copy.contiguousBytes(atOffset: spacing * index), bufferByteCount > 0 {
                    _ = data.copy(
                        offset: bufferByteCount * index,
                        to: UnsafeMutableRawBufferPointer(rebasing: bytes[0..<bufferByteCount]))
                }
            }
            block = copy
        }
        let buffers = (0..<bufferCount).map { index in
            AudioBuffer(
                mNumberChannels: UInt32(stream.isNonInterleaved ? 1 : channels),
                mDataByteSize: UInt32(clamping: bufferByteCount),
                mData: block.contiguousBytes(atOffset: (block === data ? bufferByteCount : spacing) * index)?
                    .baseAddress)
        }
        return (noErr, buffers, block)
    }
}

extension CMBlockBuffer {
    /// Whether the address of the first byte is a multiple of `alignment`; true for an empty buffer.
    fileprivate func beginsAligned(to alignment: UInt) -> Bool {
        contiguousBytes(atOffset: 0).map { UInt(bitPattern: $0.baseAddress) % alignment == 0 } ?? true
    }
}
