public import Foundation

/// An object in a buffer queue, for example a sample buffer.
public typealias CMBuffer = CFTypeRef
/// Returns a time of a buffer.
public typealias CMBufferGetTimeHandler = (CMBuffer) -> CMTime
/// Returns whether a buffer has a property.
public typealias CMBufferGetBooleanHandler = (CMBuffer) -> Bool
/// Returns the order of two buffers.
public typealias CMBufferCompareHandler = (CMBuffer, CMBuffer) -> CFComparisonResult
/// Returns the size of a buffer in bytes.
public typealias CMBufferGetSizeHandler = (CMBuffer) -> Int

/// A first-in, first-out or sorted queue of buffers with times.
///
/// - Important: Thread-safe. Handlers and triggers are called synchronously on the thread that uses the queue, outside
///   locks. A handler must always return the same time for the same buffer.
/// - Note: Unlike Apple, a buffer's `dataBecameReadyNotification` is not observed: data readiness is determined when
///   the first buffer changes, when a buffer is dequeued and when a trigger is tested.
public final class CMBufferQueue: @unchecked Sendable {
    // SAFETY: `handlers` and `capacity` are constants, and `state` is a lock. Buffers are not accessed.

    /// The functions that return the properties of buffers.
    public struct Handlers {
        public private(set) var getDecodeTimeStamp: CMBufferGetTimeHandler?
        public private(set) var getPresentationTimeStamp: CMBufferGetTimeHandler?
        public private(set) var getDuration: CMBufferGetTimeHandler
        public private(set) var isDataReady: CMBufferGetBooleanHandler?
        public private(set) var compare: CMBufferCompareHandler?
        public private(set) var dataBecameReadyNotification: String?
        public private(set) var getSize: CMBufferGetSizeHandler?

        /// Sets or replaces handlers.
        public struct Builder {
            fileprivate var handlers: Handlers
            public var dataBecameReadyNotification: String? {
                get { handlers.dataBecameReadyNotification }
                set { handlers.dataBecameReadyNotification = newValue }
            }

            public mutating func getDecodeTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
                handlers.getDecodeTimeStamp = body
            }

            public mutating func getPresentationTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
                handlers.getPresentationTimeStamp = body
            }

            public mutating func getDuration(_ body: @escaping CMBufferGetTimeHandler) { handlers.getDuration = body }

            public mutating func isDataReady(_ body: @escaping CMBufferGetBooleanHandler) {
                handlers.isDataReady = body
            }

            /// Sets the comparison handler, which makes the queue sorted.
            public mutating func compare(_ body: @escaping CMBufferCompareHandler) { handlers.compare = body }

