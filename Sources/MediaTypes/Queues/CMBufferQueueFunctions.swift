// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CMBufferQueue.h`.

/// Error: memory allocation failed.
public let kCMBufferQueueError_AllocationFailed: OSStatus = -12760
/// Error: a required parameter is missing.
public let kCMBufferQueueError_RequiredParameterMissing: OSStatus = -12761
/// Error: the callbacks are invalid.
public let kCMBufferQueueError_InvalidCMBufferCallbacksStruct: OSStatus = -12762
/// Error: the end of data is marked.
public let kCMBufferQueueError_EnqueueAfterEndOfData: OSStatus = -12763
/// Error: the queue is full.
public let kCMBufferQueueError_QueueIsFull: OSStatus = -12764
/// Error: the duration of a trigger is invalid.
public let kCMBufferQueueError_BadTriggerDuration: OSStatus = -12765
/// Error: the queue cannot be changed by a trigger.
public let kCMBufferQueueError_CannotModifyQueueFromTriggerCallback: OSStatus = -12766
/// Error: the condition of a trigger is invalid.
public let kCMBufferQueueError_InvalidTriggerCondition: OSStatus = -12767
/// Error: there is no such trigger.
public let kCMBufferQueueError_InvalidTriggerToken: OSStatus = -12768
/// Error: the buffer is invalid.
public let kCMBufferQueueError_InvalidBuffer: OSStatus = -12769

/// Returns a time of a buffer.
public typealias CMBufferGetTimeCallback = (CMBuffer, UnsafeMutableRawPointer?) -> CMTime
/// Returns whether a buffer has a property.
public typealias CMBufferGetBooleanCallback = (CMBuffer, UnsafeMutableRawPointer?) -> Bool
/// Returns the order of two buffers.
public typealias CMBufferCompareCallback = (CMBuffer, CMBuffer, UnsafeMutableRawPointer?) -> CFComparisonResult
/// Returns the size of a buffer in bytes.
public typealias CMBufferGetSizeCallback = (CMBuffer, UnsafeMutableRawPointer?) -> Int
/// Checks a buffer; a result other than 0 rejects it.
public typealias CMBufferValidationCallback = (CMBufferQueue, CMBuffer, UnsafeMutableRawPointer?) -> OSStatus
/// Checks a buffer; a result other than 0 rejects it.
public typealias CMBufferValidationHandler = (CMBufferQueue, CMBuffer) -> OSStatus
/// Called when the condition of a trigger has become true.
public typealias CMBufferQueueTriggerCallback = (UnsafeMutableRawPointer?, CMBufferQueueTriggerToken) -> Void
/// The kind of a trigger's condition: `kCMBufferQueueTrigger_…`.
public typealias CMBufferQueueTriggerCondition = Int32

/// The functions that return the properties of buffers.
public struct CMBufferCallbacks {
    /// 1 if `getSize` is used, otherwise 0 or 1.
    public var version: UInt32
    public var refcon: UnsafeMutableRawPointer?
    public var getDecodeTimeStamp: CMBufferGetTimeCallback?
    public var getPresentationTimeStamp: CMBufferGetTimeCallback?
    public var getDuration: CMBufferGetTimeCallback
    public var isDataReady: CMBufferGetBooleanCallback?
    public var compare: CMBufferCompareCallback?
    public var dataBecameReadyNotification: CFString?
    public var getSize: CMBufferGetSizeCallback?

    /// Creates callbacks.
    public init(
        version: UInt32, refcon: UnsafeMutableRawPointer?, getDecodeTimeStamp: CMBufferGetTimeCallback?,
        getPresentationTimeStamp: CMBufferGetTimeCallback?, getDuration: @escaping CMBufferGetTimeCallback,
        isDataReady: CMBufferGetBooleanCallback?, compare: CMBufferCompareCallback?,
        dataBecameReadyNotification: CFString?, getSize: CMBufferGetSizeCallback?
    ) {
        self.version = version
        self.refcon = refcon
        self.getDecodeTimeStamp = getDecodeTimeStamp
        self.getPresentationTimeStamp = getPresentationTimeStamp
        self.getDuration = getDuration
        self.isDataReady = isDataReady
        self.compare = compare
        self.dataBecameReadyNotification = dataBecameReadyNotification
        self.getSize = getSize
    }

