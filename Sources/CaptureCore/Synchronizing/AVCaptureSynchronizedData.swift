public import Foundation
public import MediaTypes

/// The data of one output for one time.
public class AVCaptureSynchronizedData: NSObject, @unchecked Sendable {
    // SAFETY: immutable.
    /// The time of capture, on the session's clock.
    public let timestamp: CMTime

    init(timestamp: CMTime) { self.timestamp = timestamp }
}

/// A sample of a video or audio data output.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData, @unchecked Sendable {
    // SAFETY: immutable; sample buffers are thread-safe.
    /// The sample; without data if it was dropped.
    public let sampleBuffer: CMSampleBuffer
    /// The reason for a drop; `none` if the sample was not dropped.
    public let droppedReason: AVCaptureOutput.DataDroppedReason

    /// Whether the sample was dropped; never true for audio.
    public var sampleBufferWasDropped: Bool { droppedReason != .none }

    init(_ sample: CMSampleBuffer, dropped: AVCaptureOutput.DataDroppedReason) {
        sampleBuffer = sample
        droppedReason = dropped
        super.init(timestamp: sample.presentationTimeStamp)
    }
}

/// A depth map of a depth data output.
public final class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
    // SAFETY: immutable.
    /// The depth; without values if it was dropped.
    public let depthData: AVDepthData
    /// The reason for a drop; `none` if the depth was not dropped.
    public let droppedReason: AVCaptureOutput.DataDroppedReason

    public var depthDataWasDropped: Bool { droppedReason != .none }

    init(_ depthData: AVDepthData, at time: CMTime, dropped: AVCaptureOutput.DataDroppedReason) {
        self.depthData = depthData
        droppedReason = dropped
        super.init(timestamp: time)
    }
}

/// The metadata objects detected in a frame.
public final class AVCaptureSynchronizedMetadataObjectData: AVCaptureSynchronizedData, @unchecked Sendable {
    // SAFETY: immutable; so are metadata objects.
    /// The detected objects, all of the same time; may be empty.
    public let metadataObjects: [AVMetadataObject]

    init(_ metadataObjects: [AVMetadataObject], at time: CMTime) {
        self.metadataObjects = metadataObjects
        super.init(timestamp: time)
    }
}

extension AVCaptureSynchronizedData {
    /// Creates the client's representation of an item.
    static func of(_ item: SampleSynchronizer.Item) -> AVCaptureSynchronizedData {
        switch item.content {
        case .sample(let sample): AVCaptureSynchronizedSampleBufferData(sample, dropped: item.dropped)
        case .depth(let depth): AVCaptureSynchronizedDepthData(depth, at: item.time, dropped: item.dropped)
        case .objects(let objects): AVCaptureSynchronizedMetadataObjectData(objects, at: item.time)
        }
    }
}

/// The synchronized data of several outputs.
public final class AVCaptureSynchronizedDataCollection: NSObject, Sequence, Sendable {
    private let data: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]

    init(_ data: [(AVCaptureOutput, AVCaptureSynchronizedData)]) { self.data = data.map { ($0.0, $0.1) } }

    /// The number of outputs with data.
    public var count: Int { data.count }

    /// Returns the data of an output; nil if it has none.
    public func synchronizedData(for captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
        data.first { $0.output === captureOutput }?.data
    }

    public subscript(key: AVCaptureOutput) -> AVCaptureSynchronizedData? { synchronizedData(for: key) }

    /// Returns an iterator over the data, in the order of the synchronizer's outputs.
    public func makeIterator() -> AnyIterator<AVCaptureSynchronizedData> {
        AnyIterator(data.map(\.data).makeIterator())
    }
}