            public mutating func getSize(_ body: @escaping CMBufferGetSizeHandler) { handlers.getSize = body }
        }

        /// Creates handlers. By default, durations are zero, times are invalid, and the data of all buffers is ready.
        public init(withHandlers body: (inout Builder) -> Void) {
            getDuration = { _ in .zero }
            self = withHandlers(body)
        }

        /// Returns the handlers with some of them replaced.
        public func withHandlers(_ body: (inout Builder) -> Void) -> Handlers {
            var builder = Builder(handlers: self)
            body(&builder)
            return builder.handlers
        }

        /// Handlers for sample buffers, first in, first out.
        public static var unsortedSampleBuffers: Handlers {
            func sample(_ buffer: CMBuffer) -> CMSampleBuffer? { buffer as? CMSampleBuffer }
            return Handlers { builder in
                builder.getDecodeTimeStamp { sample($0)?.outputDecodeTimeStamp ?? .invalid }
                builder.getPresentationTimeStamp { sample($0)?.outputPresentationTimeStamp ?? .invalid }
                builder.getDuration { sample($0)?.outputDuration ?? .invalid }
                builder.isDataReady { sample($0)?.dataReadiness == .ready }
                builder.getSize { sample($0)?.totalSampleSize ?? 0 }
            }
        }

        /// Handlers for sample buffers, in the order of their output presentation times.
        public static var outputPTSSortedSampleBuffers: Handlers {
            unsortedSampleBuffers.withHandlers { builder in
                builder.compare { first, second in
                    guard let first = first as? CMSampleBuffer, let second = second as? CMSampleBuffer else {
                        return .compareEqualTo
                    }
                    let order = CMTimeCompare(
                        first.outputPresentationTimeStamp, second.outputPresentationTimeStamp)
                    return order < 0 ? .compareLessThan : order > 0 ? .compareGreaterThan : .compareEqualTo
                }
            }
        }
    }

    /// A buffer with its properties.
    struct Item {
        /// Identifies the item in its queue.
        let number: Int
        let buffer: CMBuffer
        let decodeTime: CMTime
        let presentationTime: CMTime
        let duration: CMTime
        let size: Int
    }

    struct State {
        var items: [Item] = [] {
            didSet { version += 1 }
        }
        /// The number of changes of `items`.
        private(set) var version = 0
        var lastItemNumber = 0
        var isEndOfDataMarked = false
        var triggers: [Trigger] = []
        var validate: ((CMBufferQueue, CMBuffer) throws -> Void)?
    }

    /// The error codes of buffer queues.
    public struct Error {
        public static var allocationFailed: NSError { error(kCMBufferQueueError_AllocationFailed) }
        public static var requiredParameterMissing: NSError { error(kCMBufferQueueError_RequiredParameterMissing) }
        public static var invalidCMBufferCallbacksStruct: NSError {
            error(kCMBufferQueueError_InvalidCMBufferCallbacksStruct)
        }
        public static var enqueueAfterEndOfData: NSError { error(kCMBufferQueueError_EnqueueAfterEndOfData) }
        public static var queueIsFull: NSError { error(kCMBufferQueueError_QueueIsFull) }
        public static var badTriggerDuration: NSError { error(kCMBufferQueueError_BadTriggerDuration) }
        public static var cannotModifyQueueFromTriggerCallback: NSError {
            error(kCMBufferQueueError_CannotModifyQueueFromTriggerCallback)
        }
        public static var invalidTriggerCondition: NSError { error(kCMBufferQueueError_InvalidTriggerCondition) }
        public static var invalidTriggerToken: NSError { error(kCMBufferQueueError_InvalidTriggerToken) }
        public static var invalidBuffer: NSError { error(kCMBufferQueueError_InvalidBuffer) }

        private static func error(_ status: OSStatus) -> NSError {
            NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }

    private let capacity: CMItemCount
    let handlers: Handlers
    let state = Lock(State())

    /// Creates a queue.
    ///
    /// - Parameter capacity: The maximum number of buffers; 0 for no limit.
    public init(capacity: CMItemCount, handlers: Handlers) throws {
        guard capacity >= 0 else { throw Error.requiredParameterMissing }
        self.capacity = capacity
        self.handlers = handlers
    }

    public class var typeID: CFTypeID { 10 }

    /// Inserts a buffer at the end of the queue, or at its position in a sorted queue.
    ///
    /// - Throws: The error of the validation handler, `Error.enqueueAfterEndOfData` or `Error.queueIsFull`.
    public func enqueue(_ buffer: CMBuffer) throws {
        try state.withLock { $0.validate }?(self, buffer)
        let number = state.withLock { state in
            state.lastItemNumber += 1
            return state.lastItemNumber
        }
        let item = Item(
            number: number, buffer: buffer, decodeTime: handlers.getDecodeTimeStamp?(buffer) ?? .invalid,
            presentationTime: handlers.getPresentationTimeStamp?(buffer) ?? .invalid,
            duration: handlers.getDuration(buffer), size: handlers.getSize?(buffer) ?? 0)
        while try !insert(item) {}
    }

    /// Inserts an item at its position; returns false if another thread changed the queue after the position was
    /// determined.
    private func insert(_ item: Item) throws -> Bool {
        let (items, version) = state.withLock { ($0.items, $0.version) }
        let index = position(of: item.buffer, in: items)
        return try change { state in
            if state.isEndOfDataMarked { throw Error.enqueueAfterEndOfData }
            if capacity > 0, state.items.count >= capacity { throw Error.queueIsFull }
            guard state.version == version else { return false }
            state.items.insert(item, at: index)
            return true
        }
    }

    /// Returns the index at which to insert a buffer: after all buffers that are not greater.
    private func position(of buffer: CMBuffer, in items: [Item]) -> Int {
        guard let compare = handlers.compare else { return items.count }
        let index = items.lastIndex { compare($0.buffer, buffer) != .compareGreaterThan }
        return index.map { $0 + 1 } ?? 0
    }

    /// Removes and returns the first buffer; nil if the queue is empty.
    public func dequeue() -> CMBuffer? {
        change { $0.items.isEmpty ? nil : $0.items.removeFirst().buffer }
    }

    /// Removes and returns the first buffer; nil if its data is not ready, or the queue is empty.
    public func dequeueIfDataReady() -> CMBuffer? {
        guard let isDataReady = handlers.isDataReady else { return dequeue() }
        while true {
            let (first, version) = state.withLock { ($0.items.first, $0.version) }
            guard let first, isDataReady(first.buffer) else { return nil }
            let buffer = change { state -> CMBuffer? in
                state.version == version ? state.items.removeFirst().buffer : nil
            }
            if let buffer { return buffer }
        }
    }

    /// Marks the end of data. No more buffers can be enqueued.
    public func markEndOfData() throws { change { $0.isEndOfDataMarked = true } }

    /// Removes all buffers and the end-of-data mark.
    public func reset() throws { try reset { _ in } }

    /// Removes all buffers and the end-of-data mark, and calls a closure with each buffer.
    public func reset(_ body: (CMBuffer) throws -> Void) throws {
        let items = change(isReset: true) { state in
            defer {
                state.items = []
                state.isEndOfDataMarked = false
            }
            return state.items
        }
        for item in items { try body(item.buffer) }
    }

    /// Sets the closure that checks each buffer before it is enqueued. If it throws, the buffer is rejected.
    public func setValidationHandler(_ body: @escaping (CMBufferQueue, CMBuffer) throws -> Void) {
        state.withLock { $0.validate = body }
    }

    /// Changes the state, then calls each trigger whose condition became true.
    ///
    /// The conditions are tested under the lock before and after the change, so that concurrent changes do not affect
    /// the result.
    func change<Result>(isReset: Bool = false, _ body: (inout State) throws -> Result) rethrows -> Result {
        let (result, triggers, headChange) = try state.withLock { state in
            guard !state.triggers.isEmpty else { return (try body(&state), [Trigger](), nil as HeadChange?) }
            let (before, oldHead) = (Summary(state), state.items.first)
            let result = try body(&state)
            let after = Summary(state)
            let triggers = state.triggers.filter { $0.fires(before: before, after: after, isReset: isReset) }
            return (result, triggers, state.headChange(since: oldHead))
        }
        call(triggers)
        if let headChange { callDataReadyTriggers(for: headChange) }
        return result
    }
}
