extension CMSampleBuffer {
    /// The earliest time at which a sample of the buffer is shown; invalid where there are no times.
    public var presentationTimeStamp: CMTime {
        guard var earliest = firstTiming?.presentationTimeStamp else { return .invalid }
        guard hasSeveralTimings else { return earliest }
        for timing in timings.dropFirst() { earliest = CMTimeMinimum(earliest, timing.presentationTimeStamp) }
        return earliest
    }

    /// When the first sample is decoded; invalid where samples are decoded in the order in which they are shown.
    public var decodeTimeStamp: CMTime { firstTiming?.decodeTimeStamp ?? .invalid }

    /// How long all samples together last; invalid where that is not known.
    ///
    /// With one time for each sample it is the span from the earliest to the end of the latest.
    public var duration: CMTime {
        guard let first = firstTiming else { return .invalid }
        if !hasSeveralTimings {
            guard numSamples != 1 else { return first.duration }
            guard let count = Int32(exactly: numSamples) else {
                return CMTimeMultiplyByFloat64(first.duration, multiplier: Double(numSamples))
            }
            return CMTimeMultiply(first.duration, multiplier: count)
        }
        let start = presentationTimeStamp
        var end = start
        for timing in timings {
            let sampleEnd = timing.presentationTimeStamp + timing.duration
            guard sampleEnd.isValid else { return .invalid }
            end = CMTimeMaximum(end, sampleEnd)
        }
        return end - start
    }

    /// When the buffer is put out: as set, else when it is shown, later by what is trimmed at its start.
    public var outputPresentationTimeStamp: CMTime {
        let set = state.withLock { $0.outputPresentationTimeStamp }
        if set.isValid { return set }
        return presentationTimeStamp + trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    }

    /// When the buffer is decoded, on the time line of its output.
    public var outputDecodeTimeStamp: CMTime {
        let decode = decodeTimeStamp
        guard decode.isValid else { return outputPresentationTimeStamp }
        return decode + (outputPresentationTimeStamp - presentationTimeStamp)
    }

    /// How long the output lasts: without what is trimmed, at the buffer's speed.
    public var outputDuration: CMTime {
        let trims =
            trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
            + trim(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        let rest = duration - trims
        guard let speed = real(attachments[kCMSampleBufferAttachmentKey_SpeedMultiplier]?.value), speed > 0, speed != 1
        else { return rest }
        return CMTimeMultiplyByFloat64(rest, multiplier: 1 / speed)
    }

    /// Sets when the buffer is put out; invalid takes the setting back.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    public func setOutputPresentationTimeStamp(_ time: CMTime) throws {
        guard isValid else { throw mediaError(kCMSampleBufferError_Invalidated, "the sample buffer was invalidated") }
        state.withLock { $0.outputPresentationTimeStamp = time }
    }

    /// The times of all samples, as they were given: none, one for all, or one for each.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
        guard !timings.isEmpty else { throw noTimes }
        return timings
    }

    /// The times of one sample.
    ///
    /// - Throws: `kCMSampleBufferError_SampleIndexOutOfRange`, or `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
    public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
        guard (0..<numSamples).contains(index) else {
            throw mediaError(
                kCMSampleBufferError_SampleIndexOutOfRange, "sample \(index) is not in 0..<\(numSamples)")
        }
        guard let timing = timing(at: index) else { throw noTimes }
        return timing
    }

    private var noTimes: any Error {
        mediaError(kCMSampleBufferError_BufferHasNoSampleTimingInfo, "the sample buffer has no times")
    }

    /// The times of a sample that is there; nil where there are none.
    func timing(at index: Int) -> CMSampleTimingInfo? {
        if hasSeveralTimings { return timings[index] }
        guard var timing = firstTiming else { return nil }
        if index > 0 {
            let offset = CMTimeMultiplyByRatio(timing.duration, multiplier: Int32(clamping: index), divisor: 1)
            timing.presentationTimeStamp += offset
            if timing.decodeTimeStamp.isValid { timing.decodeTimeStamp += offset }
        }
        return timing
    }

    /// The size of one sample in bytes; 0 where sizes are not known, or there is no such sample.
    public func sampleSize(at index: Int) -> Int {
        guard (0..<numSamples).contains(index), !sizes.isEmpty else { return 0 }
        return sizes.count == 1 ? sizes[0] : sizes[index]
    }

    /// The sizes of the samples, as they were given: none, one for all, or one for each, in bytes.
    public var sampleSizes: [Int] { sizes }

    /// The size of all samples in bytes; 0 where sizes are not known.
    public var totalSampleSize: Int { CMSampleBuffer.total(of: sizes, count: numSamples) ?? 0 }

    /// A trim's duration; 0 where nothing is trimmed.
    private func trim(_ key: CFString) -> CMTime {
        guard let fields = attachments[key]?.value as? [String: Any] else { return .zero }
        let time = CMTimeMakeFromDictionary(fields)
        return time.isNumeric ? time : .zero
    }
}
