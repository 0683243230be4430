import Foundation
public import MediaTypes

/// The samples of a data output as an asynchronous sequence.
///
/// Samples wait in a queue of bounded length. The sequence ends when the session stops, the device fails
/// or the output is removed from its session; an interruption only suspends it. It supports one iterator.
/// - Note: Not part of AVFoundation. A virtual clock waits for callbacks on queues, but not for a task that iterates
///   over samples.
public struct CapturedSamples: AsyncSequence, Sendable {
    /// Selects the sample to drop when the queue is full.
    public enum DropPolicy: Sendable, Hashable {
        /// The oldest waiting sample: the client receives the latest samples.
        case oldest
        /// The new sample: the client receives consecutive samples, then a gap.
        case newest
    }

    private let stream: AsyncStream<CMSampleBuffer>
    private let drops: Lock<Int>

    /// The number of samples that were dropped so far because the queue was full.
    public var droppedCount: Int { drops.withLock { $0 } }

    init(_ stream: AsyncStream<CMSampleBuffer>, drops: Lock<Int>) {
        self.stream = stream
        self.drops = drops
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Iterates over the samples in the order of their arrival.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<CMSampleBuffer>.Iterator

        /// Returns the next sample; nil at the end, or if the task was cancelled.
        public mutating func next() async -> CMSampleBuffer? { await base.next() }
    }
}

extension AVCaptureVideoDataOutput {
    /// Returns a sequence of the frames that follow, without dropped frames. The delegate still receives all frames.
    ///
    /// - Parameters:
    ///   - limit: The number of frames that may wait, at least 1. Each occupies one of a limited number of
    ///     buffers.
    ///   - policy: The frame to drop if `limit` frames wait.
    public func sampleBuffers(limit: Int = 2, dropping policy: CapturedSamples.DropPolicy = .oldest) -> CapturedSamples
    {
        clients.subscribers.makeSequence(limit: limit, policy)
    }
}

extension AVCaptureAudioDataOutput {
    /// Returns a sequence of the audio that follows. The delegate still receives all audio.
    ///
    /// - Parameters:
    ///   - limit: The number of sample buffers that may wait, at least 1.
    ///   - policy: The sample buffer to drop if `limit` sample buffers wait.
    public func sampleBuffers(limit: Int = 64, dropping policy: CapturedSamples.DropPolicy = .oldest) -> CapturedSamples
    {
        clients.subscribers.makeSequence(limit: limit, policy)
    }
}
