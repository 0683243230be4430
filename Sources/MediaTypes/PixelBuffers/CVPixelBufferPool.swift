// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A pool of pixel buffers of one size and format that reuses their memory.
///
/// Thread-safe. The pool reuses a buffer's memory after the last reference to the buffer is released, so that in the steady
/// state no pixel memory is allocated. The pool may be released before its buffers.
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
    /// - Precondition: The format is known, and width, height and count are positive.
    package convenience init(width: Int, height: Int, pixelFormat: OSType, maximumBufferCount: Int) {
        precondition(maximumBufferCount > 0, "a pool needs room for at least one buffer")
        precondition(
            PixelFormat.format(of: pixelFormat) != nil,
            "pixel format \(fourCharacterText(pixelFormat)) is not known")
        precondition(
            (1...PixelLayout.maximumSide).contains(width) && (1...PixelLayout.maximumSide).contains(height),
            "\(width)x\(height) is no size: each side must be 1…\(PixelLayout.maximumSide)")
        let attributes: [String: Any] = [
            kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
            kCVPixelBufferPixelFormatTypeKey: pixelFormat,
        ]
        self.init(
            PixelMemoryPool(width: width, height: height, pixelFormat: pixelFormat, attributes: attributes),
            attributes: [:], maximumBufferCount: maximumBufferCount)
    }

    deinit { memories.close() }

    /// A buffer without attachments and with undefined pixels; nil if all buffers are in use.
    package func makeBuffer() -> CVPixelBuffer? {
        try? makeBuffer(threshold: nil).get()
    }

    /// The number of buffers of the pool, in use or idle.
    package var allocatedCount: Int { memories.counts.allocated }
    /// The number of buffers in use.
    package var inUseCount: Int { memories.counts.inUse }
    /// The number of allocations of pixel memory since the pool was created.
    package var allocationCount: Int { memories.counts.allocations }

    /// A buffer, or a `CVReturn` error code.
    func makeBuffer(threshold: Int?) -> Result<CVPixelBuffer, CVFailure> {
        let limits = [threshold, maximumBufferCount].compactMap { $0 }
        return memories.take(limit: limits.min()).map { CVPixelBuffer($0, owner: memories) }
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
    }

    var counts: (allocated: Int, inUse: Int, allocations: Int) {
        state.withLock { ($0.allocated, $0.allocated - $0.idle.count, $0.allocations) }
    }

    /// An idle memory, or a new one while there are fewer than `limit`.
    func take(limit: Int?) -> Result<PixelMemory, CVFailure> {
        enum Decision {
            case reuse(PixelMemory)
            case allocate
            case refuse
        }
        let decision: Decision = state.withLock { state in
            if let memory = state.idle.popLast() { return .reuse(memory) }
            if let limit, state.allocated >= limit { return .refuse }
            state.allocated += 1
            state.allocations += 1
            return .allocate
        }
        switch decision {
        case .reuse(let memory):
            return .success(memory)
        case .refuse:
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

    func reserve(_ count: Int) -> CVReturn {
        var taken: [PixelMemory] = []
        defer { taken.forEach(recycle) }
        while taken.count < count {
            switch take(limit: nil) {
            case .success(let memory): taken.append(memory)
            case .failure(let failure): return failure.code
            }
        }
        return kCVReturnSuccess
    }

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

    func close() {
        state.withLock { $0.isClosed = true }
        flush()
    }
}

extension CVPixelBufferPool: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CVPixelBufferPool, rhs: CVPixelBufferPool) -> Bool { lhs === rhs }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What `CVPixelBufferPoolFlush` frees.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: CVOptionFlags

    /// Makes flags from their bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// All that is not in use, whatever its age.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Creates a pool.
///
/// - Parameters:
///   - poolAttributes: `kCVPixelBufferPoolMinimumBufferCountKey` buffers are allocated at once.
///   - pixelBufferAttributes: Width, height and pixel format must be there.
/// - Returns: Success, or an error code.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    let attributes = pixelBufferAttributes ?? [:]
    guard let width = integer(attributes[kCVPixelBufferWidthKey], as: Int.self),
        let height = integer(attributes[kCVPixelBufferHeightKey], as: Int.self),
        let code = pixelFormats(attributes[kCVPixelBufferPixelFormatTypeKey])?.first
    else { return kCVReturnInvalidPixelBufferAttributes }
    guard PixelFormat.format(of: code) != nil else { return kCVReturnInvalidPixelFormat }
    let sides = 1...PixelLayout.maximumSide
    guard sides.contains(width), sides.contains(height) else { return kCVReturnInvalidSize }
    var minimum = 0
    if let attribute = poolAttributes?[kCVPixelBufferPoolMinimumBufferCountKey] {
        guard let count = integer(attribute, as: Int.self), (0...1024).contains(count)
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
        guard let count = integer(attribute, as: Int.self), count >= 0 else { return kCVReturnInvalidPoolAttributes }
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

/// Frees memory that is not in use: all of it with `.excessBuffers`, else what is too old, which here nothing is.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    if options.contains(.excessBuffers) { pool.flush() }
}

/// The class's number.
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { 2 }
