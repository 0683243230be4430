/// The active configuration, and the changes that wait for the outermost commit.
///
/// Transactions nest. Invariant: `open` is not nil while at least one transaction has begun and not been committed.
struct SessionTransaction<Configuration, Snapshot> {
    /// The active configuration.
    private(set) var committed: Configuration
    private var open: Open?

    /// The changes of an open transaction.
    fileprivate struct Open {
        var draft: Configuration
        /// The state outside the configuration when the transaction was begun.
        let snapshot: Snapshot
        /// The number of commits that the transaction waits for, at least 1.
        var depth = 1
    }

    /// The result of an outermost commit: everything that a rollback needs.
    struct Commit {
        let previous: Configuration
        let current: Configuration
        let snapshot: Snapshot
    }

    init(committed: Configuration) { self.committed = committed }

    /// Whether changes wait for a commit.
    var isOpen: Bool { open != nil }

    /// The configuration that clients read: the draft while a transaction is open.
    var current: Configuration { open?.draft ?? committed }

    /// Begins a transaction.
    ///
    /// - Parameter snapshot: The state that a rollback restores; only the snapshot of the outermost transaction is
    ///   kept.
    mutating func begin(_ snapshot: Snapshot) {
        if open == nil {
            open = Open(draft: committed, snapshot: snapshot)
        } else {
            open?.depth += 1
        }
    }

    /// Changes the draft of the open transaction; without one, the active configuration.
    mutating func change<Result>(_ body: (inout Configuration) -> Result) -> Result {
        guard var transaction = open else { return body(&committed) }
        defer { open = transaction }
        return body(&transaction.draft)
    }

    /// Ends the innermost transaction; ending the outermost one activates the changes.
    ///
    /// - Returns: The change to apply; nil for an inner commit or one without a transaction.
    mutating func commit() -> Commit? {
        guard let transaction = open else { return nil }
        guard transaction.depth == 1 else {
            open?.depth -= 1
            return nil
        }
        let commit = Commit(previous: committed, current: transaction.draft, snapshot: transaction.snapshot)
        committed = transaction.draft
        open = nil
        return commit
    }

    /// Restores an earlier configuration after the devices rejected the committed one.
    mutating func rollBack(to configuration: Configuration) { committed = configuration }
}

extension SessionTransaction: Sendable where Configuration: Sendable, Snapshot: Sendable {}
extension SessionTransaction.Open: Sendable where Configuration: Sendable, Snapshot: Sendable {}
extension SessionTransaction.Commit: Sendable where Configuration: Sendable, Snapshot: Sendable {}
