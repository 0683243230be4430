public import Foundation
public import MediaTypes

/// What one output had for a moment.
public class AVCaptureSynchronizedData: NSObject, @unchecked Sendable {
    // SAFETY: constant.
    /// When it was captured, on the session's clock.
    public let timestamp: CMTime

    init(timestamp: CMTime) { self.timestamp = timestamp }
}

/// A sample of a video or audio data output.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData, @unchecked Sendable {
    // SAFETY: constant; sample buffers are thread-safe.
    /// The sample; without pixels where it was dropped.
    public let sampleBuffer: CMSampleBuffer
    /// Why it was dropped; `none` where it was not.
    public let droppedReason: AVCaptureOutput.DataDroppedReason

    /// Whether it was dropped; never so for sound.
    public var sampleBufferWasDropped: Bool { droppedReason != .none }

    init(_ item: SampleSynchronizer.Item) {
        sampleBuffer = item.sample
        droppedReason = item.dropped
        super.init(timestamp: item.sample.presentationTimeStamp)
    }
}

/// What belongs together, by output.
public final class AVCaptureSynchronizedDataCollection: NSObject, Sequence, Sendable {
    private let data: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]

    init(_ data: [(AVCaptureOutput, AVCaptureSynchronizedData)]) { self.data = data.map { ($0.0, $0.1) } }

    /// The number of outputs that had something.
    public var count: Int { data.count }

    /// What an output had; nil where it had nothing.
    public func synchronizedData(for captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
        data.first { $0.output === captureOutput }?.data
    }

    public subscript(key: AVCaptureOutput) -> AVCaptureSynchronizedData? { synchronizedData(for: key) }

    /// The data in the order of the synchronizer's outputs.
    public func makeIterator() -> AnyIterator<AVCaptureSynchronizedData> {
        AnyIterator(data.map(\.data).makeIterator())
    }
}
