extension CMSampleBuffer {
    /// The earliest presentation time of a sample in the buffer; invalid without timing.
    public var presentationTimeStamp: CMTime {
        guard var earliest = firstTiming?.presentationTimeStamp else { return .invalid }
        guard hasSeveralTimings else { return earliest }
        for timing in laterTimings { earliest = CMTimeMinimum(earliest, timing.presentationTimeStamp) }
        return earliest
    }

    /// The decode time of the first sample; invalid if samples are decoded in presentation order.
    public var decodeTimeStamp: CMTime { firstTiming?.decodeTimeStamp ?? .invalid }

    /// The duration of all samples; invalid if it is unknown.
    ///
    /// If each sample has its own timing, it is the span from the earliest start to the latest end of a sample.
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

    /// The time of output: the value that was set, or the presentation time plus the duration trimmed at the start.
    ///
    /// With the attachment `kCMSampleBufferAttachmentKey_Reverse`, output begins at the end of the media: the
    /// presentation time plus the duration, minus the duration trimmed at the end.
    public var outputPresentationTimeStamp: CMTime {
        let explicitTime = withState { $0.outputPresentationTimeStamp }
        if explicitTime.isValid { return explicitTime }
        guard attachments[kCMSampleBufferAttachmentKey_Reverse]?.value as? Bool == true else {
            return presentationTimeStamp + trimDuration(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        }
        return presentationTimeStamp + duration - trimDuration(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    }

    /// The decode time on the output timeline; the output presentation time if there is no decode time.
    public var outputDecodeTimeStamp: CMTime {
        let decode = decodeTimeStamp
        guard decode.isValid else { return outputPresentationTimeStamp }
        return outputPresentationTimeStamp + atOutputSpeed(decode - presentationTimeStamp)
    }

    /// The duration of output: the duration without the trimmed parts, divided by the speed multiplier.
    public var outputDuration: CMTime {
        let trims =
            trimDuration(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
            + trimDuration(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        return atOutputSpeed(duration - trims)
    }

    /// The timing entries on the output timeline.
    var outputTimings: [CMSampleTimingInfo] {
        let (start, outputStart) = (presentationTimeStamp, outputPresentationTimeStamp)
        func outputTime(for time: CMTime) -> CMTime { time.isValid ? outputStart + atOutputSpeed(time - start) : time }
        return timings.map { timing in
            CMSampleTimingInfo(
                duration: atOutputSpeed(timing.duration),
                presentationTimeStamp: outputTime(for: timing.presentationTimeStamp),
                decodeTimeStamp: outputTime(for: timing.decodeTimeStamp))
        }
    }

    /// Returns a duration divided by the speed multiplier; unchanged if there is none.
    private func atOutputSpeed(_ duration: CMTime) -> CMTime {
        guard let speed = doubleValue(attachments[kCMSampleBufferAttachmentKey_SpeedMultiplier]?.value), speed > 0,
            speed != 1
        else { return duration }
        return CMTimeMultiplyByFloat64(duration, multiplier: 1 / speed)
    }

    /// Sets the time of output; an invalid time restores the default.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    public func setOutputPresentationTimeStamp(_ time: CMTime) throws {
        guard isValid else { throw mediaError(kCMSampleBufferError_Invalidated, "the sample buffer was invalidated") }
        withState { $0.outputPresentationTimeStamp = time }
    }

    /// Returns the timing entries: one for all samples, or one for each.
    ///
    /// - Throws: `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
        guard !timings.isEmpty else { throw missingTimingError }
        return timings
    }

    /// Returns the timing of one sample.
    ///
    /// - Throws: `kCMSampleBufferError_SampleIndexOutOfRange`, or `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
    public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
        guard (0..<numSamples).contains(index) else {
            throw mediaError(
                kCMSampleBufferError_SampleIndexOutOfRange, "sample \(index) is not in 0..<\(numSamples)")
        }
        guard let timing = timing(at: index) else { throw missingTimingError }
        return timing
    }

    private var missingTimingError: any Error {
        mediaError(kCMSampleBufferError_BufferHasNoSampleTimingInfo, "the sample buffer has no timing")
    }

    /// Returns the timing of a sample with a valid index; nil if the buffer has no timing.
    func timing(at index: Int) -> CMSampleTimingInfo? {
        if index > 0, hasSeveralTimings { return laterTimings[index - 1] }
        guard var timing = firstTiming else { return nil }
        if index > 0 {
            let offset = CMTimeMultiplyByRatio(timing.duration, multiplier: Int32(clamping: index), divisor: 1)
            timing.presentationTimeStamp += offset
            if timing.decodeTimeStamp.isValid { timing.decodeTimeStamp += offset }
        }
        return timing
    }

    /// Returns the size of one sample in bytes; 0 if it is unknown, or if there is no such sample.
    public func sampleSize(at index: Int) -> Int {
        guard (0..<numSamples).contains(index), !sizes.isEmpty else { return 0 }
        return sizes.count == 1 ? sizes[0] : sizes[index]
    }

    /// The size entries in bytes: none, one for all samples, or one for each.
    public var sampleSizes: [Int] { sizes }

    /// The size of all samples in bytes; 0 if it is unknown.
    public var totalSampleSize: Int { CMSampleBuffer.total(of: sizes, count: numSamples) ?? 0 }

    /// Returns the trimmed duration in an attachment; 0 if there is none.
    private func trimDuration(_ key: CFString) -> CMTime {
        guard let fields = attachments[key]?.value as? [String: Any] else { return .zero }
        let time = CMTimeMakeFromDictionary(fields)
        return time.isNumeric ? time : .zero
    }
}
