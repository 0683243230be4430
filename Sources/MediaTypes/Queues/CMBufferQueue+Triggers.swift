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
    }

    /// What conditions depend on.
    struct Summary {
        var duration: CMTime
        var count: Int
        var minPresentationTime: CMTime
        var maxPresentationTime: CMTime
        var isAtEnd: Bool
        var isHeadReady: Bool

        /// Whether a condition is true; conditions on changes never are.
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
            case .whenDataBecomesReady: isHeadReady
            case .whenEndOfDataReached: isAtEnd
            case .whenMinPresentationTimeStampChanges, .whenMaxPresentationTimeStampChanges, .whenReset: false
            }
        }
    }

    /// Returns the properties of the queue that conditions test. Whether the first buffer is ready is determined only
    /// if a trigger depends on it.
    func summary() -> Summary {
        let (items, isMarked, triggers) = state.withLock { ($0.items, $0.isEndOfDataMarked, $0.triggers) }
        let needsReadiness = triggers.contains { if case .whenDataBecomesReady = $0.condition { true } else { false } }
        let isReady = needsReadiness ? items.first.map { handlers.isDataReady?($0.buffer) ?? true } ?? false : false
        return Summary(
            duration: items.duration, count: items.count, minPresentationTime: items.minPresentationTime,
            maxPresentationTime: items.maxPresentationTime, isAtEnd: isMarked && items.isEmpty,
            isHeadReady: isReady)
    }

    /// Calls each trigger after its condition has become true.
    func callTriggers(_ before: Summary, isReset: Bool) {
        let triggers = state.withLock { $0.triggers }
        guard !triggers.isEmpty else { return }
        let after = summary()
        for trigger in triggers {
            let fires =
                switch trigger.condition {
                case .whenReset: isReset
                case .whenMinPresentationTimeStampChanges: before.minPresentationTime != after.minPresentationTime
                case .whenMaxPresentationTimeStampChanges: before.maxPresentationTime != after.maxPresentationTime
                default: !before.satisfies(trigger.condition) && after.satisfies(trigger.condition)
                }
            if fires { trigger.body?(trigger.token) }
        }
    }

    /// Installs a trigger.
    ///
    /// - Parameter body: Called when the condition becomes true; nil to only test the trigger.
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
        return try state.withLock { state in
            state.lastToken += 1
            guard let token = OpaquePointer(bitPattern: state.lastToken) else { throw Error.allocationFailed }
            state.triggers.append(Trigger(token: token, condition: condition, body: body))
            return token
        }
    }

    /// Removes a trigger.
    ///
    /// - Throws: `Error.invalidTriggerToken` if the queue does not have it.
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
        let trigger = state.withLock { state in state.triggers.first { $0.token == triggerToken } }
        guard let trigger else { return false }
        return summary().satisfies(trigger.condition)
    }
}