    init(_ handlers: CMBufferQueue.Handlers) {
        self.init(
            version: 1, refcon: nil,
            getDecodeTimeStamp: handlers.getDecodeTimeStamp.map { body in { buffer, _ in body(buffer) } },
            getPresentationTimeStamp: handlers.getPresentationTimeStamp.map { body in { buffer, _ in body(buffer) } },
            getDuration: { buffer, _ in handlers.getDuration(buffer) },
            isDataReady: handlers.isDataReady.map { body in { buffer, _ in body(buffer) } },
            compare: handlers.compare.map { body in { first, second, _ in body(first, second) } },
            dataBecameReadyNotification: handlers.dataBecameReadyNotification,
            getSize: handlers.getSize.map { body in { buffer, _ in body(buffer) } })
    }

    // SAFETY: constants that are never freed or written.
    nonisolated(unsafe) static let unsorted = pointer(CMBufferCallbacks(.unsortedSampleBuffers))
    nonisolated(unsafe) static let sorted = pointer(CMBufferCallbacks(.outputPTSSortedSampleBuffers))

    private static func pointer(_ callbacks: CMBufferCallbacks) -> UnsafePointer<CMBufferCallbacks> {
        let pointer = UnsafeMutablePointer<CMBufferCallbacks>.allocate(capacity: 1)
        pointer.initialize(to: callbacks)
        return UnsafePointer(pointer)
    }

    var handlers: CMBufferQueue.Handlers {
        let callbacks = self
        return CMBufferQueue.Handlers { builder in
            if let body = callbacks.getDecodeTimeStamp {
                builder.getDecodeTimeStamp { body($0, callbacks.refcon) }
            }
            if let body = callbacks.getPresentationTimeStamp {
                builder.getPresentationTimeStamp { body($0, callbacks.refcon) }
            }
            builder.getDuration { callbacks.getDuration($0, callbacks.refcon) }
            if let body = callbacks.isDataReady { builder.isDataReady { body($0, callbacks.refcon) } }
            if let body = callbacks.compare { builder.compare { body($0, $1, callbacks.refcon) } }
            if let body = callbacks.getSize { builder.getSize { body($0, callbacks.refcon) } }
            builder.dataBecameReadyNotification = callbacks.dataBecameReadyNotification
        }
    }
}

/// Returns the callbacks for sample buffers, first in, first out.
public func CMBufferQueueGetCallbacksForUnsortedSampleBuffers() -> UnsafePointer<CMBufferCallbacks> {
    CMBufferCallbacks.unsorted
}

/// Returns the callbacks for sample buffers in the order of their output presentation times.
public func CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS() -> UnsafePointer<CMBufferCallbacks> {
    CMBufferCallbacks.sorted
}

/// Creates a queue.
///
/// - Parameter capacity: The maximum number of buffers; 0 for no limit.
@discardableResult
public func CMBufferQueueCreate(
    allocator: CFAllocator?, capacity: CMItemCount, callbacks: UnsafePointer<CMBufferCallbacks>,
    queueOut: UnsafeMutablePointer<CMBufferQueue?>
) -> OSStatus {
    resultCode { queueOut.pointee = try CMBufferQueue(capacity: capacity, handlers: callbacks.pointee.handlers) }
}

/// The Core Foundation type identifier.
public func CMBufferQueueGetTypeID() -> CFTypeID { CMBufferQueue.typeID }

/// Inserts a buffer at the end of the queue, or at its position in a sorted queue.
@discardableResult
public func CMBufferQueueEnqueue(_ queue: CMBufferQueue, buffer buf: CMBuffer) -> OSStatus {
    resultCode { try queue.enqueue(buf) }
}

/// Removes and returns the first buffer; nil if the queue is empty.
public func CMBufferQueueDequeue(_ queue: CMBufferQueue) -> CMBuffer? { queue.dequeue() }

/// Removes and returns the first buffer; nil if its data is not ready, or the queue is empty.
public func CMBufferQueueDequeueIfDataReady(_ queue: CMBufferQueue) -> CMBuffer? { queue.dequeueIfDataReady() }

/// The first buffer; nil if the queue is empty.
public func CMBufferQueueGetHead(_ queue: CMBufferQueue) -> CMBuffer? { queue.head }

