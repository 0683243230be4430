// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A pool of pixel buffers of one size and format that reuses their memory.
///
/// Thread-safe. The pool reuses a buffer's memory after the last reference to the buffer is released. No memory is
/// allocated as long as an unused buffer is available. The pool may be released before its buffers.
///
/// - Note: Unlike Apple, a pool never frees memory by age: it keeps memory until it is flushed or released.
public final class CVPixelBufferPool: @unchecked Sendable {
    // SAFETY: `attributes` and `bufferAttributes` are property lists that are never modified; `memoryPool` is
    // thread-safe.
    let attributes: [String: Any]
    let bufferAttributes: [String: Any]
    private let memoryPool: PixelMemoryPool
    private let maximumBufferCount: Int?

    init(_ memoryPool: PixelMemoryPool, attributes: [String: Any], maximumBufferCount: Int?) {
        self.memoryPool = memoryPool
        self.attributes = attributes
        self.bufferAttributes = memoryPool.attributes
        self.maximumBufferCount = maximumBufferCount
    }

    /// Creates a pool with a maximum number of buffers.
    ///
    /// - Parameter name: The name of the pool in reports about buffers that are not released.
    /// - Precondition: The format is known, and width, height and count are positive.
    package convenience init(
        width: Int, height: Int, pixelFormat: OSType, maximumBufferCount: Int, name: String = ""
    ) {
        precondition(maximumBufferCount > 0, "maximumBufferCount must be at least 1")
        precondition(
            PixelFormat.format(of: pixelFormat) != nil,
            "pixel format \(fourCharacterText(pixelFormat)) is unknown")
        precondition(
            (1...PixelMemoryLayout.maximumSide).contains(width) && (1...PixelMemoryLayout.maximumSide).contains(height),
            "\(width)x\(height) is not a valid size: each side must be in 1…\(PixelMemoryLayout.maximumSide)")
        let attributes: [String: Any] = [
            kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
            kCVPixelBufferPixelFormatTypeKey: pixelFormat,
        ]
        self.init(
            PixelMemoryPool(width: width, height: height, pixelFormat: pixelFormat, attributes: attributes),
            attributes: [:], maximumBufferCount: maximumBufferCount)
        self.name = name
    }

    deinit { memoryPool.close() }

    /// Returns a buffer without attachments and with undefined pixels; nil if the pool has its maximum number of
    /// buffers and all are in use, or if the allocation fails.
    package func makeBuffer() -> CVPixelBuffer? {
        try? makeBuffer(threshold: nil).get()
    }

    /// The name of the pool in reports about buffers that are not released; empty by default.
    package var name: String {
        get { memoryPool.name }
        set { memoryPool.name = newValue }
    }

    /// The object that the buffers are attributed to in reports about buffers that are not released; nil by default.
    package var owner: ObjectIdentifier? {
        get { memoryPool.owner }
        set { memoryPool.owner = newValue }
    }

    /// The number of buffers of the pool, in use or not.
    package var bufferCount: Int { memoryPool.counts.allocated }
    /// The number of buffers in use.
    package var inUseCount: Int { memoryPool.counts.inUse }
    /// The number of allocations of pixel memory since the pool was created.
    package var allocationCount: Int { memoryPool.counts.allocations }

    /// Returns a buffer, or a `CVReturn` error code.
    ///
    /// - Parameter threshold: The number of buffers at which the pool stops allocating; nil for no threshold.
    func makeBuffer(threshold: Int?) -> Result<CVPixelBuffer, CVFailure> {
        let limits = [threshold, maximumBufferCount].compactMap { $0 }
        return memoryPool.acquire(limit: limits.min()).map { CVPixelBuffer($0, recycler: memoryPool) }
    }

    /// Allocates memory until `count` buffers are available.
    func reserve(_ count: Int) -> CVReturn { memoryPool.reserve(count) }

    /// Frees the memory that is not in use.
    func flush() { memoryPool.flush() }
}

/// The memory of a pool; retained by the pool and by its buffers in use.
final class PixelMemoryPool: PixelMemoryRecycler, @unchecked Sendable {
    // SAFETY: the constants are never modified; `state` is a lock.

    private struct State {
        /// Invariant: `allocated` is `idle.count` plus the number of buffers in use.
        var idle: [PixelMemory] = []
        var allocated = 0
        /// The number of allocations since the pool was created.
        var allocations = 0
        /// Whether the pool was released, so that memory is freed instead of reused.
        var isClosed = false
        var name = ""
        var owner: ObjectIdentifier?
    }

    let attributes: [String: Any]
    private let width: Int
    private let height: Int
    private let pixelFormat: OSType
    private let state = Lock(State(), order: .primitive)

