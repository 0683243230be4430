// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

extension CMSampleBuffer {
    /// Creates a buffer with a range of the samples of this buffer; both share the bytes.
    ///
    /// - Returns: `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_BufferNotReady`, or
    ///   `kCMSampleBufferError_CannotSubdivide` for non-interleaved audio, or if sample sizes are unknown.
    func copy(of samples: Range<Int>) -> (status: OSStatus, buffer: CMSampleBuffer?) {
        let old = withState { $0 }
        guard old.isValid else { return (kCMSampleBufferError_Invalidated, nil) }
        guard samples.lowerBound >= 0, samples.upperBound <= numSamples, !samples.isEmpty
        else { return (kCMSampleBufferError_SampleIndexOutOfRange, nil) }
        if samples.count == numSamples { return (noErr, CMSampleBuffer(copying: self)) }
        guard formatDescription?.audioStreamBasicDescription?.isNonInterleaved != true, !sizes.isEmpty
        else { return (kCMSampleBufferError_CannotSubdivide, nil) }
        guard !isPending, let data = old.dataBuffer
        else { return (kCMSampleBufferError_BufferNotReady, nil) }
        let sizes = sizes.count == 1 ? sizes : Array(sizes[samples])
        let offset = (0..<samples.lowerBound).reduce(0) { $0 + sampleSize(at: $1) }
        let part = CMBlockBuffer()
        let status = part.appendReference(
            data, offset: offset, length: CMSampleBuffer.total(of: sizes, count: samples.count) ?? 0)
        guard status == noErr else { return (status, nil) }
        let packets = (packets.isEmpty ? [] : Array(packets[samples])).map { packet in
            var packet = packet
            packet.mStartOffset -= Int64(offset)
            return packet
        }
        let timings =
            hasSeveralTimings
            ? samples.compactMap(timing(at:)) : timing(at: samples.lowerBound).map { [$0] } ?? []
        let copy = CMSampleBuffer(
            image: nil, data: part, format: formatDescription, count: samples.count, timings: timings, sizes: sizes,
            packets: packets)
        copy.withState { state in
            state.attachments = old.attachments
            state.sampleAttachments = old.sampleAttachments.isEmpty ? [] : Array(old.sampleAttachments[samples])
        }
        return (noErr, copy)
    }

    /// Calls a function with a buffer for each sample and its index, until it returns an error.
    fileprivate func forEachSample(_ body: (CMSampleBuffer, CMItemCount) -> OSStatus) -> OSStatus {
        for index in 0..<numSamples {
            let (status, buffer) = copy(of: index..<(index + 1))
            guard let buffer else { return status }
            let result = body(buffer, index)
            guard result == noErr else { return result }
        }
        return noErr
    }
}

/// Creates a buffer with a range of the samples of another buffer. Both share the bytes; attachments are copied.
///
/// - Returns: `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_BufferNotReady`, or
///   `kCMSampleBufferError_CannotSubdivide` for non-interleaved audio, or if sample sizes are unknown.
@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleRange: CFRange,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    let (end, overflows) = sampleRange.location.addingReportingOverflow(sampleRange.length)
    guard !overflows, sampleRange.length > 0 else { return kCMSampleBufferError_SampleIndexOutOfRange }
    let (status, buffer) = sbuf.copy(of: sampleRange.location..<end)
    if let buffer { sampleBufferOut.pointee = buffer }
    return status
}

/// Calls a function with a buffer for each sample and its index, on the calling thread, until it returns an error.
///
/// - Returns: The first error of the function, or an error of `CMSampleBufferCopySampleBufferForRange`.
@discardableResult
public func CMSampleBufferCallForEachSample(
    _ sbuf: CMSampleBuffer, callback: (CMSampleBuffer, CMItemCount, UnsafeMutableRawPointer?) -> OSStatus,
    refcon: UnsafeMutableRawPointer?
) -> OSStatus {
    sbuf.forEachSample { callback($0, $1, refcon) }
}

/// Calls a closure with a buffer for each sample and its index, on the calling thread, until it returns an error.
///
/// - Returns: The first error of the closure, or an error of `CMSampleBufferCopySampleBufferForRange`.
@discardableResult
public func CMSampleBufferCallBlockForEachSample(
    _ sbuf: CMSampleBuffer, handler: (CMSampleBuffer, CMItemCount) -> OSStatus
) -> OSStatus {
    sbuf.forEachSample(handler)
}
