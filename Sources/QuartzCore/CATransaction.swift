import CaptureHAL
import Dispatch
public import Foundation
public import MediaTypes

/// A group of changes to layers. Changes of properties apply immediately; only explicit animations run over time.
///
/// - Important: Each thread has its own transactions.
open class CATransaction: NSObject {
    private struct Level {
        /// Whether a change outside of a transaction began it. Only the outermost level can be implicit.
        var isImplicit = false
        /// Whether the implicit transaction is committed when no explicit one is open any more.
        var isFlushed = false
        var isDisabled = false
        var duration: CFTimeInterval = 0.25
        var timingFunction: CAMediaTimingFunction?
        var completion: (@Sendable () -> Void)?
        var values: [String: Any] = [:]
        let animations = TransactionAnimations()
    }

    private static let key = "CATransaction.levels"

    /// The open transactions of the thread, outermost first.
    private class var levels: [Level] {
        get { Thread.current.threadDictionary[key] as? [Level] ?? [] }
        set { Thread.current.threadDictionary[key] = newValue }
    }

    open class func begin() { levels.append(Level()) }

    /// Ends the innermost transaction; its completion block runs on the main queue when its animations have ended.
    open class func commit() {
        guard let level = levels.popLast() else { return }
        if let completion = level.completion {
            let reference = CaptureSystem.current.reference
            level.animations.whenEnded { reference.deliver(on: .main, completion) }
        }
        if levels.count == 1, levels[0].isFlushed { commit() }
    }

    /// The animations of the innermost transaction; nil outside of one.
    static var currentAnimations: TransactionAnimations? { levels.last?.animations }

    /// Commits the implicit transaction, if there is one; if explicit transactions are open, after their commit.
    open class func flush() {
        guard let outermost = levels.first, outermost.isImplicit else { return }
        guard levels.count > 1 else { return commit() }
        levels[0].isFlushed = true
    }

    open class func lock() {}
    open class func unlock() {}

    /// Changes the innermost transaction. Outside of a transaction, it begins an implicit one, which `flush` commits.
    private static func change(_ body: (inout Level) -> Void) {
        if levels.isEmpty { levels.append(Level(isImplicit: true)) }
        body(&levels[levels.count - 1])
    }

    open class func disableActions() -> Bool { levels.last?.isDisabled ?? false }
    open class func setDisableActions(_ flag: Bool) { change { $0.isDisabled = flag } }

    /// Returns the duration in seconds of animations without a duration.
    open class func animationDuration() -> CFTimeInterval { levels.last?.duration ?? 0.25 }
    open class func setAnimationDuration(_ dur: CFTimeInterval) { change { $0.duration = dur } }

    open class func animationTimingFunction() -> CAMediaTimingFunction? { levels.last?.timingFunction }
    open class func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        change { $0.timingFunction = function }
    }

    open class func completionBlock() -> (@Sendable () -> Void)? { levels.last?.completion }

    /// Sets a block that runs on the main queue after the commit, when the transaction's animations have ended; outside
    /// of a transaction, it is scheduled immediately.
    @preconcurrency
    open class func setCompletionBlock(_ block: (@Sendable () -> Void)?) {
        guard levels.isEmpty else { return change { $0.completion = block } }
        if let block { CaptureSystem.current.reference.deliver(on: .main, block) }
    }

    /// Returns a value that the client has set, or a property with one of the keys `kCATransaction…`.
    open class func value(forKey key: String) -> Any? {
        switch key {
        case kCATransactionAnimationDuration: animationDuration()
        case kCATransactionDisableActions: disableActions()
        case kCATransactionAnimationTimingFunction: animationTimingFunction()
        case kCATransactionCompletionBlock: completionBlock()
        default: levels.last?.values[key]
        }
    }

    /// Sets a value, or a property with one of the keys `kCATransaction…`. Nil, or a value of another type, restores
    /// the default of the property.
    open class func setValue(_ anObject: Any?, forKey key: String) {
        switch key {
        case kCATransactionAnimationDuration:
            setAnimationDuration((anObject as? NSNumber)?.doubleValue ?? anObject as? Double ?? Level().duration)
        case kCATransactionDisableActions:
            setDisableActions((anObject as? NSNumber)?.boolValue ?? anObject as? Bool ?? Level().isDisabled)
        case kCATransactionAnimationTimingFunction:
            setAnimationTimingFunction(anObject as? CAMediaTimingFunction)
        case kCATransactionCompletionBlock:
            setCompletionBlock(anObject as? @Sendable () -> Void)
        default: change { $0.values[key] = anObject }
        }
    }
}

/// The key of the duration in seconds, an `NSNumber` or `Double`, for `setValue(_:forKey:)` of a transaction.
public let kCATransactionAnimationDuration = "animationDuration"
/// The key of `disableActions()`, an `NSNumber` or `Bool`.
public let kCATransactionDisableActions = "disableActions"
/// The key of the `CAMediaTimingFunction`.
public let kCATransactionAnimationTimingFunction = "animationTimingFunction"
/// The key of the completion block, a `@Sendable () -> Void`.
public let kCATransactionCompletionBlock = "completionBlock"
