/// The buffers and their times.
extension CMBufferQueue {
    private var items: [Item] { state.withLock { $0.items } }

    /// The first buffer; nil if the queue is empty.
    public var head: CMBuffer? { items.first?.buffer }
    public var isEmpty: Bool { items.isEmpty }
    public var bufferCount: CMItemCount { items.count }
    /// Whether the end of data is marked.
    public var containsEndOfData: Bool { state.withLock { $0.isEndOfDataMarked } }
    /// Whether the end of data is marked and the queue is empty.
    public var isAtEndOfData: Bool { state.withLock { $0.isEndOfDataMarked && $0.items.isEmpty } }
    /// The sum of the buffers' durations.
    public var duration: CMTime { items.duration }
    /// The earliest decode time; invalid if there is none.
    public var minDecodeTimeStamp: CMTime { items.map(\.decodeTime).filter(\.isNumeric).min() ?? .invalid }
    /// The decode time of the first buffer; invalid if there is none.
    public var firstDecodeTimeStamp: CMTime { items.first?.decodeTime ?? .invalid }
    /// The earliest presentation time; invalid if there is none.
    public var minPresentationTimeStamp: CMTime { items.minPresentationTime }
    /// The presentation time of the first buffer; invalid if there is none.
    public var firstPresentationTimeStamp: CMTime { items.first?.presentationTime ?? .invalid }
    /// The latest presentation time; invalid if there is none.
    public var maxPresentationTimeStamp: CMTime { items.maxPresentationTime }
    /// The latest end of a buffer (presentation time plus duration); invalid if there is none.
    public var endPresentationTimeStamp: CMTime {
        items.map { $0.presentationTime + $0.duration }.filter(\.isNumeric).max() ?? .invalid
    }
    /// The sum of the buffers' sizes in bytes.
    public var totalSize: Int { items.reduce(0) { $0 + $1.size } }

    /// A snapshot of the buffers of a queue.
    public struct Buffers: Sequence {
        let buffers: [CMBuffer]

        public func makeIterator() -> IndexingIterator<[CMBuffer]> { buffers.makeIterator() }
    }

    /// A snapshot of the buffers, in order.
    public var buffers: Buffers { Buffers(buffers: items.map(\.buffer)) }
}

extension [CMBufferQueue.Item] {
    var duration: CMTime { reduce(.zero) { $0 + ($1.duration.isNumeric ? $1.duration : .zero) } }
    var minPresentationTime: CMTime { map(\.presentationTime).filter(\.isNumeric).min() ?? .invalid }
    var maxPresentationTime: CMTime { map(\.presentationTime).filter(\.isNumeric).max() ?? .invalid }
}
