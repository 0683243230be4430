extension CMSampleBuffer {
    /// The availability of a buffer's data.
    public enum DataReadiness: Hashable, Sendable {
        /// The data is available.
        case ready
        /// The data is not available yet.
        case notReady
        /// The data could not be provided; the error code is the reason.
        case failed(OSStatus)
    }

    /// The availability of the data; that of the tracked buffer after `trackDataReadiness(_:)`.
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

    /// Gives the buffer the readiness of another one, which `makeDataReady()` makes ready.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, or `kCMSampleBufferError_RequiredParameterMissing` if the other
    ///   buffer tracks this one.
    public func trackDataReadiness(_ sampleBuffer: CMSampleBuffer) throws {
        let status = track(sampleBuffer)
        guard status == noErr else { throw mediaError(status, "the sample buffer cannot track the other one") }
    }

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
        // What was tracked before is released outside the lock.
        return withExtendedLifetime(old) { old == nil ? kCMSampleBufferError_Invalidated : noErr }
    }

    /// Calls the handler that the buffer was created with to provide its data.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferNotReady` without a handler,
    ///   `kCMSampleBufferError_DataFailed`, or the handler's own code.
    public func makeDataReady() throws {
        let status = makeReady()
        guard status == noErr else { throw mediaError(status, "the sample buffer's data cannot be provided") }
    }

    /// Marks the data as ready.
    public func setDataReady() throws {
        guard isValid else { throw mediaError(kCMSampleBufferError_Invalidated, "the sample buffer was invalidated") }
        withState { $0.isWaitingForData = false }
    }

    /// Invalidates the buffer: releases its data and calls its invalidation handler once.
    public func invalidate() throws {
        let status = giveUp()
        guard status == noErr else { throw mediaError(status, "the sample buffer was already invalidated") }
    }

    func makeReady() -> OSStatus {
        let (isValid, isWaiting, failure, handler, tracked) = withState {
            ($0.isValid, $0.isWaitingForData, $0.failure, $0.makeDataReady, $0.tracked)
        }
        guard isValid else { return kCMSampleBufferError_Invalidated }
        if let tracked { return tracked.makeReady() }
        guard failure == 0 else { return kCMSampleBufferError_DataFailed }
        guard isWaiting else { return noErr }
        guard let handler else { return kCMSampleBufferError_BufferNotReady }
        let status = handler(self)
        guard status == noErr else { return status }
        // The handler is destroyed outside the lock.
        withExtendedLifetime(handler) {
            withState {
                $0.isWaitingForData = false
                $0.makeDataReady = nil
            }
        }
        return noErr
    }

    func giveUp() -> OSStatus {
        // The handlers are destroyed outside the lock.
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
    /// - Throws: As `CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer`, and what `body` throws.
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

    /// The audio as audio buffers in a contiguous block: one, or one for each channel of non-interleaved audio.
    func audioBuffers(aligned: Bool) -> (status: OSStatus, buffers: [AudioBuffer], block: CMBlockBuffer?) {
        let (isValid, data) = withState { ($0.isValid, $0.dataBuffer) }
        guard isValid else { return (kCMSampleBufferError_Invalidated, [], nil) }
        guard let stream = formatDescription?.audioStreamBasicDescription
        else { return (kCMSampleBufferError_InvalidMediaTypeForOperation, [], nil) }
        guard !isPending, let data else { return (kCMSampleBufferError_BufferNotReady, [], nil) }
        let channels = max(1, Int(stream.mChannelsPerFrame))
        let bufferCount = stream.isNonInterleaved ? channels : 1
        let total = data.dataLength
        let size =
            stream.isLinearPCM && stream.mBytesPerFrame > 0
            ? numSamples * Int(stream.mBytesPerFrame) : total / bufferCount
        guard size >= 0, size * bufferCount <= total else { return (kCMSampleBufferError_InvalidSampleData, [], nil) }

        let spacing = aligned ? roundUp(size, to: 16) : size
        var block = data
        let isMisaligned = aligned && (bufferCount > 1 && spacing != size || !data.beginsAligned(to: 16))
        if !data.isContiguous || isMisaligned {
            let copy = CMBlockBuffer(length: spacing * bufferCount)
            for index in 0..<bufferCount {
                if let bytes = copy.piece(atOffset: spacing * index), size > 0 {
                    _ = data.copy(offset: size * index, to: UnsafeMutableRawBufferPointer(rebasing: bytes[0..<size]))
                }
            }
            block = copy
        }
        let buffers = (0..<bufferCount).map { index in
            AudioBuffer(
                mNumberChannels: UInt32(stream.isNonInterleaved ? 1 : channels), mDataByteSize: UInt32(clamping: size),
                mData: block.piece(atOffset: (block === data ? size : spacing) * index)?.baseAddress)
        }
        return (noErr, buffers, block)
    }
}

extension CMBlockBuffer {
    /// Whether the first byte's address is a multiple of a number; true for an empty buffer.
    fileprivate func beginsAligned(to alignment: UInt) -> Bool {
        piece(atOffset: 0).map { UInt(bitPattern: $0.baseAddress) % alignment == 0 } ?? true
    }
}
