public import Foundation
public import MediaAssets
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

    init(_ sample: CMSampleBuffer, dropped: AVCaptureOutput.DataDroppedReason) {
        sampleBuffer = sample
        droppedReason = dropped
        super.init(timestamp: sample.presentationTimeStamp)
    }
}

/// A depth map of a depth data output.
public final class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
    // SAFETY: constant.
    /// The depth; a shell where it was dropped.
    public let depthData: AVDepthData
    /// Why it was dropped; `none` where it was not.
    public let droppedReason: AVCaptureOutput.DataDroppedReason

    public var depthDataWasDropped: Bool { droppedReason != .none }

    init(_ depthData: AVDepthData, at time: CMTime, dropped: AVCaptureOutput.DataDroppedReason) {
        self.depthData = depthData
        droppedReason = dropped
        super.init(timestamp: time)
    }
}

/// What a metadata output saw in a picture.
public final class AVCaptureSynchronizedMetadataObjectData: AVCaptureSynchronizedData, @unchecked Sendable {
    // SAFETY: constant; so are metadata objects.
    /// What was seen, all at the same time; empty where there was nothing to see.
    public let metadataObjects: [AVMetadataObject]

    init(_ metadataObjects: [AVMetadataObject], at time: CMTime) {
        self.metadataObjects = metadataObjects
        super.init(timestamp: time)
    }
}

extension AVCaptureSynchronizedData {
    /// What a client sees of an item.
    static func of(_ item: SampleSynchronizer.Item) -> AVCaptureSynchronizedData {
        switch item.content {
        case .sample(let sample): AVCaptureSynchronizedSampleBufferData(sample, dropped: item.dropped)
        case .depth(let depth): AVCaptureSynchronizedDepthData(depth, at: item.time, dropped: item.dropped)
        case .objects(let objects): AVCaptureSynchronizedMetadataObjectData(objects, at: item.time)
        }
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
