import CaptureHAL
import MediaTypes

/// The changes that were already reported to observers, or that need not be reported.
///
/// The history of the index lists all changes. A change of this process is reported when it is applied, those of other
/// processes when `PHPhotoLibrary.reportForeignChanges` finds them.
struct ReportedChanges: Sendable {
    /// The last change that was found; nil until the library is opened.
    var last: Int64?
    /// The later changes of this process.
    var own: Set<Int64> = []
    /// The number of changes that this process is applying, and that it has applied.
    var pendingCount = 0
    var appliedCount = 0
    /// Whether a timer looks for changes.
    var isObserved = false

    /// Adds the changes of a history, and returns the rows of those that must be reported.
    mutating func add(_ history: [HistoryRow]) -> [HistoryRow] {
        let foreign = history.filter { !own.contains($0.changeID) }
        if let newest = history.last?.changeID {
            last = newest
            own = own.filter { $0 > newest }
        }
        return foreign
    }
}

extension PHPhotoLibrary {
    /// The time between two searches for changes of other processes.
    private static let searchInterval = CMTime(value: 1, timescale: 2)

    /// Starts to look for changes of other processes, as long as there are observers, after the first was registered.
    ///
    /// In virtual time no timer is started, because it would keep a simulation running forever.
    func observeForeignChanges() {
        if let store = state.withLock({ $0.openedStore }), let last = try? store.index.lastChange() {
            // Earlier changes were made without observers.
            state.withLock { state in
                state.reported.last = last
                state.reported.own = state.reported.own.filter { $0 > last }
            }
        }
        let starts = state.withLock { state in
            defer { state.reported.isObserved = true }
            return !state.reported.isObserved
        }
        if starts, !clock.isVirtual { scheduleSearch() }
    }

    private func scheduleSearch() {
        clock.schedule(at: clock.now + Self.searchInterval) { [weak self] in
            guard let self else { return }
            worker.submit { [weak self] in
                guard let self else { return }
                reportForeignChanges()
                let continues = state.withLock { state in
                    state.reported.isObserved = state.hasObservers
                    return state.reported.isObserved
                }
                if continues { scheduleSearch() }
            }
        }
    }

    /// Notifies the observers of the changes of other processes, and of other systems of this process, since the last
    /// search. Their details do not contain whether the content of an asset was edited.
    func reportForeignChanges() {
        let (store, reported) = state.withLock { ($0.openedStore, $0.reported) }
        // Nothing has been fetched from a library that is not open. A change of this process must be known before the
        // history is read.
        guard let store, let last = reported.last, reported.pendingCount == 0,
            // If the index cannot be read now, the next search finds the changes.
            let history = try? store.index.history(since: last), !history.isEmpty
        else { return }
        var foreign = state.withLock { state -> [HistoryRow] in
            guard state.reported.appliedCount == reported.appliedCount, state.reported.pendingCount == 0 else {
                return []
            }
            return state.reported.add(history)
        }[...]
        while let number = foreign.first?.changeID {
            let rows = foreign.prefix { $0.changeID == number }
            foreign.removeFirst(rows.count)
            notify(ChangeOutcome(rows))
        }
    }
}

extension ChangeOutcome {
    /// Creates the outcome of a change in the history.
    fileprivate init(_ rows: some Sequence<HistoryRow>) {
        for row in rows {
            switch HistoryRow.Effect(rawValue: row.effect) {
            case .inserted: inserted.append(row.localIdentifier)
            case .updated: updated.append(row.localIdentifier)
            case .deleted: deleted.append(row.localIdentifier)
            case nil: break
            }
        }
    }
}
