/// A buffer of pixels in memory. All buffers have pixels, so this is the same class as `CVBuffer`.
public typealias CVPixelBuffer = CVImageBuffer

/// Options for locking a pixel buffer.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: CVOptionFlags

    /// Creates flags from their bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// The pixels will be read and not written.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

extension PixelMemory {
    /// Allocates the memory of a pixel buffer with some attributes, or returns a `CVReturn` error code.
    static func allocate(
        _ width: Int, _ height: Int, _ pixelFormat: OSType, _ attributes: [String: Any]
    ) -> Result<PixelMemory, CVFailure> {
        guard let format = PixelFormat.format(of: pixelFormat) else { return .failure(kCVReturnInvalidPixelFormat) }
        let sides = 1...PixelMemoryLayout.maximumSide
        guard sides.contains(width), sides.contains(height) else { return .failure(kCVReturnInvalidSize) }
        guard let padding = PixelMemoryLayout.Padding(attributes) else {
            return .failure(kCVReturnInvalidPixelBufferAttributes)
        }
        var alignment = PixelMemoryLayout.minimumAlignment
        if let attribute = attributes[kCVPixelBufferBytesPerRowAlignmentKey] {
            guard let requested = integerValue(attribute, as: Int.self), requested > 0,
                requested & (requested - 1) == 0, requested <= 1 << 20
            else { return .failure(kCVReturnInvalidPixelBufferAttributes) }
            alignment = max(alignment, requested)
        }
        guard
            let layout = PixelMemoryLayout(
                format, width: width, height: height, padding: padding, alignment: alignment),
            let memory = PixelMemory(format, width: width, height: height, layout: layout, attributes: attributes)
        else { return .failure(kCVReturnAllocationFailed) }
        return .success(memory)
    }

    /// Returns the initial attachments in the attributes of a pixel buffer.
    static func initialAttachments(of attributes: [String: Any]) -> [String: Attachment] {
        var initial: [String: Attachment] = [:]
        for (key, propagates) in [
            (kCVBufferPropagatedAttachmentsKey, true), (kCVBufferNonPropagatedAttachmentsKey, false),
        ] {
            for (name, value) in attributes[key] as? [String: Any] ?? [:] {
                initial[name] = Attachment(value: value, propagates: propagates)
            }
        }
        return initial
    }
}

extension PixelMemoryLayout.Padding {
    /// Creates the padding that attributes request; nil if a number is invalid.
    init?(_ attributes: [String: Any]) {
        func count(_ key: CFString) -> Int? {
            guard let attribute = attributes[key] else { return 0 }
            guard let count = integerValue(attribute, as: Int.self), (0...PixelMemoryLayout.maximumSide).contains(count)
            else { return nil }
            return count
        }
        guard let left = count(kCVPixelBufferExtendedPixelsLeftKey),
            let right = count(kCVPixelBufferExtendedPixelsRightKey),
            let top = count(kCVPixelBufferExtendedPixelsTopKey),
            let bottom = count(kCVPixelBufferExtendedPixelsBottomKey)
        else { return nil }
        self.init(left: left, right: right, top: top, bottom: bottom)
    }

    /// Whether each side has at least the rows or columns of another padding.
    func contains(_ other: Self) -> Bool {
        left >= other.left && right >= other.right && top >= other.top && bottom >= other.bottom
    }
}

/// A `CVReturn` error code.
struct CVFailure: Error, ExpressibleByIntegerLiteral {
    let code: CVReturn

    init(code: CVReturn) { self.code = code }
    init(integerLiteral value: CVReturn) { self.code = value }
}

extension Result where Failure == CVFailure {
    /// A failure with a `CVReturn` code.
    static func failure(_ code: CVReturn) -> Self { .failure(CVFailure(code: code)) }
}

extension CVBuffer {
    /// Whether the base addresses are accessible.
    var isLocked: Bool { memory.state.withLock { $0.readLocks + $0.writeLocks > 0 } }

    /// Locks the pixels.
    func lock(_ flags: CVPixelBufferLockFlags) -> CVReturn {
        memory.state.withLock { state in
            if flags.contains(.readOnly) { state.readLocks += 1 } else { state.writeLocks += 1 }
        }
        return kCVReturnSuccess
    }

    /// Unlocks the pixels; `kCVReturnInvalidArgument` if they are not locked with these flags.
    func unlock(_ flags: CVPixelBufferLockFlags) -> CVReturn {
        memory.state.withLock { state in
            let path = flags.contains(.readOnly) ? \PixelMemory.State.readLocks : \PixelMemory.State.writeLocks
            guard state[keyPath: path] > 0 else { return kCVReturnInvalidArgument }
            state[keyPath: path] -= 1
            return kCVReturnSuccess
        }
    }
}
