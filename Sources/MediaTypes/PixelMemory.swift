import Glibc
import Synchronization

/// The visible part of one plane of pixels.
///
/// Valid while the pixel buffer that it came from is alive.
package struct PixelPlane: @unchecked Sendable {
    // SAFETY: the pointer is only an address; who reads or writes through it keeps the pixel buffer's rules.
    /// The first pixel of the first row.
    package let baseAddress: UnsafeMutableRawPointer
    /// Columns of the plane.
    package let width: Int
    /// Rows of the plane.
    package let height: Int
    /// Bytes from one row to the next; more than the pixels need where rows are padded.
    package let bytesPerRow: Int

    package init(baseAddress: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
        self.baseAddress = baseAddress
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
    }
}

/// The memory of one picture and what goes with it from frame to frame: reused whole by a pool.
final class PixelMemory: @unchecked Sendable {
    // SAFETY: the stored properties never change; `state` is a lock. The bytes belong to whoever holds the pixel buffer.

    /// What a pixel buffer changes during its life.
    struct State {
        var attachments: [String: Attachment] = [:]
        /// Rises with each change of the attachments.
        var changeCount = 0
        /// What the picture is, once someone asked; nil after every change of the attachments.
        var formatDescription: CMFormatDescription?
        /// Invariant: neither count is ever negative.
        var readLocks = 0
        var writeLocks = 0
    }

    let format: PixelFormat
    let width: Int
    let height: Int
    let planes: [PixelPlane]
    let padding: PixelLayout.Padding
    /// Bytes of all planes with their padding.
    let byteCount: Int
    /// The attributes that the buffer was asked for with.
    let attributes: [String: Any]
    /// What each picture in this memory begins with.
    private let firstAttachments: [String: Attachment]
    let state: Lock<State>
    /// Whether the present holder has changed `state`: most look at the pixels only, and cost nothing when they let go.
    let isTouched = Atomic(false)
    /// What a picture is to whose attachments nothing was done.
    private let firstDescription: FirstDescription
    private let release: () -> Void
    /// Called after each picture in memory that is lent, when its last user has let it go.
    private let giveBack: (() -> Void)?

    /// Allocates zeroed memory; nil where there is none.
    init?(_ format: PixelFormat, width: Int, height: Int, layout: PixelLayout, attributes: [String: Any]) {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, PixelLayout.minimumAlignment, max(1, layout.byteCount)) == 0, let memory
        else { return nil }
        memset(memory, 0, layout.byteCount)
        self.format = format
        self.width = width
        self.height = height
        self.padding = layout.padding
        self.byteCount = layout.byteCount
        self.attributes = attributes
        firstAttachments = Self.initialAttachments(of: attributes)
        firstDescription = FirstDescription()
        state = Lock(State(attachments: firstAttachments), order: .primitive)
        self.planes = layout.planes.map {
            PixelPlane(
                baseAddress: memory + $0.offset, width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow)
        }
        self.release = { free(memory) }
        giveBack = nil
    }

    /// Shows memory that belongs to someone else.
    ///
    /// - Parameters:
    ///   - attachments: What each picture in this memory begins with; nil takes what the attributes name.
    ///   - description: Common to memories of this shape that begin with the same attachments.
    ///   - release: Called once, on any thread, when the memory is no longer used.
    ///   - giveBack: Called after each picture in it, on any thread, when its last user has let it go.
    init(
        _ format: PixelFormat, width: Int, height: Int, planes: [PixelPlane], attributes: [String: Any] = [:],
        attachments: [String: Attachment]? = nil, description: FirstDescription = FirstDescription(),
        release: @escaping () -> Void, giveBack: (() -> Void)? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.padding = PixelLayout.Padding()
        self.byteCount = planes.reduce(0) { $0 + $1.bytesPerRow * $1.height }
        self.attributes = attributes
        firstAttachments = attachments ?? Self.initialAttachments(of: attributes)
        firstDescription = description
        state = Lock(State(attachments: firstAttachments), order: .primitive)
        self.planes = planes
        self.release = release
        self.giveBack = giveBack
    }

    deinit { release() }

    /// Takes on other attachments.
    ///
    /// Those that go are destroyed by the caller, outside the lock: they may be anything.
    func replaceAttachments(_ attachments: [String: Attachment]) -> [String: Attachment] {
        isTouched.store(true, ordering: .relaxed)
        return state.withLock { state in
            let old = state.attachments
            state.attachments = attachments
            state.changeCount += 1
            state.formatDescription = nil
            return old
        }
    }

    /// The last user has let go of a picture that has no other owner, or of a sample whose picture nobody asked for.
    func letGo() {
        guard let giveBack else { return }
        reset()
        giveBack()
    }

    /// Forgets what the last holder attached and locked.
    func reset() {
        // All that the last holder did came before it let go, which is what leads here.
        guard isTouched.load(ordering: .relaxed) else { return }
        isTouched.store(false, ordering: .relaxed)
        let old = state.withLock { state in
            let old = state.attachments
            state = State(attachments: firstAttachments)
            return old
        }
        // The values are destroyed here, outside the lock: they may be anything.
        _ = old
    }

    /// Whether a picture with these attachments is known to be what a description says.
    func isDescribed(by description: ObjectIdentifier) -> Bool {
        !isTouched.load(ordering: .relaxed) && firstDescription.isKnown(as: description)
    }

    /// The description of a picture with these attachments, made once for all frames that have the same.
    func formatDescription(_ make: () -> CMFormatDescription) -> CMFormatDescription {
        guard isTouched.load(ordering: .relaxed) else {
            if let known = firstDescription.known { return known }
            let description = make()
            // Attachments that came meanwhile may be in it.
            return isTouched.load(ordering: .relaxed) ? description : firstDescription.keep(description)
        }
        let (known, changeCount) = state.withLock { ($0.formatDescription, $0.changeCount) }
        if let known { return known }
        let description = make()
        state.withLock { if $0.changeCount == changeCount { $0.formatDescription = description } }
        return description
    }
}
