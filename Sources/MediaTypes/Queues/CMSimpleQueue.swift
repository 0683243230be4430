// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CMSimpleQueue.h`.

/// Error: memory allocation failed.
public let kCMSimpleQueueError_AllocationFailed: OSStatus = -12770
/// Error: a required parameter is missing.
public let kCMSimpleQueueError_RequiredParameterMissing: OSStatus = -12771
/// Error: a parameter is out of range.
public let kCMSimpleQueueError_ParameterOutOfRange: OSStatus = -12772
/// Error: the queue is full.
public let kCMSimpleQueueError_QueueIsFull: OSStatus = -12773

/// A first-in, first-out queue of pointers with a fixed capacity.
///
/// - Important: Thread-safe. The queue neither retains nor frees the objects that the pointers refer to.
public final class CMSimpleQueue: @unchecked Sendable {
    // SAFETY: the elements are protected by a lock; the pointers are only addresses.
    private let elements = Lock<[UnsafeRawPointer]>([])
    /// The maximum number of elements.
    public let capacity: Int

    /// Creates a queue.
    ///
    /// - Throws: `kCMSimpleQueueError_ParameterOutOfRange` if the capacity is negative.
    public init(capacity: Int) throws {
        guard capacity >= 0 else {
            throw mediaError(kCMSimpleQueueError_ParameterOutOfRange, "the capacity of a queue cannot be negative")
        }
        self.capacity = capacity
    }

    /// The number of elements.
    public var count: Int { elements.withLock { $0.count } }
    /// The number of elements divided by the capacity; 0 if the capacity is 0.
    public var fullness: Float { capacity == 0 ? 0 : Float(count) / Float(capacity) }
    /// The oldest element; nil if the queue is empty.
    public var head: UnsafeRawPointer? { elements.withLock { $0.first } }

    /// Appends an element.
    ///
    /// - Throws: `kCMSimpleQueueError_QueueIsFull` if the queue has `capacity` elements.
    public func enqueue(_ element: UnsafeRawPointer) throws {
        let isFull = elements.withLock { elements in
            guard elements.count < capacity else { return true }
            elements.append(element)
            return false
        }
        if isFull { throw mediaError(kCMSimpleQueueError_QueueIsFull, "the queue has \(capacity) elements") }
    }

    /// Removes and returns the oldest element; nil if the queue is empty.
    public func dequeue() -> UnsafeRawPointer? {
        elements.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Removes all elements.
    public func reset() throws { elements.withLock { $0 = [] } }

    public static var typeID: CFTypeID { 8 }
}

/// The Core Foundation type identifier.
public func CMSimpleQueueGetTypeID() -> CFTypeID { CMSimpleQueue.typeID }

/// Creates a queue.
@discardableResult
public func CMSimpleQueueCreate(
    allocator: CFAllocator?, capacity: Int32, queueOut: UnsafeMutablePointer<CMSimpleQueue?>
) -> OSStatus {
    resultCode { queueOut.pointee = try CMSimpleQueue(capacity: Int(capacity)) }
}

/// Appends an element.
@discardableResult
public func CMSimpleQueueEnqueue(_ queue: CMSimpleQueue, element: UnsafeRawPointer) -> OSStatus {
    resultCode { try queue.enqueue(element) }
}

/// Removes and returns the oldest element; nil if the queue is empty.
public func CMSimpleQueueDequeue(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.dequeue() }

/// The oldest element; nil if the queue is empty.
public func CMSimpleQueueGetHead(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.head }

/// Removes all elements.
@discardableResult
public func CMSimpleQueueReset(_ queue: CMSimpleQueue) -> OSStatus { resultCode { try queue.reset() } }

/// The maximum number of elements.
public func CMSimpleQueueGetCapacity(_ queue: CMSimpleQueue) -> Int32 { Int32(clamping: queue.capacity) }

/// The number of elements.
public func CMSimpleQueueGetCount(_ queue: CMSimpleQueue) -> Int32 { Int32(clamping: queue.count) }
