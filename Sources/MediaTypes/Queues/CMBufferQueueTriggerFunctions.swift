// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's, from `CMBufferQueue.h`.

/// Condition of a trigger: the duration becomes less than the threshold.
public let kCMBufferQueueTrigger_WhenDurationBecomesLessThan: CMBufferQueueTriggerCondition = 1
/// Condition of a trigger: the duration becomes less than or equal to the threshold.
public let kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo: CMBufferQueueTriggerCondition = 2
/// Condition of a trigger: the duration becomes greater than the threshold.
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan: CMBufferQueueTriggerCondition = 3
/// Condition of a trigger: the duration becomes greater than or equal to the threshold.
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo: CMBufferQueueTriggerCondition = 4
/// Condition of a trigger: the earliest presentation time changes.
public let kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges: CMBufferQueueTriggerCondition = 5
/// Condition of a trigger: the latest presentation time changes.
public let kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges: CMBufferQueueTriggerCondition = 6
/// Condition of a trigger: the data of the first buffer becomes ready.
public let kCMBufferQueueTrigger_WhenDataBecomesReady: CMBufferQueueTriggerCondition = 7
/// Condition of a trigger: the end of data is marked and the queue becomes empty.
public let kCMBufferQueueTrigger_WhenEndOfDataReached: CMBufferQueueTriggerCondition = 8
/// Condition of a trigger: the queue is reset.
public let kCMBufferQueueTrigger_WhenReset: CMBufferQueueTriggerCondition = 9
/// Condition of a trigger: the number of buffers becomes less than the threshold.
public let kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan: CMBufferQueueTriggerCondition = 10
/// Condition of a trigger: the number of buffers becomes greater than the threshold.
public let kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan: CMBufferQueueTriggerCondition = 11
/// Condition of a trigger: the duration becomes greater than or equal to a threshold, and the number of buffers greater
/// than another threshold.
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualToAndBufferCountBecomesGreaterThan:
    CMBufferQueueTriggerCondition =
        12

extension CMBufferQueue.TriggerCondition {
    /// Creates a condition; nil if the value is unknown or requires another kind of threshold.
    ///
    /// - Parameters:
    ///   - time: The time threshold, ignored by conditions without one; nil for functions with an integer threshold.
    ///   - threshold: The integer threshold; nil for functions with a time threshold.
    init?(_ condition: CMBufferQueueTriggerCondition, time: CMTime?, threshold: CMItemCount?) {
        switch (condition, time, threshold) {
        case (kCMBufferQueueTrigger_WhenDurationBecomesLessThan, let time?, nil):
            self = .whenDurationBecomesLessThan(time)
        case (kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo, let time?, nil):
            self = .whenDurationBecomesLessThanOrEqualTo(time)
        case (kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan, let time?, nil):
            self = .whenDurationBecomesGreaterThan(time)
        case (kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo, let time?, nil):
            self = .whenDurationBecomesGreaterThanOrEqualTo(time)
        case (kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges, _?, nil):
            self = .whenMinPresentationTimeStampChanges
        case (kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges, _?, nil):
            self = .whenMaxPresentationTimeStampChanges
        case (kCMBufferQueueTrigger_WhenDataBecomesReady, _?, nil): self = .whenDataBecomesReady
        case (kCMBufferQueueTrigger_WhenEndOfDataReached, _?, nil): self = .whenEndOfDataReached
        case (kCMBufferQueueTrigger_WhenReset, _?, nil): self = .whenReset
        case (kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan, nil, let threshold?):
            self = .whenBufferCountBecomesLessThan(threshold)
        case (kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan, nil, let threshold?):
            self = .whenBufferCountBecomesGreaterThan(threshold)
        default: return nil
        }
    }
}

/// Installs a trigger on the duration, times or state of the queue.
@discardableResult
public func CMBufferQueueInstallTrigger(
    _ queue: CMBufferQueue, callback: CMBufferQueueTriggerCallback?, refcon: UnsafeMutableRawPointer?,
    condition: CMBufferQueueTriggerCondition, time: CMTime,
    triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?
) -> OSStatus {
    CMBufferQueueInstallTriggerHandler(
        queue, condition, time, triggerTokenOut, callback.map { callback in { callback(refcon, $0) } })
}

/// Installs a trigger on the number of buffers.
@discardableResult
public func CMBufferQueueInstallTriggerWithIntegerThreshold(
    _ queue: CMBufferQueue, callback: CMBufferQueueTriggerCallback?, refcon: UnsafeMutableRawPointer?,
    condition: CMBufferQueueTriggerCondition, threshold: CMItemCount,
    triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?
) -> OSStatus {
    CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(
        queue, condition, threshold, triggerTokenOut, callback.map { callback in { callback(refcon, $0) } })
}

/// Installs a trigger on the duration, times or state of the queue.
@discardableResult
public func CMBufferQueueInstallTriggerHandler(
    _ queue: CMBufferQueue, _ condition: CMBufferQueueTriggerCondition, _ time: CMTime,
    _ triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?, _ handler: CMBufferQueueTriggerHandler?
) -> OSStatus {
    install(
        queue, CMBufferQueue.TriggerCondition(condition, time: time, threshold: nil), triggerTokenOut, handler)
}

/// Installs a trigger on the number of buffers.
@discardableResult
public func CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(
    _ queue: CMBufferQueue, _ condition: CMBufferQueueTriggerCondition, _ threshold: CMItemCount,
    _ triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?, _ handler: CMBufferQueueTriggerHandler?
) -> OSStatus {
    install(
        queue, CMBufferQueue.TriggerCondition(condition, time: nil, threshold: threshold), triggerTokenOut, handler)
}

private func install(
    _ queue: CMBufferQueue, _ condition: CMBufferQueue.TriggerCondition?,
    _ token: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?, _ handler: CMBufferQueueTriggerHandler?
) -> OSStatus {
    guard let condition else { return kCMBufferQueueError_InvalidTriggerCondition }
    return resultCode {
        let new = try queue.installTrigger(condition: condition, handler)
        token?.pointee = new
    }
}

/// Removes a trigger.
@discardableResult
public func CMBufferQueueRemoveTrigger(
    _ queue: CMBufferQueue, triggerToken: CMBufferQueueTriggerToken
) -> OSStatus {
    resultCode { try queue.removeTrigger(triggerToken) }
}

/// Whether the condition of a trigger is true; false for conditions on changes.
public func CMBufferQueueTestTrigger(_ queue: CMBufferQueue, triggerToken: CMBufferQueueTriggerToken) -> Bool {
    queue.testTrigger(triggerToken)
}
