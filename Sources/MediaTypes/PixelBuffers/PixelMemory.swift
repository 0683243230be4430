import Glibc

/// The visible part of one plane of pixels.
///
/// Valid while its pixel buffer is retained.
package struct PixelPlane: @unchecked Sendable {
    // SAFETY: the pointer is only an address. Code that accesses its memory follows the rules of `CVBuffer`.
    /// The first pixel of the first row.
    package let baseAddress: UnsafeMutableRawPointer
    /// Columns of the plane.
    package let width: Int
    /// Rows of the plane.
    package let height: Int
    /// Bytes from one row to the next, including padding.
    package let bytesPerRow: Int

    package init(baseAddress: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
        self.baseAddress = baseAddress
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
    }
}

/// The memory and the attachments of a pixel buffer; pools reuse both.
final class PixelMemory: @unchecked Sendable {
    // SAFETY: the constants are never modified; `state` is a lock. Access to the pixels follows the rules of
    // `CVBuffer`.

    /// The properties that change while a pixel buffer is in use.
    struct State {
        var attachments: [String: Attachment] = [:]
        /// The number of changes of the attachments; 0 if they are the initial ones.
        var changeCount = 0
        /// The format description for the current attachments; nil until it is first requested.
        var formatDescription: CMFormatDescription?
        /// Invariant: both counts are at least 0.
        var readLocks = 0
        var writeLocks = 0
    }

    let format: PixelFormat
    let width: Int
    let height: Int
    let planes: [PixelPlane]
    let padding: PixelMemoryLayout.Padding
    /// The size of all planes in bytes, padding included.
    let byteCount: Int
    /// The attributes that the buffer was created with.
    let attributes: [String: Any]
    /// The attachments of a new pixel buffer in this memory.
    private let initialAttachments: [String: Attachment]
    let state: Lock<State>
    private let release: () -> Void

    /// Allocates zeroed memory; nil if the allocation fails.
    init?(_ format: PixelFormat, width: Int, height: Int, layout: PixelMemoryLayout, attributes: [String: Any]) {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, PixelMemoryLayout.minimumAlignment, max(1, layout.byteCount)) == 0, let memory
        else { return nil }
        memset(memory, 0, layout.byteCount)
        self.format = format
        self.width = width
        self.height = height
        self.padding = layout.padding
        self.byteCount = layout.byteCount
        self.attributes = attributes
        initialAttachments = Self.initialAttachments(of: attributes)
        state = Lock(State(attachments: initialAttachments), order: .primitive)
        self.planes = layout.planes.map {
            PixelPlane(
                baseAddress: memory + $0.offset, width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow)
        }
        self.release = { free(memory) }
    }

    /// Wraps memory that the caller owns.
    ///
    /// - Parameters:
    ///   - attachments: The initial attachments; nil for those in `attributes`.
    ///   - formatDescription: The format description for the initial attachments, if it is known.
    ///   - release: Called once, on any thread, when the memory is no longer used.
    init(
        _ format: PixelFormat, width: Int, height: Int, planes: [PixelPlane], attributes: [String: Any] = [:],
        attachments: [String: Attachment]? = nil, formatDescription: CMFormatDescription? = nil,
        release: @escaping () -> Void
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.padding = PixelMemoryLayout.Padding()
        self.byteCount = planes.reduce(0) { $0 + $1.bytesPerRow * $1.height }
        self.attributes = attributes
        initialAttachments = attachments ?? Self.initialAttachments(of: attributes)
        state = Lock(State(attachments: initialAttachments, formatDescription: formatDescription), order: .primitive)
        self.planes = planes
        self.release = release
    }

    deinit { release() }

    /// Replaces the attachments.
    ///
    /// - Returns: The old attachments. The caller releases them outside the lock, because a `deinit` may run any code.
    func replaceAttachments(_ attachments: [String: Attachment]) -> [String: Attachment] {
        state.withLock { state in
            let old = state.attachments
            state.attachments = attachments
            state.changeCount += 1
            state.formatDescription = nil
            return old
        }
    }

    /// Restores the initial attachments and clears the lock counts, before the memory is reused.
    func reset() {
        let old = state.withLock { state -> State? in
            (state.readLocks, state.writeLocks) = (0, 0)
            guard state.changeCount > 0 else { return nil }
            let old = state
            state = State(attachments: initialAttachments)
            return old
        }
        // The values are released here, outside the lock, because a `deinit` may run any code.
        withExtendedLifetime(old) {}
    }

    /// Returns the format description for the current attachments; `create` is called if there is none.
    func formatDescription(_ create: () -> CMFormatDescription) -> CMFormatDescription {
        let (known, changeCount) = state.withLock { ($0.formatDescription, $0.changeCount) }
        if let known { return known }
        let description = create()
        state.withLock { if $0.changeCount == changeCount { $0.formatDescription = description } }
        return description
    }
}
