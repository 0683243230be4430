import Synchronization

/// What pictures are to whose attachments nothing was done, made once for all memories that begin with the same.
///
/// - Important: Thread-safe.
package final class FirstDescription: @unchecked Sendable {
    // SAFETY: the one property is atomic, and what it points to never changes; the pointer is stored with release and read
    // with acquire order.
    /// A description that this object owns. `AtomicLazyReference` does the same at ten times the cost.
    private let made = Atomic<UnsafeRawPointer?>(nil)

    package init() {}

    deinit {
        if let known = made.load(ordering: .acquiring) { Unmanaged<CMFormatDescription>.fromOpaque(known).release() }
    }

    /// The description, once someone has made it.
    var known: CMFormatDescription? {
        made.load(ordering: .acquiring).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether it is this description.
    func isKnown(as description: ObjectIdentifier) -> Bool {
        UInt(bitPattern: made.load(ordering: .acquiring)) == UInt(bitPattern: description)
    }

    /// Keeps a description for all, unless there is one.
    func keep(_ description: CMFormatDescription) -> CMFormatDescription {
        let new = Unmanaged.passRetained(description)
        let (isFirst, present) = made.compareExchange(
            expected: nil, desired: UnsafeRawPointer(new.toOpaque()), ordering: .acquiringAndReleasing)
        guard !isFirst, let present else { return description }
        new.release()
        return Unmanaged.fromOpaque(present).takeUnretainedValue()
    }
}
