// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A pool of pixel buffers of one size and format that reuses their memory.
///
/// Thread-safe. The pool reuses a buffer's memory after the last reference to the buffer is released, so that in the
/// steady state no pixel memory is allocated. The pool may be released before its buffers.
///
/// - Note: Unlike Apple, a pool never frees memory by age: it keeps memory until it is flushed or released.
public final class CVPixelBufferPool: @unchecked Sendable {
    // SAFETY: `attributes` and `bufferAttributes` never change; `memories` is behind a lock.
    let attributes: [String: Any]
    let bufferAttributes: [String: Any]
    private let memories: PixelMemoryPool
    private let maximumBufferCount: Int?

    init(_ memories: PixelMemoryPool, attributes: [String: Any], maximumBufferCount: Int?) {
        self.memories = memories
        self.attributes = attributes
        self.bufferAttributes = memories.attributes
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

    deinit { memories.close() }

    /// A buffer without attachments and with undefined pixels; nil if all buffers are in use.
    package func makeBuffer() -> CVPixelBuffer? {
        try? makeBuffer(threshold: nil).get()
    }

    /// The name of the pool in reports about buffers that are not released; empty by default.
    package var name: String {
        get { memories.name }
        set { memories.name = newValue }
    }

    /// The object whose buffers the pool provides, in reports about buffers that are not released; nil by default.
    package var owner: ObjectIdentifier? {
        get { memories.owner }
        set { memories.owner = newValue }
    }

    /// The number of buffers of the pool, in use or idle.
    package var bufferCount: Int { memories.counts.allocated }
    /// The number of buffers in use.
    package var inUseCount: Int { memories.counts.inUse }
    /// The number of allocations of pixel memory since the pool was created.
    package var allocationCount: Int { memories.counts.allocations }

    /// A buffer, or a `CVReturn` error code.
    func makeBuffer(threshold: Int?) -> Result<CVPixelBuffer, CVFailure> {
        let limits = [threshold, maximumBufferCount].compactMap { $0 }
        return memories.acquire(limit: limits.min()).map { CVPixelBuffer($0, owner: memories) }
    }

    /// Allocates buffers up to a number.
    func reserve(_ count: Int) -> CVReturn { memories.reserve(count) }

    /// Frees the memory that is not in use.
    func flush() { memories.flush() }
}

/// The memory behind a pool; lives as long as the pool or any of its buffers.
final class PixelMemoryPool: PixelMemoryOwner, @unchecked Sendable {
    // SAFETY: the stored properties never change; the rest is behind a lock.

    private struct State {
        /// Invariant: `allocated` is `idle.count` plus the memories in use.
        var idle: [PixelMemory] = []
        var allocated = 0
        var allocations = 0
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

    /// The object that provides the buffers; nil by default.
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

    /// Returns idle memory, or allocates new memory if fewer than `limit` exist.
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

    /// Frees idle memory now, and other memory when its buffer is released.
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

/// Acquires a buffer from a pool, within `kCVPixelBufferPoolAllocationThresholdKey` of the auxiliary attributes.
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

/// Frees memory that is not in use: all of it with `.excessBuffers`, else nothing, because memory does not age here.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    if options.contains(.excessBuffers) { pool.flush() }
}

/// The Core Foundation type identifier.
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { 2 }
