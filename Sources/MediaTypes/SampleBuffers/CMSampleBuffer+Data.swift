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

    /// The availability of the data.
    public var dataReadiness: DataReadiness {
        withState { state in
            if state.failure != 0 { return .failed(state.failure) }
            return state.isWaitingForData ? .notReady : .ready
        }
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
        let (isValid, isWaiting, failure, handler) = withState {
            ($0.isValid, $0.isWaitingForData, $0.failure, $0.makeDataReady)
        }
        guard isValid else { return kCMSampleBufferError_Invalidated }
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
        let (isValid, isWaiting, data) = withState { ($0.isValid, $0.isWaitingForData, $0.dataBuffer) }
        guard isValid else { return (kCMSampleBufferError_Invalidated, [], nil) }
        guard let stream = formatDescription?.audioStreamBasicDescription
        else { return (kCMSampleBufferError_InvalidMediaTypeForOperation, [], nil) }
        guard !isWaiting, let data else { return (kCMSampleBufferError_BufferNotReady, [], nil) }
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
