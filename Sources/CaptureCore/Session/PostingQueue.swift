/// A queue of notices that one thread at a time posts, in the order in which they were appended.
///
/// While a thread posts, observers may append more elements; the same thread posts them, too.
///
/// Invariant: if `isPosting` is true, one thread calls `next()` until that returns nil.
struct PostingQueue<Element> {
    private var elements: [Element] = []
    private var isPosting = false

    /// Appends elements to be posted.
    mutating func append(contentsOf new: [Element]) { elements += new }

    /// Begins posting.
    ///
    /// - Returns: Whether the caller must post until `next()` returns nil; false if another thread is posting.
    mutating func begin() -> Bool {
        defer { isPosting = true }
        return !isPosting
    }

    /// Removes and returns the next element; ends posting if there is none.
    mutating func next() -> Element? {
        guard !elements.isEmpty else {
            isPosting = false
            return nil
        }
        return elements.removeFirst()
    }
}

extension PostingQueue: Sendable where Element: Sendable {}
