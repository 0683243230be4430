/// Identifies a trigger of a queue.
public typealias CMBufferQueueTriggerToken = OpaquePointer
/// Called when the condition of a trigger has become true.
public typealias CMBufferQueueTriggerHandler = (CMBufferQueueTriggerToken) -> Void

/// Closures that are called when a condition becomes true.
extension CMBufferQueue {
    public typealias TriggerToken = CMBufferQueueTriggerToken

    /// The condition of a trigger.
    public enum TriggerCondition: Sendable {
        case whenDurationBecomesLessThan(CMTime)
        case whenDurationBecomesLessThanOrEqualTo(CMTime)
        case whenDurationBecomesGreaterThan(CMTime)
        case whenDurationBecomesGreaterThanOrEqualTo(CMTime)
        case whenMinPresentationTimeStampChanges
        case whenMaxPresentationTimeStampChanges
        case whenDataBecomesReady
        case whenEndOfDataReached
        case whenReset
        case whenBufferCountBecomesLessThan(CMItemCount)
        case whenBufferCountBecomesGreaterThan(CMItemCount)
        case whenDurationBecomesGreaterThanOrEqualToAndBufferCountBecomesGreaterThan(CMTime, CMItemCount)
    }

    struct Trigger {
        let token: TriggerToken
        let condition: TriggerCondition
        let body: CMBufferQueueTriggerHandler?

        /// Whether a change fires the trigger. For triggers with the condition `whenDataBecomesReady`, see
        /// `callDataReadyTriggers(for:)`.
        func fires(before: Summary, after: Summary, isReset: Bool) -> Bool {
            switch condition {
            case .whenReset: isReset
            case .whenMinPresentationTimeStampChanges: before.minPresentationTime != after.minPresentationTime
            case .whenMaxPresentationTimeStampChanges: before.maxPresentationTime != after.maxPresentationTime
            default: !before.satisfies(condition) && after.satisfies(condition)
            }
        }
    }

    /// The properties of a queue that trigger conditions depend on, except data readiness.
    struct Summary {
        let duration: CMTime
        let count: Int
        let minPresentationTime: CMTime
        let maxPresentationTime: CMTime
        let isAtEnd: Bool

        init(_ state: State) {
            duration = state.items.duration
            count = state.items.count
            minPresentationTime = state.items.minPresentationTime
            maxPresentationTime = state.items.maxPresentationTime
            isAtEnd = state.isEndOfDataMarked && state.items.isEmpty
        }

        /// Whether a condition is true; always false for conditions on changes and on data readiness.
        func satisfies(_ condition: TriggerCondition) -> Bool {
            switch condition {
            case .whenDurationBecomesLessThan(let time): duration < time
            case .whenDurationBecomesLessThanOrEqualTo(let time): duration <= time
            case .whenDurationBecomesGreaterThan(let time): duration > time
            case .whenDurationBecomesGreaterThanOrEqualTo(let time): duration >= time
            case .whenBufferCountBecomesLessThan(let limit): count < limit
            case .whenBufferCountBecomesGreaterThan(let limit): count > limit
            case .whenDurationBecomesGreaterThanOrEqualToAndBufferCountBecomesGreaterThan(let time, let limit):
                duration >= time && count > limit
            case .whenEndOfDataReached: isAtEnd
            case .whenDataBecomesReady, .whenMinPresentationTimeStampChanges, .whenMaxPresentationTimeStampChanges,
                .whenReset:
                false
            }
        }
    }

    /// A change of the first buffer.
    struct HeadChange {
        /// The previous first buffer; nil if the queue was empty.
        let old: Item?
        let new: Item
        /// The triggers that fire if the data of the new buffer is ready and that of the old one is not.
        let triggers: [Trigger]
    }

    /// Calls the triggers with the condition `whenDataBecomesReady` after a change of the first buffer.
    ///
    /// `Handlers.isDataReady` is called outside the lock.
    func callDataReadyTriggers(for change: HeadChange) {
        if isReady(change.new), !(change.old.map(isReady) ?? false) { call(change.triggers) }
    }

    private func isReady(_ item: Item) -> Bool { handlers.isDataReady?(item.buffer) ?? true }

    /// Calls triggers, except triggers that were removed.
    func call(_ triggers: [Trigger]) {
        for trigger in triggers {
            let isInstalled = state.withLock { state in state.triggers.contains { $0.token == trigger.token } }
            if isInstalled { trigger.body?(trigger.token) }
        }
    }

    /// The number of the last token. Tokens are unique in the process, so that a queue does not accept a token of
    /// another queue.
    private static let lastToken = Lock(0)

    /// Installs a trigger.
    ///
    /// - Parameter body: Called when the condition becomes true; nil for a trigger that is only tested.
    /// - Throws: `Error.badTriggerDuration` if a duration is not numeric.
    @discardableResult
    public func installTrigger(
        condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler? = nil
    ) throws -> TriggerToken {
        switch condition {
        case .whenDurationBecomesLessThan(let time), .whenDurationBecomesLessThanOrEqualTo(let time),
            .whenDurationBecomesGreaterThan(let time), .whenDurationBecomesGreaterThanOrEqualTo(let time),
            .whenDurationBecomesGreaterThanOrEqualToAndBufferCountBecomesGreaterThan(let time, _):
            guard time.isNumeric else { throw Error.badTriggerDuration }
        default: break
        }
        let number = Self.lastToken.withLock { lastToken in
            lastToken += 1
            return lastToken
        }
        guard let token = OpaquePointer(bitPattern: number) else { throw Error.allocationFailed }
        state.withLock { $0.triggers.append(Trigger(token: token, condition: condition, body: body)) }
        return token
    }

    /// Removes a trigger. It is not called afterwards, but a call on another thread may still be running.
    ///
    /// - Throws: `Error.invalidTriggerToken` if the queue has no such trigger.
    public func removeTrigger(_ triggerToken: TriggerToken) throws {
        let isKnown = state.withLock { state in
            let index = state.triggers.firstIndex { $0.token == triggerToken }
            if let index { state.triggers.remove(at: index) }
            return index != nil
        }
        guard isKnown else { throw Error.invalidTriggerToken }
    }

    /// Whether the condition of a trigger is true; false for conditions on changes.
    public func testTrigger(_ triggerToken: TriggerToken) -> Bool {
        let found = state.withLock { state -> (condition: TriggerCondition, summary: Summary, head: Item?)? in
            let trigger = state.triggers.first { $0.token == triggerToken }
            return trigger.map { ($0.condition, Summary(state), state.items.first) }
        }
        guard let found else { return false }
        if case .whenDataBecomesReady = found.condition { return found.head.map(isReady) ?? false }
        return found.summary.satisfies(found.condition)
    }
}

extension CMBufferQueue.State {
    /// Returns the change of the first buffer; nil if the first buffer is the same, if the queue is empty, or if no
    /// trigger depends on data readiness.
    func headChange(since old: CMBufferQueue.Item?) -> CMBufferQueue.HeadChange? {
        guard let new = items.first, new.number != old?.number else { return nil }
        let triggers = triggers.filter { if case .whenDataBecomesReady = $0.condition { true } else { false } }
        return triggers.isEmpty ? nil : CMBufferQueue.HeadChange(old: old, new: new, triggers: triggers)
    }
}