    init(width: Int, height: Int, pixelFormat: OSType, attributes: [String: Any]) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.attributes = attributes
        PixelBufferUsage.add(self)
    }

    /// The name in reports; empty by default.
    var name: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// The object that the buffers are attributed to in reports; nil by default.
    var owner: ObjectIdentifier? {
        get { state.withLock { $0.owner } }
        set { state.withLock { $0.owner = newValue } }
    }

    /// The name, size and format, for reports.
    var description: String {
        let name = name
        return (name.isEmpty ? "" : "\(name) ") + "(\(width)x\(height) \(fourCharacterText(pixelFormat)))"
    }

    /// The numbers of buffers, of buffers in use, and of allocations so far.
    var counts: (allocated: Int, inUse: Int, allocations: Int) {
        state.withLock { ($0.allocated, $0.allocated - $0.idle.count, $0.allocations) }
    }

    /// Returns idle memory, or allocates memory if the pool has fewer than `limit` buffers or `limit` is nil.
    func acquire(limit: Int?) -> Result<PixelMemory, CVFailure> {
        enum Decision {
            case reuse(PixelMemory)
            case allocate
            case fail
        }
        let decision: Decision = state.withLock { state in
            if let memory = state.idle.popLast() { return .reuse(memory) }
            if let limit, state.allocated >= limit { return .fail }
            state.allocated += 1
            state.allocations += 1
            return .allocate
        }
        switch decision {
        case .reuse(let memory):
            return .success(memory)
        case .fail:
            return .failure(kCVReturnWouldExceedAllocationThreshold)
        case .allocate:
            let result = PixelMemory.allocate(width, height, pixelFormat, attributes)
            if case .failure = result {
                state.withLock { state in
                    state.allocated -= 1
                    state.allocations -= 1
                }
            }
            return result
        }
    }

    /// Makes the memory of a released buffer available again.
    func recycle(_ memory: PixelMemory) {
        memory.reset()
        state.withLock { state in
            if state.isClosed { state.allocated -= 1 } else { state.idle.append(memory) }
        }
    }

    /// Allocates memory until `count` buffers are available.
    func reserve(_ count: Int) -> CVReturn {
        var acquired: [PixelMemory] = []
        defer { acquired.forEach(recycle) }
        while acquired.count < count {
            switch acquire(limit: nil) {
            case .success(let memory): acquired.append(memory)
            case .failure(let failure): return failure.code
            }
        }
        return kCVReturnSuccess
    }

    /// Frees idle memory.
    func flush() {
        let idle = state.withLock { state in
            let idle = state.idle
            state.idle = []
            state.allocated -= idle.count
            return idle
        }
        // Freed here, outside the lock.
        _ = idle
    }

    /// Frees idle memory now, and memory in use when its buffer is released.
    func close() {
        state.withLock { $0.isClosed = true }
        flush()
    }
}

extension CVPixelBufferPool: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CVPixelBufferPool, rhs: CVPixelBufferPool) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Options for `CVPixelBufferPoolFlush`.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: CVOptionFlags

    /// Creates flags from their bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// Frees all memory that is not in use, regardless of its age.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Creates a pool.
///
/// - Parameters:
///   - poolAttributes: `kCVPixelBufferPoolMinimumBufferCountKey` buffers are allocated immediately.
///   - pixelBufferAttributes: Width, height and pixel format are required.
/// - Returns: Success, or an error code.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    let attributes = pixelBufferAttributes ?? [:]
    guard let width = integerValue(attributes[kCVPixelBufferWidthKey], as: Int.self),
        let height = integerValue(attributes[kCVPixelBufferHeightKey], as: Int.self),
        let code = pixelFormats(attributes[kCVPixelBufferPixelFormatTypeKey])?.first
    else { return kCVReturnInvalidPixelBufferAttributes }
    guard PixelFormat.format(of: code) != nil else { return kCVReturnInvalidPixelFormat }
    let sides = 1...PixelMemoryLayout.maximumSide
    guard sides.contains(width), sides.contains(height) else { return kCVReturnInvalidSize }
    var minimum = 0
    if let attribute = poolAttributes?[kCVPixelBufferPoolMinimumBufferCountKey] {
        guard let count = integerValue(attribute, as: Int.self), (0...1024).contains(count)
        else { return kCVReturnInvalidPoolAttributes }
        minimum = count
    }
    let pool = CVPixelBufferPool(
        PixelMemoryPool(width: width, height: height, pixelFormat: code, attributes: attributes),
        attributes: poolAttributes ?? [:], maximumBufferCount: nil)
    let status = pool.reserve(minimum)
    guard status == kCVReturnSuccess else { return status }
    poolOut.pointee = pool
    return kCVReturnSuccess
}

/// Acquires a buffer from a pool; the pool grows if none is idle.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Acquires a buffer from a pool that grows up to `kCVPixelBufferPoolAllocationThresholdKey` in the auxiliary
/// attributes.
///
/// - Returns: `kCVReturnWouldExceedAllocationThreshold` if the pool has that many buffers and none is idle.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    var threshold: Int?
    if let attribute = auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey] {
        guard let count = integerValue(attribute, as: Int.self), count >= 0 else {
            return kCVReturnInvalidPoolAttributes
        }
        threshold = count
    }
    switch pixelBufferPool.makeBuffer(threshold: threshold) {
    case .success(let buffer):
        pixelBufferOut.pointee = buffer
        return kCVReturnSuccess
    case .failure(let failure):
        return failure.code
    }
}

/// The attributes that the pool was created with.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }

/// The attributes that the pool's buffers are created with.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.bufferAttributes
}

/// Frees all memory that is not in use with `.excessBuffers`; otherwise has no effect, because memory is never freed by
/// age.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    if options.contains(.excessBuffers) { pool.flush() }
}

/// The Core Foundation type identifier.
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { 2 }
