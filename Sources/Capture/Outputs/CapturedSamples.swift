import Foundation
public import MediaTypes

/// The samples of a data output, one after the other, for `for await`.
///
/// Samples wait for the reader in a queue of bounded length. The sequence ends when the session stops, the device fails
/// or the output leaves its session; an interruption only holds it up. It is meant for one reader.
/// - Note: Not Apple's. A reader that awaits in a task is not waited for by a virtual clock, as queues are.
public struct CapturedSamples: AsyncSequence, Sendable {
    /// What becomes of a sample where the queue is full.
    public enum DropPolicy: Sendable, Hashable {
        /// The sample that has waited longest is dropped: the reader sees the present.
        case oldest
        /// The new one is dropped: the reader sees a run without a gap, and then one.
        case newest
    }

    private let stream: AsyncStream<CMSampleBuffer>
    private let drops: Lock<Int>

    /// How many samples the reader has missed so far.
    public var droppedCount: Int { drops.withLock { $0 } }

    init(_ stream: AsyncStream<CMSampleBuffer>, drops: Lock<Int>) {
        self.stream = stream
        self.drops = drops
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<CMSampleBuffer>.Iterator

        /// The next sample; nil at the end, or where the task was cancelled.
        public mutating func next() async -> CMSampleBuffer? { await base.next() }
    }
}

extension AVCaptureVideoDataOutput {
    /// The frames from now on, also beside a delegate; frames that are dropped are missing.
    ///
    /// - Parameters:
    ///   - limit: How many frames may wait, at least 1. Frames that wait hold buffers, of which there are few.
    ///   - policy: Which frame is dropped where so many wait.
    public func sampleBuffers(limit: Int = 2, dropping policy: CapturedSamples.DropPolicy = .oldest) -> CapturedSamples
    {
        delivery.taps.makeSequence(limit: limit, policy)
    }
}

extension AVCaptureAudioDataOutput {
    /// The sound from now on, also beside a delegate.
    ///
    /// - Parameters:
    ///   - limit: How many sample buffers may wait, at least 1.
    ///   - policy: Which one is dropped where so many wait.
    public func sampleBuffers(limit: Int = 64, dropping policy: CapturedSamples.DropPolicy = .oldest) -> CapturedSamples
    {
        delivery.taps.makeSequence(limit: limit, policy)
    }
}
