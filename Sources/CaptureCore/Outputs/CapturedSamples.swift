import Foundation
public import MediaTypes

/// The samples of a data output as an asynchronous sequence.
///
/// Samples wait in a queue of bounded length. The sequence ends when the session stops, the device fails
/// or the output leaves its session; an interruption only suspends it. It supports one reader.
/// - Note: Not part of AVFoundation. A virtual clock waits for callbacks on queues, but not for a task that reads
///   samples.
public struct CapturedSamples: AsyncSequence, Sendable {
    /// Selects the sample to drop when the queue is full.
    public enum DropPolicy: Sendable, Hashable {
        /// The sample that has waited longest: the reader receives the latest ones.
        case oldest
        /// The new sample: the reader receives consecutive samples, then a gap.
        case newest
    }

    private let stream: AsyncStream<CMSampleBuffer>
    private let drops: Lock<Int>

    /// The number of samples that the reader has missed so far.
    public var droppedCount: Int { drops.withLock { $0 } }

    init(_ stream: AsyncStream<CMSampleBuffer>, drops: Lock<Int>) {
        self.stream = stream
        self.drops = drops
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Iterates over the samples in the order of their arrival.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<CMSampleBuffer>.Iterator

        /// The next sample; nil at the end, or if the task was cancelled.
        public mutating func next() async -> CMSampleBuffer? { await base.next() }
    }
}

extension AVCaptureVideoDataOutput {
    /// The frames from now on, also in addition to a delegate, without dropped frames.
    ///
    /// - Parameters:
    ///   - limit: The number of frames that may wait, at least 1. They hold buffers, of which there are few.
    ///   - policy: The frame that is dropped if that many wait.
    public func sampleBuffers(limit: Int = 2, dropping policy: CapturedSamples.DropPolicy = .oldest) -> CapturedSamples
    {
        delivery.taps.makeSequence(limit: limit, policy)
    }
}

extension AVCaptureAudioDataOutput {
    /// The audio from now on, also in addition to a delegate.
    ///
    /// - Parameters:
    ///   - limit: The number of sample buffers that may wait, at least 1.
    ///   - policy: The sample buffer that is dropped if that many wait.
    public func sampleBuffers(limit: Int = 64, dropping policy: CapturedSamples.DropPolicy = .oldest) -> CapturedSamples
    {
        delivery.taps.makeSequence(limit: limit, policy)
    }
}