/// The first buffer; nil if the queue is empty.
public func CMBufferQueueCopyHead(_ queue: CMBufferQueue) -> CMBuffer? { queue.head }

/// Whether the queue has no buffers.
public func CMBufferQueueIsEmpty(_ queue: CMBufferQueue) -> Bool { queue.isEmpty }

/// Marks the end of data. No more buffers can be enqueued.
@discardableResult
public func CMBufferQueueMarkEndOfData(_ queue: CMBufferQueue) -> OSStatus { resultCode { try queue.markEndOfData() } }

/// Whether the end of data is marked.
public func CMBufferQueueContainsEndOfData(_ queue: CMBufferQueue) -> Bool { queue.containsEndOfData }

/// Whether the end of data is marked and the queue is empty.
public func CMBufferQueueIsAtEndOfData(_ queue: CMBufferQueue) -> Bool { queue.isAtEndOfData }

/// Removes all buffers and the end-of-data mark.
@discardableResult
public func CMBufferQueueReset(_ queue: CMBufferQueue) -> OSStatus { resultCode { try queue.reset() } }

/// Removes all buffers and the end-of-data mark, and calls a function with each buffer.
@discardableResult
public func CMBufferQueueResetWithCallback(
    _ queue: CMBufferQueue, callback: (CMBuffer, UnsafeMutableRawPointer?) -> Void, refcon: UnsafeMutableRawPointer?
) -> OSStatus {
    resultCode { try queue.reset { callback($0, refcon) } }
}

/// The number of buffers.
public func CMBufferQueueGetBufferCount(_ queue: CMBufferQueue) -> CMItemCount { queue.bufferCount }

/// The sum of the buffers' durations.
public func CMBufferQueueGetDuration(_ queue: CMBufferQueue) -> CMTime { queue.duration }

/// The earliest decode time; invalid if there is none.
public func CMBufferQueueGetMinDecodeTimeStamp(_ queue: CMBufferQueue) -> CMTime { queue.minDecodeTimeStamp }

/// The decode time of the first buffer; invalid if there is none.
public func CMBufferQueueGetFirstDecodeTimeStamp(_ queue: CMBufferQueue) -> CMTime { queue.firstDecodeTimeStamp }

/// The earliest presentation time; invalid if there is none.
public func CMBufferQueueGetMinPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
    queue.minPresentationTimeStamp
}

/// The presentation time of the first buffer; invalid if there is none.
public func CMBufferQueueGetFirstPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
    queue.firstPresentationTimeStamp
}

/// The latest presentation time; invalid if there is none.
public func CMBufferQueueGetMaxPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
    queue.maxPresentationTimeStamp
}

/// The latest end of a buffer (presentation time plus duration); invalid if there is none.
public func CMBufferQueueGetEndPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
    queue.endPresentationTimeStamp
}

/// The sum of the buffers' sizes in bytes.
public func CMBufferQueueGetTotalSize(_ queue: CMBufferQueue) -> Int { queue.totalSize }

/// Calls a function with each buffer until it returns an error.
///
/// - Returns: The first result other than 0.
@discardableResult
public func CMBufferQueueCallForEachBuffer(
    _ queue: CMBufferQueue, callback: (CMBuffer, UnsafeMutableRawPointer?) -> OSStatus,
    refcon: UnsafeMutableRawPointer?
) -> OSStatus {
    for buffer in queue.buffers {
        let status = callback(buffer, refcon)
        if status != noErr { return status }
    }
    return noErr
}

/// Sets the function that checks each buffer before it is enqueued.
@discardableResult
public func CMBufferQueueSetValidationCallback(
    _ queue: CMBufferQueue, callback: @escaping CMBufferValidationCallback, refcon: UnsafeMutableRawPointer?
) -> OSStatus {
    CMBufferQueueSetValidationHandler(queue) { callback($0, $1, refcon) }
}

/// Sets the closure that checks each buffer before it is enqueued.
@discardableResult
public func CMBufferQueueSetValidationHandler(
    _ queue: CMBufferQueue, _ handler: @escaping CMBufferValidationHandler
) -> OSStatus {
    queue.setValidationHandler { queue, buffer in
        let status = handler(queue, buffer)
        if status != noErr { throw mediaError(status, "the buffer was rejected by the validation handler") }
    }
    return noErr
}
