import Foundation
public import MediaTypes

extension AVCaptureTimecode {
    /// Creates a sample with the number of the frame that the timecode belongs to, for a time code track.
    ///
    /// The sample has one big-endian 32-bit number, like the samples of a QuickTime `tmcd` track.
    /// - Returns: A retained sample; nil if the timecode has no frame duration.
    public static func createMetadataSampleBuffer(
        from timecode: AVCaptureTimecode, associatedWithPresentationTimeStamp presentationTimeStamp: CMTime
    ) -> Unmanaged<CMSampleBuffer>? {
        sample(of: timecode, at: presentationTimeStamp, duration: timecode.frameDuration)
    }

    /// Creates a sample with the number of the frame that the timecode belongs to, for a time code track.
    ///
    /// - Returns: A retained sample without a time; nil if the timecode has no frame duration.
    public static func createMetadataSampleBuffer(
        from timecode: AVCaptureTimecode, forDuration duration: CMTime
    ) -> Unmanaged<CMSampleBuffer>? {
        sample(of: timecode, at: .invalid, duration: duration)
    }

    private static func sample(
        of timecode: AVCaptureTimecode, at time: CMTime, duration: CMTime
    ) -> Unmanaged<CMSampleBuffer>? {
        guard let number = timecode.frameNumber else { return nil }
        let data = withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { CMBlockBuffer(copying: $0) }
        var timing = CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        var (size, sample) = (4, CMSampleBuffer?.none)
        let status = CMSampleBufferCreateReady(
            allocator: nil, dataBuffer: data, formatDescription: CMFormatDescription.timeCode, sampleCount: 1,
            sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 1, sampleSizeArray: &size,
            sampleBufferOut: &sample)
        return status == noErr ? sample.map(Unmanaged.passRetained) : nil
    }
}
